package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestClusters.class)
class TokenIT {
  private static final int CALLERS = 30;
  private static final String AUDITED =
      "select count(*) from audit_log"
          + " where bookmark_id = $1 and action = $2 and (outcome = 'ok') = $3";

  private final TestCluster cluster;

  TokenIT(TestCluster cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void publish() {
    cluster.api(0).publish(Workflows.approval("token"));
  }

  @Test
  void a_token_works_once() {
    var bookmark = bookmark();
    var token = mint(bookmark, new JsonObject());

    for (int i = 0; i < 3; i++) {
      assertThat(cluster.node(i).http().get("/workflows/resume/" + token).status()).isEqualTo(200);
    }
    assertThat(openBookmarks(bookmark)).as("after looking at the page").isEqualTo(1);

    var answers = Together.call(CALLERS, number -> cluster.api(number).resumeByToken(token));
    var replayed = cluster.api(1).resumeByToken(token);

    var tally = new TreeMap<String, Integer>();
    answers.forEach(a -> tally.merge(a.status() + " " + a.code(), 1, Integer::sum));
    assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
    assertThat(answers)
        .filteredOn(answer -> answer.status() != 200)
        .allMatch(answer -> Set.of(404, 409, 410).contains(answer.status()))
        .allMatch(answer -> !answer.code().isEmpty());
    assertThat(replayed.status()).as(replayed.body()).isEqualTo(410);
    assertThat(audited(bookmark, "token.mint", true)).isEqualTo(1);
    assertThat(audited(bookmark, "token.resume", true)).isEqualTo(1);
    assertThat(audited(bookmark, "token.resume", false)).isEqualTo(CALLERS);
    checkNowhere(token);
    Measured.say(
        "token", "%d posts of one token: %s; replay %d", CALLERS, tally, replayed.status());
  }

  @Test
  void an_expired_token_does_nothing() {
    var bookmark = bookmark();
    var token = mint(bookmark, new JsonObject().put("expiresIn", "PT1S"));
    var expired = Instant.now().plusSeconds(1);
    Eventually.isTrue(Duration.ofSeconds(5), () -> Instant.now().isAfter(expired));

    var answer = cluster.api(1).resumeByToken(token);

    assertThat(answer.status()).as(answer.body()).isEqualTo(410);
    assertThat(answer.code()).isEqualTo("TOKEN_EXPIRED");
    assertThat(openBookmarks(bookmark)).isEqualTo(1);
    assertThat(audited(bookmark, "token.resume", false)).isEqualTo(1);
  }

  @Test
  void a_token_that_was_replaced_or_made_up_does_nothing() {
    var bookmark = bookmark();
    var first = mint(bookmark, new JsonObject());
    var second = mint(bookmark, new JsonObject());
    var changed = second.substring(0, second.length() - 6) + "AAAAAA";

    long before = refusals();

    for (var bad : List.of(first, changed, "x", "AAAAAAAA", "0".repeat(64), "0".repeat(500))) {
      var answer = cluster.api(2).resumeByToken(bad);
      assertThat(answer.status()).as("%s: %s", bad, answer.body()).isIn(400, 404, 410, 413);
      assertThat(answer.code()).as(answer.body()).isNotEmpty();
    }
    assertThat(openBookmarks(bookmark)).isEqualTo(1);
    assertThat(refusals() - before).as("audited, but for the too long one").isEqualTo(5);
    assertThat(audited(bookmark, "token.resume", false)).as("of a known bookmark").isEqualTo(1);
    assertThat(cluster.api(2).resumeByToken(second).status()).isEqualTo(200);
    checkNowhere(first);
    checkNowhere(second);
  }

  private String bookmark() {
    var id = cluster.api(0).start("token");
    return cluster
        .sql()
        .rows("select id from bookmarks where workflow_instance_id = $1", id)
        .getFirst()
        .getString(0);
  }

  private String mint(String bookmark, JsonObject body) {
    return cluster.api(0).mint(bookmark, body).orThrow().json().getString("token");
  }

  private long openBookmarks(String bookmark) {
    return cluster.sql().number("select count(*) from bookmarks where id = $1", bookmark);
  }

  private long refusals() {
    return cluster.sql().number("select count(*) from audit_log where outcome <> 'ok'");
  }

  private long audited(String bookmark, String action, boolean ok) {
    return cluster.sql().number(AUDITED, bookmark, action, ok);
  }

  /** Neither a table nor a log has the token or the secret at its end. */
  private void checkNowhere(String token) {
    var secret = token.substring(token.length() - 20);
    var tables =
        cluster
            .sql()
            .rows(
                "select table_name from information_schema.tables where table_schema = $1",
                cluster.name());
    assertThat(tables).hasSizeGreaterThan(8);
    for (var row : tables) {
      var table = row.getString(0);
      long found =
          cluster
              .sql()
              .number(
                  "select count(*) from \"" + table + "\" t where strpos(t::text, $1) > 0", secret);
      assertThat(found).as("rows with the token in %s", table).isZero();
    }
    assertThat(
            cluster
                .sql()
                .number(
                    "select count(*) from workflow_instances"
                        + " where position(convert_to($1, 'UTF8') in state) > 0",
                    secret))
        .as("states with the token")
        .isZero();
    for (var node : cluster.nodes()) {
      assertThat(node.output()).as("log of %s", node.name()).noneMatch(l -> l.contains(secret));
    }
  }
}
