package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two clusters on one database, as after an upgrade of Hazelcast's minor: the same members, ports
 * and schema, but another name, so that they do not become one.
 */
@ExtendWith(TestClusters.class)
@Tag("long")
class TwoClustersIT {
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final int DELAYED = 60;

  @Test
  void two_clusters_on_one_database_keep_every_promise(TestPostgres postgres) {
    var second = Map.of("cluster.name", "beside-hz2");
    var each = List.of(Map.<String, String>of(), Map.<String, String>of(), second, second);
    var settings = Map.of("upgrades.look-interval", LOOK.toMillis() + "ms");
    try (var cluster = TestClusters.another(postgres, "beside", 4, settings, each)) {
      cluster.startAll();
      assertThat(cluster.node(0).http().get("/").json().getLong("members")).isEqualTo(2);
      assertThat(cluster.node(3).http().get("/").json().getLong("members")).isEqualTo(2);

      new ResumeRace(cluster, "resume race over two clusters", true).run();
      timersFireOnce(cluster);
      definitionsAreSeen(cluster);
    }
  }

  private static void timersFireOnce(TestCluster cluster) {
    cluster.api(0).publish(Workflows.delay("beside-delay", 2));
    var ids = Together.call(DELAYED, 8, number -> cluster.api(number).start("beside-delay"));

    var outcomes =
        Eventually.get(
            Duration.ofSeconds(90),
            () -> Outcome.of(cluster.sql(), ids),
            found -> found.values().stream().allMatch(Outcome::isCompleted));

    assertThat(outcomes).hasSize(DELAYED);
    assertThat(outcomes.values())
        .allMatch(Outcome::isCompleted)
        .allMatch(Outcome::isGapless)
        .allMatch(outcome -> outcome.lines() == 1 && outcome.resumed() == 1);
  }

  /** What is published here is never started in an older version there, and is soon known there. */
  private static void definitionsAreSeen(TestCluster cluster) {
    cluster.api(0).publish(Workflows.lines("beside-lines", "one"));
    assertThat(linesOfStart(cluster, 3)).isEqualTo(1);
    cluster.api(0).publish(Workflows.lines("beside-lines", "one", "two"));
    assertThat(linesOfStart(cluster, 3)).isEqualTo(2);

    var elsewhere = cluster.node(2).http();
    assertThat(elsewhere.get("/workflows/beside").status()).isEqualTo(404);
    long since = System.nanoTime();
    cluster.api(0).publish(endpoint("beside-endpoint", "beside"));
    var answer =
        Eventually.get(
            Duration.ofSeconds(30),
            () -> elsewhere.get("/workflows/beside"),
            found -> found.status() != 404);
    assertThat(answer.status()).as("%s", answer).isLessThan(300);
    Measured.say(
        "two clusters", "an endpoint is known in the other after %.1f s", Measured.seconds(since));
  }

  private static long linesOfStart(TestCluster cluster, int node) {
    var id = cluster.api(node).start("beside-lines");
    var outcome =
        Eventually.get(
            Duration.ofSeconds(30),
            () -> Outcome.of(cluster.sql(), List.of(id)).get(id),
            found -> found != null && found.isCompleted());
    return outcome == null ? 0 : outcome.lines();
  }

  private static JsonObject endpoint(String definitionId, String path) {
    var methods = new JsonObject().put("type", "Literal").put("value", "[\"GET\"]");
    var literal = new JsonObject().put("type", "Literal").put("value", path);
    var endpoint =
        new JsonObject()
            .put("type", "Elsa.HttpEndpoint")
            .put("version", 1)
            .put("id", "endpoint")
            .put("customProperties", new JsonObject().put("canStartWorkflow", true))
            .put("path", new JsonObject().put("typeName", "String").put("expression", literal))
            .put(
                "supportedMethods",
                new JsonObject().put("typeName", "String[]").put("expression", methods));
    return new JsonObject()
        .put("definitionId", definitionId)
        .put("name", definitionId)
        .put(
            "root",
            new JsonObject()
                .put("type", "Elsa.Sequence")
                .put("version", 1)
                .put("id", "sequence")
                .put("activities", new JsonArray().add(endpoint)));
  }
}
