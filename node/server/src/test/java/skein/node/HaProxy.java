package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import skein.node.dev.Ports;

/** HAProxy as node/README.md sets it up, but without a retry of any kind. */
final class HaProxy implements Balancer {
  private static final Path PROGRAM = Path.of("/usr/sbin/haproxy");
  private static final Duration LOOKED_TWICE = Duration.ofMillis(1_500);
  private static final String CONFIG =
      """
      defaults
        mode http
        retries 0
        timeout connect 2s
        timeout check 3s
        timeout client 65s
        timeout server 65s
      frontend skein
        bind 127.0.0.1:PORT
        default_backend nodes
      backend nodes
        balance roundrobin
        option httpchk
        http-check send meth GET uri /health/ready
        http-check expect status 200
        default-server check inter 500ms fall 2 rise 2
      """;

  private final Process process;
  private final URI base;

  HaProxy(List<Integer> nodePorts) {
    int port = Ports.free(1).getFirst();
    var config = new StringBuilder(CONFIG.replace("PORT", String.valueOf(port)));
    nodePorts.forEach(node -> config.append("  server n%1$d 127.0.0.1:%1$d%n".formatted(node)));
    base = URI.create("http://127.0.0.1:" + port);
    try {
      var file = TestClusters.folder().resolve("haproxy.cfg");
      Files.writeString(file, config);
      process =
          new ProcessBuilder(PROGRAM.toString(), "-db", "-f", file.toString())
              .redirectErrorStream(true)
              .redirectOutput(TestClusters.folder().resolve("haproxy.log").toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!Eventually.isTrue(Duration.ofSeconds(10), this::answers)) {
      throw new IllegalStateException("HAProxy does not answer; see haproxy.log");
    }
    Eventually.pause(LOOKED_TWICE); // until then it takes every node for up
  }

  static boolean isInstalled() {
    return Files.isExecutable(PROGRAM);
  }

  private boolean answers() {
    try {
      return new Http(base).get("/health/ready").status() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  @Override
  public URI base() {
    return base;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "HAProxy";
  }
}
