package skein.node;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import skein.docker.Observability;
import skein.node.dev.Ports;

/**
 * A Prometheus with the configuration and rules of {@code docker/observability}, but for the
 * addresses of the nodes, and with an interval of a second.
 */
final class PrometheusServer implements AutoCloseable {
  static final Path PROGRAM = Path.of("/usr/bin/prometheus");
  private static final String INTERVAL = "_interval: 15s";
  private static final String TARGETS =
      "[\"localhost:5001\", \"localhost:5002\", \"localhost:5003\"]";
  private static final Duration START_MAX = Duration.ofSeconds(30);
  private static final long END_SECONDS_MAX = 20;

  private final Process process;
  private final Http http;

  /** {@code folder} is empty. */
  PrometheusServer(Path folder, List<Integer> nodePorts) {
    var address = "127.0.0.1:" + Ports.free(1).getFirst();
    var targets =
        nodePorts.stream()
            .map("\"127.0.0.1:%d\""::formatted)
            .collect(Collectors.joining(", ", "[", "]"));
    http = new Http(URI.create("http://" + address));
    try {
      var files = Observability.prometheus();
      var config = Files.readString(files.resolve("prometheus.yaml"));
      if (!config.contains(TARGETS) || !config.contains(INTERVAL)) {
        throw new IllegalStateException("prometheus.yaml has other targets or intervals");
      }
      var file =
          Files.writeString(
              folder.resolve("prometheus.yaml"),
              config.replace(TARGETS, targets).replace(INTERVAL, "_interval: 1s"));
      Files.copy(
          files.resolve("rules.yaml"),
          folder.resolve("rules.yaml"),
          StandardCopyOption.REPLACE_EXISTING);
      process =
          new ProcessBuilder(
                  PROGRAM.toString(),
                  "--config.file=" + file,
                  "--storage.tsdb.path=" + folder.resolve("data"),
                  "--web.listen-address=" + address)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("prometheus.log").toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!Eventually.isTrue(START_MAX, this::answers)) {
      process.destroy();
      throw new IllegalStateException("Prometheus does not answer; see its log in " + folder);
    }
  }

  private boolean answers() {
    try {
      return http.get("/-/ready").status() == 200;
    } catch (UncheckedIOException _) {
      return false;
    }
  }

  /** The series that an expression has at this moment. */
  List<JsonObject> series(String query) {
    var answer = http.get("/api/v1/query?query=" + encoded(query)).orThrow().json();
    return Api.objects(answer.getJsonObject("data").getJsonArray("result"));
  }

  /** Of a label, in the series of a metric. */
  List<String> values(String label, String metric) {
    var path = "/api/v1/label/%s/values?match%%5B%%5D=%s".formatted(label, encoded(metric));
    return http.get(path).orThrow().json().getJsonArray("data").stream()
        .map(String.class::cast)
        .toList();
  }

  /** All rules, with the result of their last evaluation. */
  List<JsonObject> rules() {
    var data = http.get("/api/v1/rules").orThrow().json().getJsonObject("data");
    return Api.objects(data.getJsonArray("groups")).stream()
        .flatMap(group -> Api.objects(group.getJsonArray("rules")).stream())
        .toList();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
