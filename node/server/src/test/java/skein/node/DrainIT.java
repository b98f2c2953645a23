package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes that are taken out of work and back, through the API of any node and the command. */
@ExtendWith(TestClusters.class)
@Tag("long")
class DrainIT {
  private static final Duration MAX = Duration.ofSeconds(30);
  private static final int INSTANCES = 60;
  private static final int CALLERS = 12;

  @Test
  void nobody_kills_a_node_of_a_cluster_that_is_not_for_trying(TestCluster cluster) {
    var refused = tell(cluster, 0, "n2", "kill");

    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.json().getString("detail")).contains("console.tour");
    assertThat(cluster.node(1).isAlive()).isTrue();
  }

  @Test
  void a_paused_node_owns_nothing_answers_all_the_same_and_comes_back(TestCluster cluster) {
    cluster.api(0).publish(Workflows.approval("paused"));

    var paused = tell(cluster, 0, "n2", "pause").orThrow().json();

    assertThat(paused.getString("phase")).isEqualTo("PAUSED");
    assertThat(paused.getInteger("partitions")).isZero();
    assertThat(paused.getJsonObject("load").getLong("heapMaxBytes")).isPositive();
    assertThat(paused.getJsonArray("shards")).isEmpty();
    var ready = cluster.node(1).http().get("/health/ready");
    assertThat(ready.status()).isEqualTo(503);
    assertThat(ready.json().getString("phase")).isEqualTo("PAUSED");
    assertThat(node(cluster, 2, "n2").getBoolean("ready")).isFalse();
    var ids = Together.call(INSTANCES, 8, _ -> cluster.api(1).start("paused"));
    assertThat(Together.call(INSTANCES, 8, i -> cluster.api(1).resume(ids.get(i))))
        .allMatch(answer -> answer.status() == 200);
    assertThat(node(cluster, 0, "n2").getInteger("partitions")).isZero();

    var resumed = tell(cluster, 2, "n2", "resume").orThrow().json();

    assertThat(resumed.getString("phase")).isEqualTo("READY");
    assertThat(cluster.node(1).isReady()).isTrue();
    assertThat(Eventually.isTrue(MAX, () -> node(cluster, 0, "n2").getInteger("partitions") > 50))
        .as("owns its part again")
        .isTrue();
  }

  @Test
  void a_drained_node_has_nothing_and_may_come_back_or_stop(TestCluster cluster) {
    assertThat(tell(cluster, 1, "self", "drain").status()).isEqualTo(202);
    assertThat(Eventually.isTrue(MAX, () -> phase(cluster, 0, "n2").equals("DRAINED"))).isTrue();
    assertThat(node(cluster, 0, "n2").getInteger("partitions")).isZero();
    tell(cluster, 1, "self", "resume").orThrow();
    assertThat(phase(cluster, 0, "n2")).isEqualTo("READY");

    var stop = new JsonObject().put("exit", true);
    cluster.node(0).http().post("/elsa/api/cluster/nodes/n2/drain", stop).orThrow();

    assertThat(cluster.node(1).awaitExit(MAX)).isZero();
    assertThat(Eventually.isTrue(MAX, () -> names(cluster, 0).equals(List.of("n1", "n3"))))
        .as("the others have seen that it left")
        .isTrue();
    cluster.startAll();
  }

  @Test
  void the_last_node_that_executes_stays(TestCluster cluster) {
    tell(cluster, 0, "n2", "pause").orThrow();
    tell(cluster, 0, "n3", "pause").orThrow();
    try {
      assertThat(tell(cluster, 1, "n1", "pause").code()).isEqualTo("LAST_NODE");
      assertThat(tell(cluster, 1, "n1", "drain").code()).isEqualTo("LAST_NODE");
      assertThat(tell(cluster, 0, "nobody", "pause").code()).isEqualTo("NODE_NOT_FOUND");
      assertThat(cluster.node(0).isReady()).isTrue();
    } finally {
      tell(cluster, 0, "n2", "resume").orThrow();
      tell(cluster, 0, "n3", "resume").orThrow();
    }
  }

  @Test
  void the_command_shows_pauses_and_resumes_nodes(TestCluster cluster) throws Exception {
    var url = cluster.node(0).http().base().toString();

    run(0, "cluster", "pause", "n3", "--url", url);
    var list = run(0, "cluster", "list", "--url", url);
    run(0, "cluster", "resume", "n3", "--url", url);
    var refused = run(1, "cluster", "pause", "n9", "--url", url);

    assertThat(list)
        .anyMatch(line -> line.startsWith("n3") && line.contains("PAUSED"))
        .anyMatch(line -> line.startsWith("n1") && line.contains("READY"));
    assertThat(refused).anyMatch(line -> line.contains("NODE_NOT_FOUND: No node n9"));
    assertThat(phase(cluster, 0, "n3")).isEqualTo("READY");
  }

  @Test
  void who_asks_twice_is_in_a_hurry(TestPostgres postgres) {
    var settings = Map.of("node.drain-delay", "20s", "node.drain-timeout", "60s");
    try (var cluster = TestClusters.another(postgres, "hurry", 2, settings)) {
      cluster.startAll();
      var node = cluster.node(1);
      long since = System.nanoTime();
      node.terminate();
      assertThat(Eventually.isTrue(MAX, () -> isUnready(node))).isTrue();

      node.terminate();

      assertThat(node.awaitExit(MAX)).isZero();
      assertThat(Measured.seconds(since)).isLessThan(15);
      assertThat(cluster.logged("node.hurried")).isNotEmpty();
    }
  }

  @Test
  void who_waits_for_work_of_a_node_that_stops_gets_the_whole_answer(TestCluster cluster) {
    try (var service = new SlowService(Duration.ofSeconds(4))) {
      cluster.api(0).publish(Workflows.request("asks", service.url()));
      var stopping = cluster.node(1);
      var stop =
          Thread.ofVirtual()
              .start(() -> {
                Eventually.isTrue(MAX, () -> service.keys.size() == CALLERS);
                stopping.terminate();
              });

      var answers =
          Together.call(
              CALLERS,
              number -> cluster.api(number).start(new JsonObject().put("definitionId", "asks")));

      assertThat(Eventually.isTrue(MAX, () -> !stop.isAlive())).isTrue();
      assertThat(stopping.awaitExit(MAX)).isZero();
      assertThat(answers)
          .allMatch(answer -> answer.status() == 201)
          .allMatch(answer -> answer.json().getString("status").equals("Finished"));
      assertThat(service.keys).hasSize(CALLERS);
    }
    cluster.startAll();
  }

  @Test
  void work_that_takes_too_long_is_handed_over(TestPostgres postgres) {
    var settings = Map.of("node.drain-delay", "500ms", "node.drain-timeout", "5s");
    try (var cluster = TestClusters.another(postgres, "handover", 2, settings);
        var service = new SlowService(Duration.ofMinutes(2))) {
      cluster.startAll();
      cluster.api(0).publish(Workflows.request("stalls", service.url()));
      var ids = Together.call(CALLERS, number -> "stalls-" + number);
      ids.forEach(id -> cluster.api(0).dispatch("stalls", id).orThrow());
      assertThat(Eventually.isTrue(MAX, () -> service.keys.size() == CALLERS)).isTrue();
      int own = node(cluster, 0, "n2").getJsonObject("inFlight").getInteger("work");

      cluster.node(1).terminate();

      assertThat(cluster.node(1).awaitExit(MAX)).isZero();
      assertThat(own).isPositive();
      assertThat(
              Eventually.isTrue(
                  MAX,
                  () ->
                      Outcome.of(cluster.sql(), ids).values().stream()
                              .filter(Outcome::isCompleted)
                              .count()
                          == own))
          .as("%d were repeated elsewhere: %s", own, Outcome.of(cluster.sql(), ids))
          .isTrue();
      assertThat(service.keys).hasSize(CALLERS);
    }
  }

  private static List<String> run(int code, String... arguments) throws Exception {
    try (var skein = Skein.start(arguments)) {
      assertThat(skein.awaitEnd()).isEqualTo(code);
      return skein.output();
    }
  }

  private static boolean isUnready(ServerProcess node) {
    try {
      return node.http().get("/health/ready").status() == 503;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private static Http.Answer tell(TestCluster cluster, int asked, String node, String action) {
    return cluster.node(asked).http().post("/elsa/api/cluster/nodes/" + node + "/" + action);
  }

  private static List<JsonObject> nodes(TestCluster cluster, int asked) {
    return Api.objects(
        cluster.node(asked).http().get("/elsa/api/cluster").orThrow().json().getJsonArray("nodes"));
  }

  private static List<String> names(TestCluster cluster, int asked) {
    return nodes(cluster, asked).stream().map(node -> node.getString("name")).toList();
  }

  private static JsonObject node(TestCluster cluster, int asked, String name) {
    return nodes(cluster, asked).stream()
        .filter(node -> node.getString("name").equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String phase(TestCluster cluster, int asked, String name) {
    return node(cluster, asked, name).getString("phase");
  }
}
