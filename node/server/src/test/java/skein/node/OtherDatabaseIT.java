package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes of one {@code cluster.name} that use different databases never work together. */
@ExtendWith(TestClusters.class)
@Tag("long")
class OtherDatabaseIT {
  private static final Duration REFUSED_MAX = Duration.ofSeconds(60);
  private static final Duration FORGOTTEN_MAX = Duration.ofSeconds(5);
  private static final Duration MERGED_MAX = Duration.ofSeconds(90);
  private static final Map<String, String> SETTINGS =
      Map.of("cluster.merge-first-delay", "1s", "cluster.merge-next-delay", "1s");

  @Test
  void a_node_with_another_database_is_refused_and_says_why(TestPostgres postgres) {
    try (var cluster = cluster(postgres, "other_database", Map.of())) {
      cluster.node(0).start();
      cluster.node(0).awaitReady();

      cluster.node(1).start();

      assertThat(cluster.node(1).awaitExit(REFUSED_MAX)).isEqualTo(1);
      assertThat(cluster.node(1).output())
          .anySatisfy(line ->
              assertThat(line)
                  .contains("n1", "cluster other_database", "another database", "cluster.name"));
      var stays = cluster.node(0);
      assertThat(stays.isReady()).isTrue();
      assertThat(Eventually.get(FORGOTTEN_MAX, () -> members(stays), found -> found == 1))
          .as("members, once the connections of the refused node have ended")
          .isEqualTo(1);
    }
  }

  @Test
  void of_two_clusters_with_two_databases_that_meet_one_leaves(TestPostgres postgres) {
    var knowsNobody = Map.of("cluster.members", "127.0.0.1:9");
    try (var cluster = cluster(postgres, "two_databases", knowsNobody)) {
      var first = cluster.node(0);
      var second = cluster.node(1);
      second.start();
      second.awaitReady();
      first.start();
      first.awaitReady(); // Alone, until the other one looks for it.

      assertThat(Eventually.isTrue(MERGED_MAX, () -> !first.isAlive() || !second.isAlive()))
          .as("one has left")
          .isTrue();
      var left = first.isAlive() ? second : first;
      var stays = first.isAlive() ? first : second;
      assertThat(left.awaitExit(Duration.ofSeconds(1))).isEqualTo(1);
      assertThat(left.output()).anyMatch(line -> line.contains("cluster.otherDatabase"));
      assertThat(Eventually.isTrue(MERGED_MAX, stays::isReady)).isTrue();
      assertThat(stays.output()).noneMatch(line -> line.contains("cluster.otherDatabase"));
    }
  }

  private static long members(ServerProcess node) {
    return node.http().get("/").json().getLong("members");
  }

  private static TestCluster cluster(
      TestPostgres postgres, String name, Map<String, String> first) {
    var other = Map.of("database.schema", name + "_2");
    return TestClusters.another(postgres, name, 2, SETTINGS, List.of(first, other));
  }
}
