package skein.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Asks the node on this machine whether it is ready, for containers whose health is checked by a
 * command: they have no shell and no curl. It is not a command of {@link Main}, so that it needs
 * few classes each time. Its caller limits its time.
 */
public final class HealthProbe {
  private static final String REQUEST =
      "GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

  private static final int CONNECT_MAX_MS = 2_000;
  private static final int ANSWER_MAX_MS = 4_000;
  private static final int PORT_MAX = 65_535;

  private HealthProbe() {}

  /**
   * Ends with 0 when the node is ready, else with 1; with 2 without a port. It speaks plain HTTP to
   * this machine and says no name: a node whose ports are for HTTPS, for other addresses or for
   * known callers only needs a {@code management.port} without those.
   *
   * @param arguments the port: {@code management.port} where it is set, else {@code http.port}
   */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** For tests, which must not end their process. */
  static int run(String... arguments) {
    if (arguments.length != 1 || !isPort(arguments[0])) {
      System.err.println("Usage: java -cp skein.jar skein.node.HealthProbe PORT");
      return 2;
    }
    try {
      var status = statusLine(Integer.parseInt(arguments[0]));
      System.out.println(status);
      return status.startsWith("HTTP/1.1 200 ") ? 0 : 1;
    } catch (IOException e) {
      System.out.println(e);
      return 1;
    }
  }

  private static boolean isPort(String text) {
    return text.matches("\\d{1,5}") && Integer.parseInt(text) <= PORT_MAX;
  }

  private static String statusLine(int port) throws IOException {
    try (var socket = new Socket()) {
      socket.setSoTimeout(ANSWER_MAX_MS);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MAX_MS);
      socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
      var answer =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      var line = answer.readLine();
      return line == null ? "no answer" : line;
    }
  }
}
