package skein.node.dev;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Nodes as child processes. Their output comes with their name before it, or goes to a file each. A
 * child that dies is reported and not started again. A child whose parent has died finds its input
 * closed and stops.
 */
public final class DevCluster implements AutoCloseable {
  private static final String READY_LINE = "skein: this node takes work";
  private static final int PORT_MAX = 65_535;
  private static final String LOG_FILE = "logging.file";
  private static final String PASSWORD = "database.password";
  private static final Duration START_MAX = Duration.ofMinutes(3);
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final Duration LAST_LINES_MAX = Duration.ofSeconds(2);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private final @Nullable Path file;
  private final Map<String, String> flags;
  private final FirstPorts first;
  private final Duration drainTimeout;
  private final PrintWriter out;
  private final List<Child> children = new CopyOnWriteArrayList<>();
  private final List<Thread> readers = new CopyOnWriteArrayList<>();
  private @Nullable Path logFolder;
  private List<String> jvmOptions = List.of();
  private @Nullable Path launcher;
  private volatile boolean stopping;

  private record Child(String name, Process process, CompletableFuture<Boolean> ready) {}

  /** HTTP ports of the first node; 0 where it has none of its own. Others have the next ones. */
  public record FirstPorts(int http, int api, int management) {
    Map<String, String> of(int node) {
      var ports = new LinkedHashMap<String, String>();
      ports.put("http.port", Integer.toString(next(http, node)));
      ports.put("http.api-port", Integer.toString(next(api, node)));
      ports.put("management.port", Integer.toString(next(management, node)));
      return ports;
    }

    /** Why so many nodes cannot have them; empty when they can. */
    public String refusal(int nodes) {
      var seen = new HashSet<Integer>();
      for (int node = 0; node < nodes; node++) {
        for (int port : distinct(node)) {
          var refusal = port == 0 ? "" : refusal(port, nodes, seen.add(port));
          if (!refusal.isEmpty()) {
            return refusal;
          }
        }
      }
      return "";
    }

    /** Of so many nodes; 0 is among them where nodes have none of their own. */
    public Set<Integer> all(int nodes) {
      var all = new HashSet<Integer>();
      for (int node = 0; node < nodes; node++) {
        all.addAll(distinct(node));
      }
      return all;
    }

    private Set<Integer> distinct(int node) {
      return new LinkedHashSet<>(
          List.of(next(http, node), next(api, node), next(management, node)));
    }

    private static String refusal(int port, int nodes, boolean first) {
      if (!first) {
        return "Port %d would be of two nodes: let http.port, http.api-port and management.port be %d or more apart"
            .formatted(port, nodes);
      }
      var refusal = port > PORT_MAX ? "Port " + port + " does not exist" : Ports.refusal(port);
      return refusal.isEmpty() ? "" : refusal + ": choose another with --port";
    }

    private static int next(int first, int node) {
      return first == 0 ? 0 : first + node;
    }
  }

  /** {@code flags}: settings by key, the same for all nodes. */
  public DevCluster(
      @Nullable Path file,
      Map<String, String> flags,
      FirstPorts first,
      Duration drainTimeout,
      PrintWriter out) {
    this.file = file;
    this.flags = Map.copyOf(flags);
    this.first = first;
    this.drainTimeout = drainTimeout;
    this.out = out;
  }

  /**
   * To be called before the start: the children write to {@code n1.log} and so on themselves, which
   * costs this process nothing, and have more options for their JVM, which win over its own.
   */
  public DevCluster writingTo(Path folder, List<String> options) {
    logFolder = folder;
    jvmOptions = List.copyOf(options);
    return this;
  }

  /**
   * To be called before the start: a script starts the children, with their options in its
   * environment, and becomes them; otherwise they are started as this process was.
   */
  public DevCluster launchedBy(Path script) {
    launcher = script;
    return this;
  }

  /** The nodes that were started, in their order. */
  public List<ProcessHandle> processes() {
    return children.stream().map(child -> child.process.toHandle()).toList();
  }

  /** Said by a child to its parent, whatever its log levels are. */
  public static void tellReady() {
    System.out.println(READY_LINE);
    System.out.flush();
  }

  /** The first node makes the cluster and the tables; the others join it together. */
  public void start(int count) {
    var ports = Ports.free(2 * count, first.all(count));
    var members =
        ports.subList(0, count).stream()
            .map(port -> "127.0.0.1:" + port)
            .collect(Collectors.joining(","));
    for (int i = 0; i < count; i++) {
      var settings = new LinkedHashMap<>(flags);
      settings.put("node.name", "n" + (i + 1));
      settings.computeIfPresent(LOG_FILE, ofNode("n" + (i + 1)));
      settings.putAll(first.of(i));
      settings.put("cluster.port", ports.get(i).toString());
      settings.put("cluster.bus-port", ports.get(count + i).toString());
      settings.put("cluster.members", members);
      children.add(startChild("n" + (i + 1), settings));
      if (i == 0) {
        awaitReady(children.getFirst());
      }
    }
    children.forEach(this::awaitReady);
  }

