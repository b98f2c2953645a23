package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;
import skein.node.dev.EmbeddedPostgres;
import skein.node.dev.Folders;
import skein.node.dev.OwnProcess;
import skein.node.dev.Ports;
import skein.node.logging.Logging;

@Command(
    name = "warm-up",
    hidden = true,
    description =
        "Start a node on a database that is thrown away, put it under load for a while, stop: what a"
            + " JVM with -XX:AOTCacheOutput=FILE is to learn.",
    mixinStandardHelpOptions = true)
final class WarmUpCommand implements Callable<Integer> {
  /** Of each of two kinds: long enough for the compiler to know what is hot. */
  private static final int LOAD_SECONDS = 8;

  private static final Duration LOAD_MAX = Duration.ofMinutes(3);
  private static final Duration STOP_MAX = Duration.ofMinutes(1);

  @Override
  public Integer call() throws IOException {
    var shutdown = Shutdown.hook(STOP_MAX);
    var folder = Files.createTempDirectory("skein-warm-up");
    shutdown.add(() -> delete(folder));
    var postgres = EmbeddedPostgres.start(folder, BuildInfo.read().postgresql(), System.getenv());
    shutdown.add(postgres::close);
    var config = NodeConfig.from(new Settings(null, Map.of(), flags(postgres)));
    Logging.configure(config.logging(), config.node().name());
    shutdown.add(Node.start(config));
    var url = "http://127.0.0.1:" + config.http().port();
    request(url + "/health/ready");
    load(url, postgres, shutdown);
    return 0;
  }

  private static void delete(Path folder) {
    try {
      Folders.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> flags(EmbeddedPostgres postgres) {
    var ports = Ports.free(3);
    var flags = new LinkedHashMap<String, String>();
    flags.put("node.name", "warm-up");
    flags.put("node.drain-delay", "0s");
    flags.put("http.host", "127.0.0.1");
    flags.put("http.port", ports.get(0).toString());
    flags.put("cluster.name", "skein-warm-up");
    flags.put("cluster.host", "127.0.0.1");
    flags.put("cluster.port", ports.get(1).toString());
    flags.put("cluster.bus-port", ports.get(2).toString());
    flags.put("cluster.join-wait", "0s");
    flags.put("database.url", postgres.uri());
    flags.put("database.password", postgres.password());
    return flags;
  }

  /**
   * From another process, so that what is learned is the node alone. If it cannot be done, the
   * cache knows how to start and no more.
   */
  private static void load(String url, EmbeddedPostgres postgres, Shutdown shutdown)
      throws IOException {
    var command = new ArrayList<>(OwnProcess.command());
    command.addAll(List.of("bench", "--quiet", "--output", "json"));
    command.addAll(List.of("--url", url, "--db", postgres.uri()));
    command.addAll(List.of("--scenario", "resume,start", "--waiting", "2000", "--callers", "32"));
    command.addAll(List.of("--warmup", "0", "--limit-seconds", "1"));
    command.addAll(List.of("--seconds", Integer.toString(LOAD_SECONDS)));
    var builder =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD);
    builder.environment().put("SKEIN_DATABASE_PASSWORD", postgres.password());
    var process = builder.start();
    shutdown.add(process::destroyForcibly);
    try {
      if (!process.waitFor(LOAD_MAX.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Whatever the answer is, its classes are loaded. */
  private static void request(String url) {
    try (var client = HttpClient.newHttpClient()) {
      client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding());
    } catch (IOException _) {
      // nothing listens: nothing to learn
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
