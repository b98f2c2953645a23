package skein.node;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.peers.ClientTls;

/**
 * A node as a process of its own, from the jar that users get. Its output is added to a file, so
 * that a restarted node continues in it. It ends with this JVM at the latest.
 */
public final class ServerProcess {
  static final Duration START_MAX = Duration.ofSeconds(90);

  private static final String CERTIFICATE = "http.tls-certificate-file";

  /** Those of the launcher, for a small machine. */
  private static final List<String> JVM_FLAGS =
      List.of(
          "-Xmx256m",
          "-XX:+UseParallelGC",
          "-XX:+ExitOnOutOfMemoryError",
          "-Djava.util.concurrent.ForkJoinPool.common.parallelism=4",
          "--sun-misc-unsafe-memory-access=allow");

  /** Beside those; where a test measures nothing, nodes and commands start faster with them. */
  static final List<String> NODE_FLAGS =
      Stream.of(System.getProperty("skein.nodes.jvm", "").split(" "))
          .filter(flag -> !flag.isEmpty())
          .toList();

  private final String name;
  private final int httpPort;
  private final String password;
  private final Map<String, String> settings;
  private final List<String> options;
  private final Path log;
  private final Map<String, String> environment = new HashMap<>();
  private @Nullable Process process;
  private String jar = "";
  private long startsBefore;

  /**
   * @param settings by key, as in the configuration file
   * @param options of the JVM, beside those of the launcher
   */
  ServerProcess(
      String name,
      int httpPort,
      String password,
      Map<String, String> settings,
      List<String> options,
      Path log) {
    this.name = name;
    this.httpPort = httpPort;
    this.password = password;
    this.settings = Map.copyOf(settings);
    this.options = List.copyOf(options);
    this.log = log;
  }

  public String name() {
    return name;
  }

  public Http http() {
    return at(httpPort, settings.containsKey(CERTIFICATE));
  }

  /** What it does not ask for a certificate takes that of its authority. */
  private Http at(int port, boolean https) {
    var authority = https ? settings.get("http.tls-client-ca-file") : null;
    var base = URI.create((https ? "https" : "http") + "://127.0.0.1:" + port);
    return authority == null
        ? new Http(base)
        : new Http(base, Duration.ofSeconds(60), ClientTls.trusting(Path.of(authority)));
  }

  /** Where health is: at {@code management.port}, if that is set. */
  Http management() {
    var port = settings.getOrDefault("management.port", "0");
    return port.equals("0")
        ? http()
        : at(
            Integer.parseInt(port),
            settings.containsKey(CERTIFICATE)
                && settings.getOrDefault("management.tls", "true").equals("true"));
  }

  public Api api() {
    return new Api(http());
  }

  /** The jar of another version, from the next start on. */
  void runs(Path jar) {
    this.jar = jar.toString();
  }

  /** A variable that the process finds from its next start on. */
  void environment(String name, String value) {
    environment.put(name, value);
  }

  /** Returns at once. */
  public void start() {
    startsBefore = starts();
    var command = java();
    command.addAll(TrainedJvm.options());
    command.addAll(NODE_FLAGS);
    command.addAll(options);
    command.addAll(List.of("-jar", jar.isEmpty() ? jar() : jar, "node", "--child"));
    if (!settings.containsKey("security.mode")) {
      command.addAll(List.of("--set", "security.mode=open"));
    }
    settings.forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
    command.addAll(List.of("--set", "node.name=" + name, "--set", "http.port=" + httpPort));
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    if (!settings.containsKey("database.password-file")
        && !environment.containsKey("SKEIN_DATABASE_PASSWORD_FILE")) {
      builder.environment().put("SKEIN_DATABASE_PASSWORD", password);
    }
    builder.environment().putAll(environment);
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The program, with the launcher's flags. */
  static List<String> java() {
    var command = new ArrayList<String>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(JVM_FLAGS);
    return command;
  }

  static String jar() {
    var jar = System.getProperty("skein.jar");
    if (jar == null || !Files.isReadable(Path.of(jar))) {
      throw new IllegalStateException("skein.jar is " + jar + ": package the node first");
    }
    return jar;
  }

  /** Waits until the node says that it takes work. */
  public void awaitReady() {
    var ready = new AtomicBoolean();
    Eventually.isTrue(
        START_MAX,
        () -> {
          ready.set(isReady());
          return ready.get() || !isAlive();
        });
    if (!ready.get()) {
      throw new IllegalStateException(
          "Node " + name + " is not ready; see " + log + "\n" + health() + "\n" + tail());
    }
  }

  private String health() {
    try {
      return management().get("/health/ready").body();
    } catch (UncheckedIOException e) {
      return e.toString();
    }
  }

  /** Its log must say so too: another program may have taken the port and answer there. */
  public boolean isReady() {
    try {
      return starts() > startsBefore && management().get("/health/ready").status() == 200;
    } catch (UncheckedIOException _) {
      return false;
    }
  }

  /** Without keeping what may be a very long log. */
  private long starts() {
    if (!Files.exists(log)) {
      return 0;
    }
    try (var lines = Files.lines(log)) {
      return lines.filter(line -> line.contains(" node.started ")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public long pid() {
    return process().pid();
  }

  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** SIGKILL; returns when the process is gone. */
  public void kill() {
    process().toHandle().destroyForcibly();
    awaitExit(Duration.ofSeconds(10));
  }

  /** SIGKILL, without waiting for the end. */
  public void sendKill() {
    process().toHandle().destroyForcibly();
  }

  /** SIGTERM, which a node takes as the wish to stop; leaves its standard input open. */
  public void terminate() {
    process().toHandle().destroy();
  }

  /** SIGSTOP: no thread of it runs, its connections stay open. */
  public void freeze() {
    ProcessSignals.send(pid(), "STOP");
  }

  /** SIGCONT, the end of {@link #freeze}. */
  public void thaw() {
    ProcessSignals.send(pid(), "CONT");
  }

  /** The exit code; fails when the process lives on. */
  public int awaitExit(Duration max) {
    try {
      if (!process().waitFor(max.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("Node " + name + " still runs after " + max);
      }
      return process().exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for " + name, e);
    }
  }

  private Process process() {
    if (process == null) {
      throw new IllegalStateException("Node " + name + " was never started");
    }
    return process;
  }

  /** All that it has said, since its first start. */
  public List<String> output() {
    try {
      return Files.exists(log) ? Files.readAllLines(log) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String tail() {
    var lines = output();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
  }
}
