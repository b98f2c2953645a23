package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import skein.node.dev.Ports;

/** What who runs nodes sets for his safety, and what they tell him. */
@ExtendWith(TestClusters.class)
@Tag("long")
class OperatorIT {
  private static final Duration TELL_MAX = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void nodes_read_the_password_write_the_log_and_miss_members_as_they_are_told(
      TestPostgres postgres) throws Exception {
    var password = Files.writeString(folder.resolve("password"), postgres.password() + "\n");
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("r--------"));
    var all = Map.of("database.password-file", password.toString(), "cluster.size-grace", "1s");
    var each =
        List.of(
            Map.of(
                "cluster.size-min", "2",
                "logging.file", folder.resolve("n1.log").toString(),
                "http.host", "127.0.0.1"),
            Map.<String, String>of());
    try (var cluster = TestClusters.another(postgres, "operator", 2, all, each)) {
      for (var node : cluster.nodes()) {
        node.environment("SKEIN_DATABASE_PASSWORD", "");
      }
      cluster.startAll();

      assertMissed(cluster);
      assertWarnings(cluster);
      assertLogFile();
    }
  }

  @Test
  void what_was_changed_behind_the_nodes_is_used_by_all_after_a_refresh(TestCluster cluster) {
    cluster.api(0).publish(Workflows.event("edited", "Approve"));
    for (int node = 0; node < 3; node++) {
      assertThat(awaitedEvent(cluster, node)).isEqualTo("Approve");
    }
    cluster
        .sql()
        .rows(
            "update workflow_definitions set content = replace(content, 'Approve', 'Agree')"
                + " where definition_id = 'edited'");

    cluster
        .node(1)
        .http()
        .post("/elsa/api/actions/workflow-definitions/refresh", new JsonObject())
        .orThrow();

    for (int node = 0; node < 3; node++) {
      assertThat(awaitedEvent(cluster, node)).as("node %d", node).isEqualTo("Agree");
    }
  }

  /** What a new instance waits for that is started on this node. */
  private static String awaitedEvent(TestCluster cluster, int node) {
    var api = cluster.api(node);
    return api.instance(api.start("edited"))
        .getJsonObject("workflowState")
        .getJsonArray("bookmarks")
        .getJsonObject(0)
        .getJsonObject("payload")
        .getString("eventName");
  }

  private static void assertSoon(BooleanSupplier condition) {
    assertThat(Eventually.isTrue(TELL_MAX, condition)).isTrue();
  }

  private static JsonObject size(ServerProcess node) {
    return node.http().get("/health/ready").json().getJsonArray("checks").stream()
        .map(JsonObject.class::cast)
        .filter(check -> check.getString("name").equals("clusterSize"))
        .findFirst()
        .orElseThrow();
  }

  /** The first demands two members; the second is killed, comes back, and is left alone. */
  private static void assertMissed(TestCluster cluster) {
    var first = cluster.node(0);
    var second = cluster.node(1);
    assertSoon(() -> first.http().get("/health/ready").status() == 200);

    second.kill();
    assertSoon(() -> "DOWN".equals(size(first).getString("status")));
    assertThat(first.http().get("/health/ready").status()).isEqualTo(503);
    assertThat(size(first).getString("detail"))
        .contains("1 member ", "it has seen 2", "cluster.size-min is 2");
    assertThat(first.http().get("/health/live").status()).isEqualTo(200);

    second.start();
    second.awaitReady();
    assertSoon(() -> first.http().get("/health/ready").status() == 200);

    first.terminate();
    first.awaitExit(Duration.ofSeconds(60));
    assertSoon(() -> size(second).containsKey("detail"));
    assertThat(size(second).getString("status")).isEqualTo("UP");
    assertThat(second.http().get("/health/ready").status()).isEqualTo(200);
  }

  private static void assertWarnings(TestCluster cluster) {
    var open = "http.open address=0.0.0.0:";
    assertThat(cluster.node(0).output()).noneMatch(line -> line.contains(open));
    assertThat(cluster.node(1).output()).anyMatch(line -> line.contains(open));
    for (var node : cluster.nodes()) {
      assertThat(node.output())
          .noneMatch(line -> line.contains("jvm.staysWithoutMemory"))
          .noneMatch(line -> line.contains("database.unencrypted"));
    }
  }

  private void assertLogFile() throws IOException {
    assertThat(Files.readAllLines(folder.resolve("n1.log")))
        .anyMatch(line -> line.contains("node.started"))
        .anyMatch(line -> line.contains("node.stopped"));
  }

  @Test
  void a_node_that_is_not_to_end_without_memory_says_which_flag_would_end_it(
      TestPostgres postgres) {
    var off = List.of(List.of("-XX:-ExitOnOutOfMemoryError"));
    var ports = Ports.free(1);
    var name = "operator_memory";
    try (var cluster =
        new TestCluster(postgres, TestClusters.folder(), name, ports, Map.of(), List.of(), off)) {
      cluster.startAll();
      assertThat(cluster.node(0).output())
          .anyMatch(line ->
              line.contains("jvm.staysWithoutMemory")
                  && line.contains("-XX:+ExitOnOutOfMemoryError"));

      cluster.node(0).kill();
      cluster.node(0).environment("JAVA_TOOL_OPTIONS", "-XX:+CrashOnOutOfMemoryError");
      long before = warnings(cluster.node(0));
      cluster.node(0).start();
      cluster.node(0).awaitReady();
      assertThat(warnings(cluster.node(0))).isEqualTo(before);
    }
  }

  private static long warnings(ServerProcess node) {
    return node.output().stream().filter(line -> line.contains("jvm.staysWithoutMemory")).count();
  }
}
