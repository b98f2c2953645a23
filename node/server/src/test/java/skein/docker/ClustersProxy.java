package skein.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import skein.node.dev.Ports;

/**
 * HAProxy with {@code docker/haproxy-clusters.cfg}, before nodes on this machine. Requests are
 * written byte by byte, since Java's client sets {@code Host} itself.
 */
public final class ClustersProxy implements AutoCloseable {
  private static final Duration START_MAX = Duration.ofSeconds(20);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

  private final int port = Ports.free(1).getFirst();
  private final Process haproxy;

  /**
   * Returns when HAProxy answers.
   *
   * @param folder for its configuration and its log
   * @param nodePorts of a node of {@code c0}, which stands for both, and of one of {@code c1}
   */
  public ClustersProxy(Path folder, List<Integer> nodePorts)
      throws IOException, InterruptedException {
    var config =
        Yaml.read(Yaml.docker("haproxy-clusters.cfg"))
            .replace("bind :8080", "bind 127.0.0.1:" + port)
            .replace(" resolvers names resolve-prefer ipv4 init-addr none", "");
    for (int number = 0; number < nodePorts.size(); number++) {
      config =
          config.replaceAll(
              "c%d-node\\d:8080".formatted(number), "127.0.0.1:" + nodePorts.get(number));
    }
    var file = Files.writeString(folder.resolve("haproxy-clusters.cfg"), config);
    haproxy =
        new ProcessBuilder("haproxy", "-db", "-f", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("haproxy-clusters.log").toFile())
            .start();
    long end = System.nanoTime() + START_MAX.toNanos();
    while (!listens() && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private boolean listens() {
    try {
      ask(Request.get("/"));
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** Fails after a minute without an answer. */
  public Answer ask(Request request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) ANSWER_MAX.toMillis());
      socket.getOutputStream().write(request.bytes());
      var read = socket.getInputStream().readAllBytes();
      return Answer.of(new String(read, StandardCharsets.US_ASCII));
    }
  }

  @Override
  public void close() {
    haproxy.destroy();
  }

  /**
   * For {@code flows.example.com}, unless its headers name another host.
   *
   * @param headers each with its line end
   * @param body US-ASCII
   */
  public record Request(String method, String path, String headers, String body) {
    public static Request get(String path) {
      return new Request("GET", path, "", "");
    }

    public static Request post(String path, String body) {
      return new Request("POST", path, "", body).header("Content-Type", "application/json");
    }

    public Request header(String name, String value) {
      return new Request(method, path, headers + name + ": " + value + "\r\n", body);
    }

    byte[] bytes() {
      var host = headers.contains("Host: ") ? "" : "Host: flows.example.com\r\n";
      return "%s %s HTTP/1.1\r\n%s%sContent-Length: %d\r\nConnection: close\r\n\r\n%s"
          .formatted(method, path, host, headers, body.length(), body)
          .getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** {@code head}: status line and headers, in lower case. */
  public record Answer(String head, String body) {
    static Answer of(String text) {
      int end = text.indexOf("\r\n\r\n");
      assertThat(end).as(text).isPositive();
      return new Answer(text.substring(0, end).toLowerCase(Locale.ROOT), text.substring(end + 4));
    }

    public int status() {
      return Integer.parseInt(head, head.indexOf(' ') + 1, head.indexOf(' ') + 4, 10);
    }

    /** As HAProxy says; empty when no cluster has answered. */
    public String cluster() {
      return head.lines()
          .filter(line -> line.startsWith("skein-cluster: "))
          .map(line -> line.substring("skein-cluster: ".length()).strip())
          .findFirst()
          .orElse("");
    }
  }
}
