package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.execution.OneNode;
import skein.metrics.HttpMetrics;
import skein.model.WorkflowStatus;
import skein.openapi.CheckedAnswers;
import skein.retention.RetentionOptions;
import skein.retention.RetentionRules;
import skein.storage.PassStore;
import skein.storage.PassStore.Terms;
import skein.storage.TestSql;
import skein.storage.ViolationStore;

/**
 * The list of violations, retention, asking for their passes, and the page of metrics, over a real
 * connection.
 */
class InvariantRoutesIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final HttpMetrics metrics = new HttpMetrics();
  private OneNode node;
  private HttpVerticle verticle;
  private ViolationStore violations;

  @BeforeEach
  void start() {
    node = new OneNode();
    violations = new ViolationStore(node.database);
    verticle = deploy(new MetricsPage("text/plain", () -> Future.succeededFuture(PAGE)));
  }

  private static final Buffer PAGE = Buffer.buffer("skein_resumes_total 1.0\n");

  private HttpVerticle deploy(@Nullable MetricsPage page) {
    return deploy(page, RetentionOptions.OFF);
  }

  private HttpVerticle deploy(@Nullable MetricsPage page, RetentionOptions retention) {
    var readiness = new Readiness();
    var options =
        HttpOptions.of(
                new HttpOptions.Listener("127.0.0.1", 0, URI.create("http://skein.test/"), 100),
                new HttpOptions.Timeouts(
                    Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(1)),
                new HttpOptions.BodyLimits(JsonLimits.DEFAULT, UploadLimits.DEFAULT))
            .with(HttpOptions.Api.DEFAULT.with(retention));
    var dependencies = HttpFixture.dependencies(node, readiness);
    var made =
        new HttpVerticle(
            dependencies,
            options,
            new Connections(ConnectionLimits.DEFAULT, 1 << 20),
            new Health(readiness, node.cluster, node.database),
            metrics,
            page);
    node.vertx.deployVerticle(made).await();
    readiness.advanceTo(Readiness.Phase.READY);
    return made;
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private static HttpResponse<String> send(HttpVerticle to, String method, String path)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + to.port() + path))
            .method(method, BodyPublishers.noBody())
            .build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  private JsonObject list(String query) throws Exception {
    var answer = CheckedAnswers.of(send(verticle, "GET", "/elsa/api/invariants" + query));
    assertThat(answer.statusCode()).isEqualTo(200);
    return new JsonObject(answer.body());
  }

  private JsonObject only(String query) throws Exception {
    var page = list(query);
    assertThat(page.getLong("totalCount")).isEqualTo(1);
    assertThat(page.getJsonArray("items")).hasSize(1);
    return page.getJsonArray("items").getJsonObject(0);
  }

  @Test
  void nothing_is_listed_before_something_is_found() throws Exception {
    var page = list("");

    assertThat(page.getLong("totalCount")).isZero();
    assertThat(page.getJsonArray("items")).isEmpty();
    assertThat(page.getJsonObject("scan").getBoolean("pending")).isFalse();
    assertThat(page.getJsonObject("scan").getString("startedAt")).isNull();
  }

  @Test
  void violations_are_listed_by_state_and_invariant() throws Exception {
    violations.record("orphan-timer", "i-1", "i").await();
    violations.record("orphan-bookmark", "j-1", "j").await();
    violations.repaired("orphan-bookmark", "j-1").await();

    assertThat(only("").getString("subjectId")).isEqualTo("i-1");
    assertThat(only("?state=open").getString("detail")).isEqualTo("i");
    var repaired = only("?state=repaired");
    assertThat(repaired.getString("invariant")).isEqualTo("orphan-bookmark");
    assertThat(repaired.getInstant("repairedAt")).isNotNull();
    assertThat(only("?state=ended").getString("subjectId")).isEqualTo("j-1");
    assertThat(only("?state=all&invariant=orphan-timer").getString("endedAt")).isNull();
    assertThat(list("?state=all").getLong("totalCount")).isEqualTo(2);
    assertThat(list("?state=all&skip=1").getJsonArray("items")).hasSize(1);
    assertThat(send(verticle, "GET", "/elsa/api/invariants?state=odd").statusCode()).isEqualTo(400);
  }

  @Test
  void a_pass_that_is_asked_for_is_pending_until_a_node_has_made_it() throws Exception {
    var scanner = new PassStore(node.database, PassStore.Kind.SCANNER);
    var terms = new Terms(Duration.ofHours(1), Duration.ofHours(1), Duration.ZERO);
    var first = Objects.requireNonNull(scanner.look("n1", "n1", terms).await().claim());
    scanner.finish(first.number(), Map.of()).await();
    assertThat(scanner.look("n1", "n1", terms).await().claim()).isNull();

    var asked = CheckedAnswers.of(send(verticle, "POST", "/elsa/api/invariants/scan"));

    assertThat(asked.statusCode()).isEqualTo(202);
    assertThat(new JsonObject(asked.body()).getInstant("requestedAt")).isNotNull();
    assertThat(list("").getJsonObject("scan").getBoolean("pending")).isTrue();
    var claim = Objects.requireNonNull(scanner.look("n1", "n1", terms).await().claim());
    assertThat(claim.requested()).isTrue();
    assertThat(list("").getJsonObject("scan").getBoolean("pending")).isTrue();
    scanner.finish(claim.number(), Map.of("found", 3L)).await();
    var scan = list("").getJsonObject("scan");
    assertThat(scan.getBoolean("pending")).isFalse();
    assertThat(scan.getString("node")).isEqualTo("n1");
    assertThat(scan.getJsonObject("result").getLong("found")).isEqualTo(3);
  }

  @Test
  void retention_that_is_off_is_told_so_and_refuses_to_run() throws Exception {
    var shown = json(send(verticle, "GET", "/elsa/api/retention"));

    assertThat(shown.getBoolean("enabled")).isFalse();
    assertThat(shown.getString("retentionPeriod")).isEqualTo("PT720H");
    assertThat(shown.getString("sweepInterval")).isEqualTo("PT1H");
    assertThat(shown.getJsonObject("pass").getBoolean("pending")).isFalse();
    var refused = CheckedAnswers.of(send(verticle, "POST", "/elsa/api/retention/run"));
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("INVALID_REQUEST", "retention.enabled");
    assertThat(json(send(verticle, "GET", "/elsa/api/retention")).getJsonObject("pass"))
        .isEqualTo(shown.getJsonObject("pass"));
  }

  @Test
  void what_retention_would_delete_is_counted_in_parts_and_its_pass_can_be_asked_for()
      throws Exception {
    node.publish(
        "{'definitionId':'done','name':'done','root':{'type':'Elsa.WriteLine','id':'w','text':'x'}}"
            .replace('\'', '"'));
    for (int i = 0; i < 3; i++) {
      node.awaitStatus(node.start("done"), WorkflowStatus.Completed);
    }
    TestSql.change(
        node.database,
        "update workflow_instances set created_at = created_at - interval '40 days',"
            + " finished_at = finished_at - interval '31 days'");
    var off = RetentionOptions.OFF;
    var rules =
        new RetentionRules(
            Duration.ofDays(30),
            Map.of(WorkflowStatus.Faulted, Optional.of(Duration.ofDays(90))),
            Map.of("contract", Optional.empty()));
    var on =
        deploy(
            null,
            new RetentionOptions(
                true, rules, off.auditKeep(), off.alterationsKeep(), off.interval(), off.slice()));

    var first = json(send(on, "GET", "/elsa/api/retention/candidates?take=2"));
    var after = "?take=2&after=" + first.getString("next");
    var second = json(send(on, "GET", "/elsa/api/retention/candidates" + after));
    var last = "?after=" + second.getString("next");
    var none = json(send(on, "GET", "/elsa/api/retention/candidates" + last));

    assertThat(first.getJsonArray("items").getJsonObject(0).getMap())
        .containsExactly(
            entry("definitionId", "done"), entry("status", "Completed"), entry("instances", 2));
    assertThat(second.getJsonArray("items").getJsonObject(0).getLong("instances")).isOne();
    assertThat(none.getLong("seen")).isZero();
    assertThat(none.getValue("next")).isNull();
    assertThat(node.number("select count(*) from workflow_instances")).isEqualTo(3);
    for (var wrong : List.of("noon", "0000-12-31T23:59:59Z", "%2B10000-01-01T00:00:00Z")) {
      assertThat(send(on, "GET", "/elsa/api/retention/candidates?after=" + wrong).statusCode())
          .as(wrong)
          .isEqualTo(400);
    }
    var asked = send(on, "POST", "/elsa/api/retention/run");
    assertThat(asked.statusCode()).isEqualTo(202);
    assertThat(json(asked).getJsonObject("pass").getInstant("requestedAt")).isNotNull();
    assertThat(json(asked).getJsonObject("pass").getBoolean("pending")).isTrue();
    assertThat(json(asked).getJsonObject("statuses").getMap())
        .containsExactly(entry("Faulted", "PT2160H"));
    assertThat(json(asked).getJsonObject("definitions").getMap())
        .containsExactly(entry("contract", null));
  }

  private static JsonObject json(HttpResponse<String> answer) {
    return new JsonObject(answer.body());
  }

  @Test
  void open_violations_are_told_by_the_health_and_make_no_node_unready() throws Exception {
    violations.record("orphan-timer", "i-1", "i").await();

    var ready = CheckedAnswers.of(send(verticle, "GET", "/health/ready"));

    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(ready.body()).contains("1 open violations");
  }

  @Test
  void metrics_are_shown_where_there_are_any_and_requests_are_counted() throws Exception {
    var answer = send(verticle, "GET", "/metrics");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain");
    assertThat(answer.body()).isEqualTo(PAGE.toString());
    var without = deploy(null);
    assertThat(send(without, "GET", "/metrics").statusCode()).isEqualTo(404);
    send(verticle, "GET", "/elsa/api/invariants?state=odd");
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (metrics.inFlight().sum() > 0 && System.nanoTime() < end) {
      node.vertx.timer(10).await(); // An answer is counted when it has left.
    }
    assertThat(metrics.byStatus()).containsEntry(200, 1L).containsEntry(404, 1L);
    assertThat(metrics.byStatus()).containsEntry(400, 1L);
    assertThat(metrics.inFlight().sum()).isZero();
  }
}
