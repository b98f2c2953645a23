package skein.node.dev;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import skein.node.dev.DevCluster.FirstPorts;

class FirstPortsTest {
  @Test
  void no_two_nodes_have_the_same() {
    int first = Ports.free(1).getFirst();

    assertThat(new FirstPorts(first, first + 1, 0).refusal(3))
        .isEqualTo(
            "Port "
                + (first + 1)
                + " would be of two nodes: let http.port, http.api-port and management.port"
                + " be 3 or more apart");
    assertThat(new FirstPorts(0, first + 2, first).refusal(3))
        .startsWith("Port " + (first + 2) + " would be of two");
  }

  @Test
  void one_port_may_serve_all_of_a_node() {
    int first = Ports.free(1).getFirst();

    assertThat(new FirstPorts(first, first, 0).refusal(1)).isEmpty();
    assertThat(new FirstPorts(0, 0, 0).refusal(16)).isEmpty();
  }

  @Test
  void each_exists_and_is_free() throws IOException {
    assertThat(new FirstPorts(65_535, 0, 0).refusal(2)).contains("65536 does not exist");
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThat(new FirstPorts(0, 0, port).refusal(1))
          .isEqualTo("Port " + port + " is in use: choose another with --port");
    }
  }
}