  /** No two nodes write the same file. */
  private static BiFunction<String, String, String> ofNode(String name) {
    return (_, path) -> path.isEmpty() ? path : path + "." + name;
  }

  private Child startChild(String name, Map<String, String> settings) {
    var command = beginning();
    command.addAll(List.of("node", "--child"));
    if (file != null) {
      command.addAll(List.of("--config", file.toString()));
    }
    settings.forEach((key, value) -> {
      if (!key.equals(PASSWORD)) { // arguments can be read by every user of the machine
        command.addAll(List.of("--set", key + "=" + value));
      }
    });
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    if (launcher != null) {
      builder.environment().put("SKEIN_JAVA_HOME", System.getProperty("java.home"));
      builder.environment().put("SKEIN_JAVA_OPTS", String.join(" ", jvmOptions));
    }
    var password = settings.get(PASSWORD);
    if (password != null) {
      builder.environment().put("SKEIN_DATABASE_PASSWORD", password);
      builder.environment().remove("SKEIN_DATABASE_PASSWORD_FILE");
    }
    var log = logFolder == null ? null : logFolder.resolve(name + ".log");
    try {
      if (log != null) {
        Files.deleteIfExists(log); // what it said before is not what it says now
        builder.redirectOutput(log.toFile());
      }
      var child = new Child(name, builder.start(), new CompletableFuture<>());
      readers.add(
          Thread.ofVirtual()
              .name("output-" + name)
              .start(() -> {
                if (log == null) {
                  copyOutput(child);
                } else {
                  watch(child, log);
                }
                ended(child);
              }));
      return child;
    } catch (IOException e) {
      throw new CannotStartException("Node " + name + " cannot be started: " + e.getMessage(), e);
    }
  }

  private List<String> beginning() {
    if (launcher != null) {
      return new ArrayList<>(List.of(launcher.toString()));
    }
    var command = new ArrayList<>(OwnProcess.command());
    command.addAll(OwnProcess.endOfOptions(command), jvmOptions);
    return command;
  }

  private void copyOutput(Child child) {
    try (var lines = child.process.inputReader()) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals(READY_LINE)) {
          child.ready.complete(true);
        } else {
          print(child, line);
        }
      }
    } catch (IOException _) {
      // it ended
    }
  }

  /** Until it is ready or has ended. */
  private static void watch(Child child, Path log) {
    try {
      while (child.process.isAlive() && !child.ready.isDone()) {
        if (Files.readString(log).contains(READY_LINE)) {
          child.ready.complete(true);
        } else {
          Thread.sleep(LOOK_EVERY);
        }
      }
    } catch (IOException e) {
      child.ready.completeExceptionally(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void print(Child child, String line) {
    synchronized (out) {
      out.println("[" + child.name + "] " + line);
      out.flush();
    }
  }

  private void ended(Child child) {
    int code = child.process.onExit().join().exitValue();
    if (!stopping) {
      long alive = children.stream().filter(c -> c.process.isAlive()).count();
      print(child, "ended with exit code " + code + "; nodes still running: " + alive);
    }
    child.ready.complete(false);
  }

  private void awaitReady(Child child) {
    try {
      if (!child.ready.get(START_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        var where = logFolder == null ? "its output above" : logFolder.resolve(child.name + ".log");
        throw new CannotStartException("Node " + child.name + " did not start; see " + where);
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new CannotStartException("Node " + child.name + " is not ready after " + START_MAX, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStartException("The start of the cluster was interrupted", e);
    }
  }

  /** Returns when no child is left. */
  public void awaitEnd() {
    children.forEach(child -> child.process.onExit().join());
  }

  /** Stops all children together; kills those that take too long. */
  @Override
  public void close() {
    stopping = true;
    // by its handle: Process.destroy would close our end of its output, with its last lines
    children.forEach(child -> child.process.toHandle().destroy());
    long end = System.nanoTime() + drainTimeout.plus(GRACE).toNanos();
    for (var child : children) {
      try {
        long left = Math.max(1, end - System.nanoTime());
        if (!child.process.waitFor(left, TimeUnit.NANOSECONDS)) {
          child.process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        child.process.destroyForcibly();
      }
    }
    awaitLastLines();
  }

  /** This process may end at once, with what it has not yet read. */
  private void awaitLastLines() {
    try {
      for (var reader : readers) {
        reader.join(LAST_LINES_MAX);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
