package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.node.config.ClusterConfig;
import skein.node.config.HostPort;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;
import skein.peers.ClusterSecret;
import skein.peers.TestCertificates;

/** Who may open the ports between nodes, and where. */
class PeersTest {
  private static final List<String> LOOPBACK = List.of("127.0.0.1", "127.3.2.1", "::1");
  private static final List<String> OTHERS =
      List.of("192.0.2.1", "10.0.0.7", "0.0.0.0", "2001:db8::1");

  @TempDir private Path folder;

  private static ClusterConfig cluster(Map<String, String> settings) {
    return NodeConfig.from(new Settings(null, Map.of(), new HashMap<>(settings))).cluster();
  }

  private static void assertOpensEverywhere(Map<String, String> settings) {
    for (var address : OTHERS) {
      assertThat(Peers.guard(cluster(settings), address, null)).isNotNull();
    }
  }

  @Test
  void without_a_secret_and_tls_only_loopback_is_opened() {
    for (var address : LOOPBACK) {
      assertThat(Peers.guard(cluster(Map.of()), address, null)).isNotNull();
    }
    for (var address : OTHERS) {
      assertThatThrownBy(() -> Peers.guard(cluster(Map.of()), address, null))
          .isInstanceOf(Peers.UnprotectedException.class)
          .hasMessageContainingAll(address, "cluster.secret-file", "cluster.tls", "cluster.open");
    }
  }

  @Test
  void what_is_found_in_a_book_is_protected_by_its_secret() {
    var addresses = new Book();
    for (var address : OTHERS) {
      assertThat(Peers.guard(cluster(Map.of()), address, addresses)).isNotNull();
    }
    assertThat(addresses.asked).isEqualTo(OTHERS.size());
    assertThat(Peers.guard(cluster(Map.of("cluster.open", "true")), "10.0.0.7", addresses))
        .isNotNull();
    assertThat(addresses.asked)
        .as("asked for a secret that was not wanted")
        .isEqualTo(OTHERS.size());
  }

  private static final class Book implements NodeAddresses {
    private int asked;

    @Override
    public List<String> hosts() {
      return List.of();
    }

    @Override
    public ClusterSecret secret() {
      asked++;
      return ClusterSecret.of("0123456789abcdef".repeat(4));
    }

    @Override
    public void enter(String cluster, HostPort address, String nodeId) {}

    @Override
    public List<HostPort> others() {
      return List.of();
    }

    @Override
    public void close() {}
  }

  @Test
  void whoever_says_that_nobody_but_nodes_reaches_them_opens_them_everywhere() {
    assertOpensEverywhere(Map.of("cluster.open", "true"));
  }

  @Test
  void a_secret_or_tls_opens_them_everywhere() throws IOException {
    var secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef".repeat(4));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    assertOpensEverywhere(Map.of("cluster.secret-file", secret.toString()));
    var files = new TestCertificates(folder, "ca").of("node");
    assertOpensEverywhere(
        Map.of(
            "cluster.tls", "true",
            "cluster.tls-certificate-file", files.certificate().toString(),
            "cluster.tls-key-file", files.key().toString(),
            "cluster.tls-ca-file", files.authorities().toString()));
  }
}
