package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.storage.Migrations;

@ExtendWith(TestClusters.class)
@Tag("long")
class StartTogetherIT {
  private static final int NODES = 5;

  @Test
  void nodes_that_start_at_once_share_an_empty_database(TestPostgres postgres) {
    try (var cluster = TestClusters.another(postgres, "together", NODES, Map.of())) {
      long since = System.nanoTime();
      cluster.startAll();
      double seconds = Measured.seconds(since);

      assertThat(cluster.logged("schema.migrated"))
          .as("migrations, each made once")
          .hasSize(Migrations.NEWEST);
      assertThat(cluster.sql().number("select count(*) from leases")).isEqualTo(1);
      cluster.api(4).publish(Workflows.lines("hello", "Hello"));
      var ids = Together.call(50, 10, number -> cluster.api(number).start("hello"));
      assertThat(Outcome.of(cluster.sql(), ids)).hasSize(50);
      Measured.say(
          "start together", "%d nodes on an empty database ready after %.1f s", NODES, seconds);
      assertStopTogether(cluster);
    }
  }

  /** No node is left to hand over to, and there is nothing to be done. */
  private static void assertStopTogether(TestCluster cluster) {
    long since = System.nanoTime();
    cluster.nodes().forEach(ServerProcess::terminate);
    for (var node : cluster.nodes()) {
      assertThat(node.awaitExit(ServerProcess.START_MAX)).as("exit code").isZero();
    }
    assertThat(cluster.logged("node.halted")).isEmpty();
    assertThat(cluster.logged("leader.resigned")).hasSize(NODES);
    Measured.say("stop together", "%d nodes in %.1f s", NODES, Measured.seconds(since));
  }

  @Test
  void a_node_refuses_a_schema_that_is_newer_than_itself(TestPostgres postgres) {
    try (var cluster = TestClusters.another(postgres, "newer", 1, Map.of())) {
      cluster.startAll();
      var node = cluster.node(0);
      node.kill();
      cluster.sql().rows("insert into schema_version (version) values (999)");

      node.start();
      int code = node.awaitExit(ServerProcess.START_MAX);

      assertThat(code).isEqualTo(1);
      assertThat(node.output())
          .anyMatch(line -> line.contains("The schema has version 999, this node knows"));
      assertThat(node.output().stream().filter(line -> line.contains("node.started"))).hasSize(1);
    }
  }
}
