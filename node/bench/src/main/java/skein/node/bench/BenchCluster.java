package skein.node.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import skein.node.bench.BenchOptions.Access;
import skein.node.bench.BenchOptions.Target;
import skein.node.config.DatabaseConfig;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;
import skein.node.dev.CannotStartException;
import skein.node.dev.DevCluster;
import skein.node.dev.EmbeddedPostgres;
import skein.node.dev.Folders;
import skein.node.dev.Ports;

/**
 * The nodes that are measured and their database: those that were named, or some of its own, which
 * end when this is closed. Closing is thread-safe, the rest is for one thread.
 */
final class BenchCluster implements AutoCloseable {
  private static final int FIRST_PORT = 5101;
  private static final int LAST_PORT = 65_000;
  private static final Duration DRAIN = Duration.ofSeconds(5);

  private static final String ACTIVITIES = "activities";
  private static final String SECURED = "secured";

  /** Two builds are to be alike in what they have learned before: nothing. */
  private static final String WITHOUT_CACHE = "-XX:AOTMode=off";

  private final Target target;
  private final Path folder;
  private final @Nullable Path launcher;
  private final List<URI> urls;
  private @Nullable EmbeddedPostgres postgres;
  private @Nullable DevCluster nodes;
  private @Nullable SecuredCluster secured;
  private final Object ending = new Object();
  private boolean closed;
  private volatile boolean keepsFolder;

  /**
   * @param folder of the data and the logs of a new cluster; what is in it will be deleted
   * @param launcher starts the nodes, without their cache; null: they are as this process
   */
  BenchCluster(Target target, Path folder, @Nullable Path launcher) {
    this.target = target;
    this.folder = folder;
    this.launcher = launcher;
    this.urls = target.urls().isEmpty() ? newUrls(target) : target.urls();
  }

  private static List<URI> newUrls(Target target) {
    var scheme = target.own().secured() ? "https" : "http";
    int port = target.own().port() == 0 ? freePorts(target.own().nodes()) : target.own().port();
    return IntStream.range(port, port + target.own().nodes())
        .mapToObj(each -> URI.create(scheme + "://127.0.0.1:" + each))
        .toList();
  }

  private static int freePorts(int count) {
    return IntStream.iterate(FIRST_PORT, first -> first < LAST_PORT, first -> first + count)
        .filter(first -> IntStream.range(first, first + count).allMatch(Ports::isFree))
        .findFirst()
        .orElseThrow(() -> new CannotStartException("No " + count + " ports in a row are free"));
  }

  /**
   * Starts what is needed: nothing of a cluster that was named, else an empty database and nodes.
   *
   * @param settings of PostgreSQL
   */
  void start(Map<String, String> settings) {
    if (isOwn()) {
      delete(folder);
      var server = startPostgres(settings);
      OwnStep.writeJar(folder.resolve(ACTIVITIES));
      if (target.own().secured()) {
        secure(server);
      }
      startNodes(server);
    }
  }

  /** A concurrent close waits for it, so that no server is left behind. */
  private synchronized EmbeddedPostgres startPostgres(Map<String, String> settings) {
    requireOpen();
    var started =
        EmbeddedPostgres.start(folder, target.versions().postgresql(), System.getenv(), settings);
    postgres = started;
    return started;
  }

  private void secure(EmbeddedPostgres server) {
    var files = new SecuredCluster(folder.resolve(SECURED));
    files.encrypt(database(flags(server)));
    synchronized (this) {
      secured = files;
    }
  }

  private synchronized void requireOpen() {
    if (closed) {
      throw new CannotStartException("Stopped before the end");
    }
  }

  private void startNodes(EmbeddedPostgres server) {
    var started =
        new DevCluster(
            null,
            flags(server),
            new DevCluster.FirstPorts(urls.getFirst().getPort(), 0, 0),
            DRAIN,
            new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    var heap = "-Xmx" + target.own().heap();
    if (launcher == null) {
      started.writingTo(folder, List.of(heap));
    } else {
      started.writingTo(folder, List.of(heap, WITHOUT_CACHE)).launchedBy(launcher);
    }
    synchronized (this) {
      requireOpen();
      nodes = started;
    }
    try {
      started.start(urls.size());
    } catch (CannotStartException e) {
      keepsFolder = true; // the reason stands in a log there
      throw e;
    }
  }

  private synchronized Map<String, String> flags(EmbeddedPostgres server) {
    var flags = new LinkedHashMap<String, String>();
    flags.put("http.host", "127.0.0.1");
    flags.put("cluster.name", "skein-bench");
    flags.put("cluster.host", "127.0.0.1");
    flags.put("cluster.join-wait", "0s");
    flags.put("node.drain-timeout", DRAIN.toSeconds() + "s");
    flags.put("node.drain-delay", "0s");
    flags.put("activities.directory", folder.resolve(ACTIVITIES).toAbsolutePath().toString());
    flags.put("database.url", server.uri());
    flags.put("database.password", server.password());
    if (secured != null) {
      flags.putAll(secured.settings(server.uri()));
    }
    flags.putAll(target.own().settings());
    return flags;
  }

  /** How long a stopped cluster takes until all its nodes take work. */
  Duration restartNodes() {
    DevCluster running;
    EmbeddedPostgres server;
    synchronized (this) {
      requireOpen();
      running = nodes;
      server = postgres;
    }
    if (running == null || server == null) {
      throw new IllegalStateException("The nodes were not started by this program");
    }
    running.close();
    long since = System.nanoTime();
    startNodes(server);
    return Duration.ofNanos(System.nanoTime() - since);
  }

  /** Whether this starts the nodes and may look into them. */
  boolean isOwn() {
    return target.database() == null;
  }

  List<URI> urls() {
    return urls;
  }

  synchronized DatabaseConfig database() {
    if (target.database() != null) {
      return target.database();
    }
    requireOpen();
    if (postgres == null) {
      throw new IllegalStateException("Nothing was started");
    }
    return database(flags(postgres));
  }

  private static DatabaseConfig database(Map<String, String> flags) {
    return NodeConfig.from(new Settings(null, Map.of(), flags)).database();
  }

  /** Asks a node for a credential, where its callers are authenticated and it was started here. */
  Access access() {
    SecuredCluster own;
    synchronized (this) {
      own = secured;
    }
    return own == null ? target.access() : own.access(urls.getFirst());
  }

  /** The nodes that were started, in their order; none of a cluster that was named. */
  synchronized List<ProcessHandle> nodes() {
    return nodes == null ? List.of() : nodes.processes();
  }

  /** The server that was started. */
  synchronized @Nullable ProcessHandle postgres() {
    return postgres == null ? null : postgres.process().orElse(null);
  }

  /**
   * From any thread; what is being started is stopped too. Who comes second waits for the first:
   * the process may end, and the folder be deleted, only when the server has.
   */
  @Override
  public void close() {
    synchronized (ending) {
      end();
    }
  }

  private void end() {
    DevCluster running;
    EmbeddedPostgres server;
    synchronized (this) {
      closed = true;
      running = nodes;
      server = postgres;
      nodes = null;
      postgres = null;
    }
    if (running != null) {
      running.close();
    }
    if (server != null) {
      server.close();
    }
    if (isOwn() && target.own().data() == null && !keepsFolder) {
      delete(folder);
    }
  }

  private static void delete(Path folder) {
    try {
      Folders.delete(folder);
    } catch (IOException e) {
      throw new CannotStartException(
          "The folder " + folder + " cannot be deleted: " + e.getMessage(), e);
    }
  }
}
