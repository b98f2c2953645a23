package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What two processes tell Prometheus and an operator, and who of them scans. */
@ExtendWith(TestClusters.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
class MetricsIT {
  private static final int STARTS = 10;
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration HEARTBEATS = Duration.ofSeconds(4);
  private static final Duration STANDSTILL = Duration.ofSeconds(6);
  private static final Duration COUNTED = Duration.ofSeconds(15);
  private static final Map<String, String> SETTINGS =
      Map.of(
          "scanner.interval", "2s",
          "scanner.silence-max", "2s",
          "scanner.grace", "0s",
          "metrics.counts-busy-max", "100", // a slow count does not put off the next
          "scheduler.misfire-after", "2s",
          "database.statement-timeout", "20s");

  /** What the clustering guide wants to see, by the names of the README. */
  private static final List<String> OF_THE_GUIDE =
      List.of(
          "skein_workflows_started_total",
          "skein_workflows_finished_total",
          "skein_workflow_duration_seconds_bucket",
          "skein_lock_acquisition_seconds_bucket",
          "skein_lock_failures_total",
          "skein_lock_hold_seconds_bucket",
          "skein_lock_contended_total",
          "skein_timers_fired_total",
          "skein_timers_misfired_total",
          "skein_scheduler_heartbeat_age_seconds",
          "skein_scheduler_lag_seconds",
          "process_cpu_usage",
          "jvm_memory_used_bytes",
          "skein_database_pool_connections_max",
          "skein_database_pool_exhausted_total",
          "skein_database_statement_seconds_bucket",
          "skein_database_deadlocks_total",
          "skein_database_lock_wait_seconds",
          "skein_scanner_active");

  private TestCluster cluster;

  @BeforeAll
  void start(TestPostgres postgres) {
    cluster = TestClusters.another(postgres, "metrics", 2, SETTINGS);
    cluster.startAll();
    cluster.api(0).publish(Workflows.approval("approve"));
    cluster.api(0).publish(Workflows.delay("nap", 1));
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private static Map<String, Double> scrape(ServerProcess node) {
    return Scrapes.of(node);
  }

  /** 0 when it is not told. */
  private static double value(ServerProcess node, String name) {
    return scrape(node).getOrDefault(name, 0.0);
  }

  private double sum(String name) {
    return Scrapes.sum(cluster.nodes(), name);
  }

  @Test
  void every_node_shows_what_the_guide_wants_to_see() {
    cluster.api(0).start("approve");

    for (var node : cluster.nodes()) {
      assertThat(scrape(node).keySet().stream().map(key -> key.split("\\{", 2)[0]))
          .containsAll(OF_THE_GUIDE);
    }
    assertThat(sum("skein_scheduler_leader")).isEqualTo(1);
    assertThat(sum("skein_cluster_members")).isEqualTo(4);
  }

  @Test
  void instances_and_timers_are_counted_exactly_and_told_by_every_node() {
    for (int i = 0; i < STARTS; i++) {
      cluster.api(i).start("approve");
    }
    long suspended = rows("select count(*) from workflow_instances where status = 'Suspended'");
    long schedules = rows("select count(*) from timers where kind = 'Schedule'");

    assertThat(suspended).isGreaterThanOrEqualTo(STARTS);
    for (var node : cluster.nodes()) {
      assertThat(
              Eventually.isTrue(
                  COUNTED,
                  () -> {
                    var values = scrape(node);
                    return Objects.equals(
                            values.get("skein_workflow_instances{status=\"Suspended\"}"),
                            (double) suspended)
                        && Objects.equals(
                            values.get("skein_timers_scheduled{kind=\"Schedule\"}"),
                            (double) schedules);
                  }))
          .as(node.name())
          .isTrue();
      assertThat(scrape(node))
          .containsEntry("skein_workflow_instances{status=\"Running\"}", 0.0)
          .containsEntry("skein_work_total{kind=\"http\",outcome=\"done\"}", 0.0)
          .hasEntrySatisfying(
              "skein_counts_age_seconds", age -> assertThat(age).isBetween(0.0, 15.0));
    }
  }

  private long rows(String sql) {
    return cluster.sql().number(sql);
  }

  @Test
  void nodes_say_how_long_the_others_take_to_answer() {
    assertThat(
            Eventually.isTrue(
                SOON,
                () ->
                    sum("skein_link_round_trip_seconds_count{node=\"n1\"}") > 0
                        && sum("skein_link_round_trip_seconds_count{node=\"n2\"}") > 0))
        .isTrue();
  }

  @Test
  void nodes_say_what_came_from_the_others() {
    assertThat(
            Eventually.isTrue(
                SOON,
                () ->
                    sum("skein_peer_messages_total{port=\"bus\"}") > 0
                        && sum("skein_peer_messages_total{port=\"members\"}") > 0))
        .isTrue();
    for (var port : List.of("bus", "members")) {
      assertThat(sum("skein_peer_bytes_total{port=\"" + port + "\"}"))
          .as(port)
          .isGreaterThan(10 * sum("skein_peer_messages_total{port=\"" + port + "\"}"));
    }
  }

  @Test
  void any_node_says_who_holds_what_and_is_ready_when_locks_can_be_had() {
    for (int i = 0; i < STARTS; i++) {
      cluster.api(i).start("approve");
    }

    for (var node : cluster.nodes()) {
      var found = node.http().get("/elsa/api/locks?kind=shard").orThrow().json();
      assertThat(found.getString("provider")).isEqualTo("hazelcast");
      assertThat(found.getJsonArray("unreachable")).isEmpty();
      assertThat(Api.objects(found.getJsonArray("items")))
          .isNotEmpty()
          .allSatisfy(lock -> {
            assertThat(lock.getString("key")).startsWith("shard:");
            assertThat(lock.getString("node")).isIn("n1", "n2");
            assertThat(Instant.parse(lock.getString("since")))
                .isBefore(Instant.parse(lock.getString("expiresAt")));
          });
      var checks = node.http().get("/health/ready").orThrow().json().getJsonArray("checks");
      assertThat(Api.objects(checks))
          .anyMatch(check ->
              check.getString("name").equals("locks") && check.getString("status").equals("UP"));
    }
  }

  @Test
  void log_levels_are_changed_on_all_nodes_while_they_run() {
    var levels = "/elsa/api/log-levels";
    var change = new JsonObject().put("logger", "Elsa.Workflows.Runtime").put("level", "Debug");
    var changed = cluster.api(0).http().post(levels, change).orThrow().json();
    assertThat(Api.objects(changed.getJsonArray("items")))
        .hasSize(2)
        .allSatisfy(node ->
            assertThat(Api.objects(node.getJsonArray("levels")))
                .anyMatch(level ->
                    level.getString("logger").equals("skein.execution")
                        && level.getString("level").equals("debug")
                        && level.getString("configured").equals("inherited")));

    var id = cluster.api(0).start("approve");
    cluster.api(1).resume(id);

    assertThat(
            Eventually.isTrue(
                SOON,
                () ->
                    cluster.logged("Resume for workflow instance ").stream().anyMatch(id::equals)))
        .isTrue();
    var back =
        cluster.api(1).http().post(levels, change.copy().put("level", "default")).orThrow().json();
    assertThat(back.encode()).doesNotContain("skein.execution");
    var wrong = cluster.api(0).http().post(levels, change.copy().put("level", "loud"));
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.code()).isEqualTo("INVALID_REQUEST");
  }

  @Test
  void what_happens_is_counted_once_in_the_cluster() {
    double started = sum("skein_workflows_started_total");
    double completed = sum("skein_workflows_finished_total{status=\"Completed\"}");
    double fired = sum("skein_timers_fired_total");
    double resumed = sum("skein_resumes_total");

    for (int i = 0; i < STARTS; i++) {
      cluster.api(i).start("nap");
    }

    assertThat(
            Eventually.isTrue(
                SOON,
                () ->
                    sum("skein_workflows_finished_total{status=\"Completed\"}")
                        >= completed + STARTS))
        .isTrue();
    assertThat(sum("skein_workflows_started_total")).isEqualTo(started + STARTS);
    assertThat(sum("skein_workflows_finished_total{status=\"Completed\"}"))
        .isEqualTo(completed + STARTS);
    assertThat(sum("skein_resumes_total")).isEqualTo(resumed + STARTS);
    assertThat(sum("skein_timers_fired_total")).isGreaterThanOrEqualTo(fired + STARTS);
    assertThat(sum("skein_commit_batch_size_sum")).isPositive();
    assertThat(sum("skein_http_requests_total{status=\"201\"}")).isPositive();
    assertThat(sum("skein_commands_waiting")).isZero();
  }

  @Test
  void times_are_those_of_what_was_done() {
    double seconds = sum("skein_workflow_duration_seconds_sum");
    double ended = sum("skein_workflow_duration_seconds_count");
    double held = sum("skein_lock_hold_seconds_count");
    double statements = sum("skein_database_statement_seconds_count");
    double waited = sum("skein_database_statement_seconds_sum");

    for (int i = 0; i < STARTS; i++) {
      cluster.api(i).start("nap");
    }

    assertThat(
            Eventually.isTrue(
                SOON, () -> sum("skein_workflow_duration_seconds_count") >= ended + STARTS))
        .isTrue();
    double each =
        (sum("skein_workflow_duration_seconds_sum") - seconds)
            / (sum("skein_workflow_duration_seconds_count") - ended);
    assertThat(each).isBetween(1.0, (double) SOON.toSeconds());
    assertThat(sum("skein_lock_hold_seconds_count")).isGreaterThan(held);
    assertThat(sum("skein_database_statement_seconds_count")).isGreaterThan(statements);
    assertThat(sum("skein_database_statement_seconds_sum")).isGreaterThan(waited);
    assertThat(sum("skein_database_pool_connections"))
        .isBetween(2.0, sum("skein_database_pool_connections_max"));
  }

  @Test
  void timers_that_no_node_could_fire_in_time_are_misfires() throws InterruptedException {
    double misfired = sum("skein_timers_misfired_total");
    cluster.api(0).start("nap");

    cluster.nodes().forEach(ServerProcess::freeze);
    Thread.sleep(STANDSTILL);
    cluster.nodes().forEach(ServerProcess::thaw);

    assertThat(Eventually.isTrue(SOON, () -> sum("skein_timers_misfired_total") > misfired))
        .isTrue();
    assertThat(Eventually.isTrue(SOON, () -> sum("skein_scheduler_leader") == 1)).isTrue();
  }

  @Test
  void the_heartbeat_of_the_scheduler_ages_while_the_database_is_silent(TestPostgres postgres) {
    postgres.freeze();
    try {
      assertThat(Eventually.isTrue(SOON, () -> heartbeatsAreOlderThan(STANDSTILL))).isTrue();
    } finally {
      postgres.thaw();
    }
    assertThat(
            Eventually.isTrue(
                SOON, () -> sum("skein_scheduler_heartbeat_age_seconds") < HEARTBEATS.toSeconds()))
        .isTrue();
    assertThat(Eventually.isTrue(SOON, () -> sum("skein_scheduler_leader") == 1)).isTrue();
  }

  private boolean heartbeatsAreOlderThan(Duration age) {
    return cluster.nodes().stream()
        .allMatch(node -> value(node, "skein_scheduler_heartbeat_age_seconds") > age.toSeconds());
  }

  @Test
  void waits_for_locks_of_the_database_and_deadlocks_are_told_by_each_node() throws Exception {
    cluster.sql().rows("create table knots (id int primary key) ");
    cluster.sql().rows("insert into knots values (1), (2)");
    double before = value(cluster.node(0), "skein_database_deadlocks_total");
    try (var one = cluster.sql().transaction();
        var two = cluster.sql().transaction()) {
      one.execute("update knots set id = id where id = 1");
      two.execute("update knots set id = id where id = 2");
      var blocked = one.begin("update knots set id = id where id = 2");
      for (var node : cluster.nodes()) {
        assertThat(Eventually.isTrue(SOON, () -> value(node, "skein_database_lock_waits") > 0))
            .as(node.name())
            .isTrue();
      }
      assertThat(Eventually.isTrue(SOON, () -> sum("skein_database_lock_wait_seconds") > 0))
          .isTrue();

      var knot = two.begin("update knots set id = id where id = 1");

      assertThat(Future.join(blocked, knot).otherwiseEmpty().await(60, TimeUnit.SECONDS)).isNull();
      assertThat(blocked.failed() || knot.failed()).isTrue();
    }
    for (var node : cluster.nodes()) {
      assertThat(
              Eventually.isTrue(SOON, () -> value(node, "skein_database_deadlocks_total") > before))
          .as(node.name())
          .isTrue();
    }
  }

  @Test
  void skein_scan_lists_what_is_open_and_says_so_with_its_exit_code() throws Exception {
    var id = cluster.api(0).start("approve");
    assertThat(cluster.sql().number("select count(*) from bookmarks where id like $1", id + "%"))
        .isOne();
    cluster.sql().rows("delete from bookmarks where workflow_instance_id = $1 returning id", id);

    try (var scan = Skein.start("scan", "--url", cluster.node(1).http().base().toString())) {
      assertThat(scan.awaitEnd()).isEqualTo(1);
      assertThat(scan.output())
          .anyMatch(line -> line.contains("instance-without-work " + id))
          .anyMatch(line -> line.contains("1 open"));
    }
    assertThat(Eventually.isTrue(SOON, () -> sum("skein_invariant_violations") == 1)).isTrue();

    cluster.api(0).http().post("/elsa/api/workflow-instances/" + id + "/cancel").orThrow();
    try (var scan = Skein.start("scan", "--url", cluster.node(0).http().base().toString())) {
      assertThat(scan.awaitEnd()).isZero();
      assertThat(scan.output()).anyMatch(line -> line.contains("0 open"));
    }
    assertThat(ended(id)).isTrue();
  }

  private boolean ended(String id) {
    var list = cluster.api(1).http().get("/elsa/api/invariants?state=ended&take=1000").orThrow();
    return Api.objects(list.json().getJsonArray("items")).stream()
        .map(item -> item.getString("subjectId"))
        .anyMatch(id::equals);
  }

  @Test
  void one_node_scans_and_another_one_when_it_is_gone() {
    assertThat(Eventually.isTrue(SOON, () -> sum("skein_scanner_active") == 1)).isTrue();
    var scanning =
        cluster.nodes().stream()
            .filter(node -> Objects.equals(scrape(node).get("skein_scanner_active"), 1.0))
            .findFirst()
            .orElseThrow();

    scanning.kill();

    assertThat(
            Eventually.isTrue(
                SOON,
                () -> {
                  JsonObject scan = scan();
                  return !scan.getString("node").equals(scanning.name())
                      && !scan.getBoolean("pending");
                }))
        .isTrue();
    assertThat(Eventually.isTrue(SOON, () -> sum("skein_scanner_active") == 1)).isTrue();
    assertThat(Eventually.isTrue(SOON, () -> sum("skein_scanner_passes_total") > 0)).isTrue();
    cluster.startAll();
  }

  private JsonObject scan() {
    var alive = cluster.nodes().stream().filter(ServerProcess::isAlive).findFirst().orElseThrow();
    return alive.http().get("/elsa/api/invariants").orThrow().json().getJsonObject("scan");
  }
}
