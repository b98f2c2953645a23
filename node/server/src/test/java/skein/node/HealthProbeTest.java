package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import skein.node.dev.Ports;

class HealthProbeTest {
  private static int exitCodeWhenAnswered(int status) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/health/ready",
        exchange -> {
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
    try {
      return HealthProbe.run(String.valueOf(server.getAddress().getPort()));
    } finally {
      server.stop(0);
    }
  }

  @Test
  void it_succeeds_when_the_node_is_ready_and_else_fails() throws IOException {
    assertThat(exitCodeWhenAnswered(200)).isZero();
    assertThat(exitCodeWhenAnswered(503)).isOne();
    assertThat(HealthProbe.run(String.valueOf(Ports.free(1).getFirst()))).isOne();
  }

  @Test
  void it_says_how_it_is_used_when_there_is_no_port() {
    assertThat(HealthProbe.run()).isEqualTo(2);
    assertThat(HealthProbe.run("http://localhost:8080")).isEqualTo(2);
    assertThat(HealthProbe.run("99999")).isEqualTo(2);
  }

  @Test
  void a_node_that_says_nothing_is_not_ready() throws IOException {
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(HealthProbe.run(String.valueOf(silent.getLocalPort()))).isOne();
    }
  }
}
