package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import skein.docker.Observability;
import skein.node.dev.Ports;
import skein.peers.TestCertificates;

/**
 * Every query of every dashboard and every rule is put to a Prometheus that collects from three
 * nodes at work. Skipped where there is no Prometheus ({@code apt install prometheus}).
 */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
class DashboardsIT {
  private static final int NODES = 3;
  private static final Duration ANSWERED_MAX = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final String DEFINITIONS = "/elsa/api/workflow-definitions";

  @TempDir private static Path folder;

  private final TestPostgres postgres;
  private final AtomicBoolean enough = new AtomicBoolean();
  private TestCluster cluster;
  private PrometheusServer prometheus;
  private Thread load;

  DashboardsIT(TestPostgres postgres) {
    this.postgres = postgres;
  }

  @BeforeAll
  void start() {
    assumeTrue(
        Files.isExecutable(PrometheusServer.PROGRAM),
        "there is no " + PrometheusServer.PROGRAM + ": no query was put to a Prometheus");
    var ports = Ports.free(NODES);
    var files = new TestCertificates(folder, "ca").of("node"); // its days are a metric
    cluster =
        new TestCluster(
            postgres,
            TestClusters.folder(),
            "dashboards",
            ports,
            Map.of(
                "scanner.interval",
                "2s",
                "scanner.silence-max",
                "2s",
                "cluster.tls",
                "true",
                "cluster.tls-certificate-file",
                files.certificate().toString(),
                "cluster.tls-key-file",
                files.key().toString(),
                "cluster.tls-ca-file",
                files.authorities().toString()));
    cluster.startAll();
    var api = cluster.api(0);
    api.publish(Workflows.approval("approve"));
    api.publish(Workflows.delay("nap", 1));
    api.publish(Workflows.hello("hello"));
    api.publish(Workflows.fault("fault"));
    api.publish(Workflows.answering("refuse", "refuse", "ServiceUnavailable"));
    var own = cluster.node(0).http().base().resolve(DEFINITIONS);
    api.publish(Workflows.request("request", own.toString()));
    load = Thread.ofVirtual().name("load").start(this::work);
    prometheus = new PrometheusServer(folder, ports);
  }

  @AfterAll
  void stop() throws InterruptedException {
    enough.set(true);
    if (load != null) {
      load.join();
    }
    if (prometheus != null) {
      prometheus.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A little of everything, at each node in turn: what succeeds, what is refused, what fails. */
  private void work() {
    for (int number = 0; !enough.get(); number++) {
      var api = cluster.api(number);
      var id = api.start("approve");
      api.resume(id);
      cluster.api(number + 1).resume(id);
      api.start("nap");
      api.start("fault");
      api.start("request");
      api.resumeByToken("a-token-that-nobody-has");
      api.http().get("/workflows/hello/kim");
      api.http().get("/workflows/refuse");
      Eventually.pause(PAUSE);
    }
  }

  /** With all clusters and nodes chosen, as Grafana asks. */
  private Map<String, String> queries() {
    var jobs = String.join("|", prometheus.values("job", "skein_cluster_members"));
    var instances = String.join("|", prometheus.values("instance", "skein_cluster_members"));
    return Observability.queries("(" + jobs + ")", "(" + instances + ")");
  }

  /** Those without a series, or whose series have no number. */
  private Map<String, String> unanswered(Map<String, String> queries) {
    var unanswered = new TreeMap<String, String>();
    queries.forEach((where, query) -> {
      if (prometheus.series(query).stream().noneMatch(DashboardsIT::hasNumber)) {
        unanswered.put(where, query);
      }
    });
    return unanswered;
  }

  private static boolean hasNumber(JsonObject series) {
    return !series.getJsonArray("value").getString(1).equals("NaN");
  }

  private void assertAnswered(Map<String, String> queries) {
    var missing = Eventually.get(ANSWERED_MAX, () -> unanswered(queries), Map::isEmpty);

    assertThat(missing).isEmpty();
    Measured.say("dashboards", "%d expressions are answered", queries.size());
  }

  @Test
  void every_query_of_every_dashboard_is_answered() {
    assertThat(
            Eventually.get(
                ANSWERED_MAX,
                () -> prometheus.values("instance", "skein_cluster_members"),
                nodes -> nodes.size() == NODES))
        .hasSize(NODES);

    assertAnswered(queries());
  }

  @Test
  void what_the_dashboards_let_choose_is_there() {
    for (var dashboard : Observability.dashboards()) {
      assertThat(Observability.variables(dashboard))
          .containsOnly(
              Map.entry("job", "label_values(skein_cluster_members, job)"),
              Map.entry(
                  "instance", "label_values(skein_cluster_members{job=~\"$job\"}, instance)"));
    }
    assertThat(
            Eventually.get(
                ANSWERED_MAX,
                () -> prometheus.values("instance", "skein_cluster_members{job=~\"(skein)\"}"),
                nodes -> nodes.size() == NODES))
        .hasSize(NODES);
    assertThat(prometheus.values("job", "skein_cluster_members")).isEqualTo(List.of("skein"));
  }

  @Test
  void every_recorded_series_and_every_alert_is_answered() {
    var asked = new LinkedHashMap<String, String>();
    Observability.expressions()
        .forEach((name, expression) -> {
          boolean recorded = name.contains(":");
          asked.put(name, recorded ? name : Observability.withoutBound(expression));
          Observability.series(expression)
              .forEach(series -> asked.put(name + ", " + series.group(), series.group()));
        });

    assertAnswered(asked);
    assertThat(prometheus.rules())
        .hasSameSizeAs(Observability.rules())
        .allSatisfy(rule -> assertThat(rule.getString("health")).as("%s", rule).isEqualTo("ok"));
  }

  @Test
  void a_metric_or_label_that_is_misspelt_is_found() {
    var good = "sum by (instance) (rate(skein_workflows_started_total{job=~\"skein\"}[2m]))";
    var asked =
        Map.of(
            "good", good,
            "metric", good.replace("workflows", "workflow"),
            "label", good.replace("job=~", "jobs=~"),
            "bound", Observability.withoutBound("max by (job) (skein_cluster_member) < 3"));
    Eventually.isTrue(ANSWERED_MAX, () -> !unanswered(asked).containsKey("good"));

    assertThat(unanswered(asked)).containsOnlyKeys("metric", "label", "bound");
  }
}
