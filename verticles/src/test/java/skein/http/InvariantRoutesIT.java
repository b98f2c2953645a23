package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.execution.OneNode;
import skein.metrics.HttpFigures;
import skein.storage.AlterationStore;
import skein.storage.Committer;
import skein.storage.ScannerStore;
import skein.storage.ScannerStore.Terms;
import skein.storage.ViolationStore;

/** The list of violations, asking for a pass, and the page of metrics, over a real connection. */
class InvariantRoutesIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final HttpFigures figures = new HttpFigures();
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
    var readiness = new Readiness();
    var options =
        new HttpOptions(
            "127.0.0.1",
            0,
            URI.create("http://skein.test/"),
            JsonLimits.DEFAULT,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            100,
            Duration.ofSeconds(1),
            UploadLimits.DEFAULT);
    var parts =
        new HttpParts(
            node.ingress,
            node.definitions,
            node.cache,
            node.definitionStore,
            node.instances,
            new AlterationStore(node.database),
            node.database,
            node.cluster,
            readiness,
            Activities.builtIn(),
            InstantSource.system(),
            new Committer.Options(10, 2, 4, 200, 100, 3, 50, 1_000_000),
            node.schedules);
    var made =
        new HttpVerticle(
            parts,
            options,
            new Connections(ConnectionLimits.DEFAULT, 1 << 20),
            new Health(readiness, node.cluster, node.database),
            figures,
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
    var answer = send(verticle, "GET", "/elsa/api/invariants" + query);
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
    var scanner = new ScannerStore(node.database);
    var terms = new Terms(Duration.ofHours(1), Duration.ofHours(1), Duration.ZERO);
    var first = Objects.requireNonNull(scanner.look("n1", "n1", terms).await().claim());
    scanner.finish(first.number(), Map.of()).await();
    assertThat(scanner.look("n1", "n1", terms).await().claim()).isNull();

    var asked = send(verticle, "POST", "/elsa/api/invariants/scan");

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
  void open_violations_are_told_by_the_health_and_make_no_node_unready() throws Exception {
    violations.record("orphan-timer", "i-1", "i").await();

    var ready = send(verticle, "GET", "/health/ready");

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
    while (figures.inFlight().sum() > 0 && System.nanoTime() < end) {
      node.vertx.timer(10).await(); // An answer is counted when it has left.
    }
    assertThat(figures.byStatus()).containsEntry(200, 1L).containsEntry(404, 1L);
    assertThat(figures.byStatus()).containsEntry(400, 1L);
    assertThat(figures.inFlight().sum()).isZero();
  }
}
