package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.node.dev.Ports;

/** A database that answers queries and commits nothing, since its synchronous standby is away. */
@Tag("long")
class StuckCommitsIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Map<String, String> SETTINGS =
      Map.of("node.stuck-max", "1s", "upgrades.look-interval", "500ms");

  @TempDir Path folder;

  @Test
  void its_node_is_unready_until_changes_are_committed_again() {
    try (var postgres = new TestPostgres(folder.resolve("database"));
        var cluster = new TestCluster(postgres, folder, "stuck_commits", Ports.free(1), SETTINGS)) {
      cluster.startAll();
      var node = cluster.node(0).http();
      assertThat(node.get("/health/ready").status()).isEqualTo(200);

      standbys(cluster, "alter system set synchronous_standby_names = 'away'");
      assertThat(becomes(node, 503)).isTrue();
      assertThat(down(node)).containsExactly("commits");
      assertThat(node.get("/health/live").status()).isEqualTo(200);

      standbys(cluster, "alter system reset synchronous_standby_names");
      assertThat(becomes(node, 200)).isTrue();
    }
  }

  private static void standbys(TestCluster cluster, String change) {
    cluster.sql().rows(change);
    cluster.sql().rows("select pg_reload_conf()");
  }

  private static boolean becomes(Http node, int status) {
    return Eventually.isTrue(SOON, () -> node.get("/health/ready").status() == status);
  }

  private static List<String> down(Http node) {
    return new JsonObject(node.get("/health/ready").body())
        .getJsonArray("checks").stream()
            .map(JsonObject.class::cast)
            .filter(check -> check.getString("status").equals("DOWN"))
            .map(check -> check.getString("name"))
            .toList();
  }
}
