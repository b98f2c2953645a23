package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;
import skein.node.dev.DevJar;
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
  /** The duration of each of two kinds: long enough for the compiler to find hot code. */
  private static final int LOAD_SECONDS = 8;

  /** The engine of scripts is large, and slow until much of it is compiled. */
  private static final Duration SCRIPTS_TIME = Duration.ofSeconds(4);

  private static final String SCRIPTS = "warm-up.json";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static final Duration LOAD_MAX = Duration.ofMinutes(3);
  private static final Duration STOP_MAX = Duration.ofMinutes(1);

  @Option(names = "--child", description = "Belongs to the process at its input.")
  private boolean child;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description = "For the database, empty; removed at the end. Default: a temporary one.")
  private @Nullable Path folder;

  @Option(
      names = "--node",
      paramLabel = "URL",
      description = "Put this node under load instead, which learns, and leave it running.")
  private @Nullable String node;

  @Option(
      names = "--db",
      paramLabel = "URL",
      description = "Its database; the password comes from SKEIN_DATABASE_PASSWORD.")
  private @Nullable String database;

  @Option(
      names = "--brief",
      description =
          "Without load: learn how to start, and one script, for nodes that live briefly.")
  private boolean brief;

  private volatile boolean learned;

  @Override
  public Integer call() throws IOException {
    DevJar.require("skein warm-up has no PostgreSQL", "");
    var shutdown = Shutdown.hook(STOP_MAX);
    if (node != null && database != null) {
      var password = System.getenv().getOrDefault("SKEIN_DATABASE_PASSWORD", "");
      teach(new Pupil(node, database, password), shutdown);
      return 0;
    }
    if (child) {
      Signals.on("INT", () -> {}); // of the terminal: who started this process stops it
      shutdown.add(this::endWithoutCache);
      Shutdown.whenInputEnds();
    }
    var data = folder == null ? Files.createTempDirectory("skein-warm-up") : folder;
    shutdown.add(() -> delete(data));
    var postgres = start(data, shutdown);
    var settings = new Settings(null, Map.of(), flags(postgres));
    var config = NodeConfig.from(settings);
    Logging.configureWithoutFile(config.logging(), config.node().name());
    Node.start(config, settings.effective()).stopWith(shutdown);
    var url = "http://127.0.0.1:" + config.http().port();
    teach(new Pupil(url, postgres.uri(), postgres.password()), shutdown);
    learned = true;
    return 0;
  }

  /** A node, and the database that it uses. */
  private record Pupil(String url, String database, String password) {
    @Override
    public String toString() {
      return "Pupil[url=" + url + "]";
    }
  }

  private void teach(Pupil pupil, Shutdown shutdown) throws IOException {
    request(HttpRequest.newBuilder(URI.create(pupil.url + "/health/ready")).build());
    runScripts(pupil.url + "/elsa/api/workflow-definitions", brief ? Duration.ZERO : SCRIPTS_TIME);
    if (!brief) {
      load(pupil, shutdown);
    }
  }

  /** Stopping waits until a server that is being started can be stopped. */
  private static EmbeddedPostgres start(Path data, Shutdown shutdown) {
    var started = new CompletableFuture<EmbeddedPostgres>();
    shutdown.add(() -> started.thenAccept(EmbeddedPostgres::close).join());
    try {
      started.complete(
          EmbeddedPostgres.start(data, BuildInfo.read().postgresql(), System.getenv()));
    } finally {
      started.cancel(false); // without effect when it was started
    }
    return started.join();
  }

  /** A JVM writes what it learned however it ends, if it is not killed; that takes long. */
  private void endWithoutCache() {
    if (learned) {
      return;
    }
    try {
      var self = Long.toString(ProcessHandle.current().pid());
      new ProcessBuilder("kill", "-KILL", self).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
  private static void load(Pupil pupil, Shutdown shutdown) throws IOException {
    var command = new ArrayList<>(OwnProcess.command());
    command.addAll(List.of("bench", "--quiet", "--output", "json"));
    command.addAll(List.of("--url", pupil.url, "--db", pupil.database));
    command.addAll(List.of("--scenario", "resume,start", "--waiting", "2000", "--callers", "32"));
    command.addAll(List.of("--warmup", "0", "--limit-seconds", "0"));
    command.addAll(List.of("--seconds", Integer.toString(LOAD_SECONDS)));
    var builder =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD);
    builder.environment().put("SKEIN_DATABASE_PASSWORD", pupil.password);
    builder.environment().remove("SKEIN_DATABASE_PASSWORD_FILE");
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

  /** One after the other, for a while and at least one: a workflow with a script. */
  private static void runScripts(String definitions, Duration time) throws IOException {
    request(post(definitions, resource(SCRIPTS)));
    var end = System.nanoTime() + time.toNanos();
    do {
      request(post(definitions + "/warm-up/execute", "{}"));
    } while (System.nanoTime() < end);
  }

  private static HttpRequest post(String url, String body) {
    return HttpRequest.newBuilder(URI.create(url))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  private static String resource(String name) throws IOException {
    try (var in = WarmUpCommand.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Whatever the answer is, its classes are loaded. */
  private static void request(HttpRequest request) {
    try {
      CLIENT.send(request, BodyHandlers.discarding());
    } catch (IOException _) {
      // nothing listens: nothing to learn
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
