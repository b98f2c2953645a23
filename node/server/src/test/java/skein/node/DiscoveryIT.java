package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes that are told of a database, and of no other node. */
@ExtendWith(TestClusters.class)
@Tag("long")
class DiscoveryIT {
  private static final Duration TOGETHER_MAX = Duration.ofSeconds(20);
  private static final Map<String, String> ALONE =
      Map.of("cluster.members", "", "cluster.merge-first-delay", "600s");

  @Test
  void nodes_that_start_at_once_with_the_guides_variables_are_one_cluster(TestPostgres postgres) {
    try (var cluster = TestClusters.another(postgres, "discovered", 3, ALONE)) {
      cluster.nodes().forEach(node -> node.environment("ELSA__RUNTIME__TYPE", "Distributed"));
      for (var round : List.of("on an empty database", "beside leases of the dead", "once more")) {
        cluster.startAll();

        for (var node : cluster.nodes()) {
          assertThat(members(node)).as(node.name() + " " + round).isEqualTo(3);
        }
        cluster.killAll();
      }

      var secret = cluster.sql().rows("select secret from cluster_secrets").getFirst().getString(0);
      assertThat(secret).matches("[0-9a-f]{64}");
      assertThat(cluster.nodes())
          .allSatisfy(node -> assertThat(node.output()).noneMatch(line -> line.contains(secret)));
      assertThat(cluster.logged("cluster.merged")).isEmpty();
    }
  }

  @Test
  void a_node_that_comes_later_is_found_and_one_that_stops_takes_its_address_away(
      TestPostgres postgres) {
    try (var cluster = TestClusters.another(postgres, "later", 2, discovering())) {
      var first = cluster.node(0);
      var second = cluster.node(1);
      first.start();
      first.awaitReady();
      second.start();
      second.awaitReady();
      assertThat(members(first)).isEqualTo(2);

      first.terminate();
      assertThat(first.awaitExit(ServerProcess.START_MAX)).isZero();

      var left = cluster.sql().rows("select address from cluster_members");
      assertThat(left).hasSize(1);
      assertThat(left.getFirst().getString(0)).endsWith(":" + cluster.memberPorts().get(1));
      first.start();
      first.awaitReady();
      assertThat(members(second)).isEqualTo(2);
    }
  }

  @Test
  void nodes_of_two_databases_never_are_one_cluster(TestPostgres postgres) {
    var other = Map.of("database.schema", "elsewhere_2");
    try (var cluster =
        TestClusters.another(postgres, "elsewhere", 2, discovering(), List.of(Map.of(), other))) {
      cluster.sql().rows("drop schema if exists elsewhere_2 cascade");
      cluster.startAll();

      for (var node : cluster.nodes()) {
        assertThat(members(node)).as(node.name()).isEqualTo(1);
      }
    }
  }

  /** A node that was dead while the others became a cluster joins them in the end. */
  @Test
  void two_halves_find_each_other_in_the_database(TestPostgres postgres) {
    var merging =
        Map.of(
            "cluster.members", "",
            "cluster.discovery", "database",
            "cluster.discovery-lease", "1h", // nothing is renewed while its row is hidden
            "cluster.merge-first-delay", "1s",
            "cluster.merge-next-delay", "1s");
    try (var cluster = TestClusters.another(postgres, "halves", 2, merging)) {
      var first = cluster.node(0);
      var second = cluster.node(1);
      first.start();
      first.awaitReady();
      cluster.sql().rows("alter table cluster_members rename to hidden");
      cluster.sql().rows("create table cluster_members (like hidden including all)");
      second.start();
      second.awaitReady();
      assertThat(members(second)).as("members, of whom nothing is known").isEqualTo(1);

      cluster.sql().rows("insert into cluster_members select * from hidden");

      assertThat(Eventually.get(TOGETHER_MAX, () -> members(second), found -> found == 2))
          .isEqualTo(2);
    }
  }

  private static Map<String, String> discovering() {
    return Map.of("cluster.members", "", "cluster.discovery", "database");
  }

  private static long members(ServerProcess node) {
    return node.http().get("/").json().getLong("members");
  }
}
