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
import skein.node.bench.BenchOptions.Target;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;
import skein.node.dev.CannotStart;
import skein.node.dev.DevCluster;
import skein.node.dev.EmbeddedPostgres;
import skein.node.dev.Folders;
import skein.node.dev.Ports;

/**
 * The nodes that are measured and their database: those that were named, or some of its own, which
 * end when this is closed.
 */
final class BenchCluster implements AutoCloseable {
  private static final int FIRST_PORT = 5101;
  private static final int LAST_PORT = 65_000;
  private static final Duration DRAIN = Duration.ofSeconds(5);

  private final Target target;
  private final List<URI> urls;
  private final NodeConfig.Database database;
  private final @Nullable Path folder;
  private final @Nullable EmbeddedPostgres postgres;
  private @Nullable DevCluster nodes;

  private BenchCluster(
      Target target,
      List<URI> urls,
      NodeConfig.Database database,
      @Nullable Path folder,
      @Nullable EmbeddedPostgres postgres) {
    this.target = target;
    this.urls = urls;
    this.database = database;
    this.folder = folder;
    this.postgres = postgres;
  }

  /**
   * The cluster that was named, or a new one on an empty database.
   *
   * @param folder of the data and the logs of a new one; what is in it is deleted first
   * @param settings of the PostgreSQL of a new one
   */
  static BenchCluster open(Target target, Path folder, Map<String, String> settings) {
    if (target.database() != null) {
      return new BenchCluster(target, target.urls(), target.database(), null, null);
    }
    delete(folder);
    var postgres =
        EmbeddedPostgres.start(folder, target.versions().postgresql(), System.getenv(), settings);
    int port = target.port() == 0 ? freePorts(target.nodes()) : target.port();
    var urls =
        IntStream.range(port, port + target.nodes())
            .mapToObj(each -> URI.create("http://127.0.0.1:" + each))
            .toList();
    var cluster = new BenchCluster(target, urls, database(target, postgres), folder, postgres);
    try {
      cluster.startNodes();
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  private static int freePorts(int count) {
    return IntStream.iterate(FIRST_PORT, first -> first < LAST_PORT, first -> first + count)
        .filter(first -> IntStream.range(first, first + count).allMatch(Ports::isFree))
        .findFirst()
        .orElseThrow(() -> new CannotStart("No " + count + " ports in a row are free"));
  }

  private static NodeConfig.Database database(Target target, EmbeddedPostgres postgres) {
    var flags = new LinkedHashMap<>(target.settings());
    flags.put("database.url", postgres.uri());
    flags.put("database.password", postgres.password());
    return NodeConfig.from(new Settings(null, Map.of(), flags)).database();
  }

  private void startNodes() {
    if (postgres == null || folder == null) {
      throw new IllegalStateException("The nodes were started by somebody else");
    }
    var flags = new LinkedHashMap<String, String>();
    flags.put("http.host", "127.0.0.1");
    flags.put("cluster.name", "skein-bench");
    flags.put("cluster.host", "127.0.0.1");
    flags.put("cluster.join-wait", "0s");
    flags.put("node.drain-timeout", DRAIN.toSeconds() + "s");
    flags.put("database.url", postgres.uri());
    flags.put("database.password", postgres.password());
    flags.putAll(target.settings());
    nodes =
        new DevCluster(
                null,
                flags,
                urls.getFirst().getPort(),
                DRAIN,
                new PrintWriter(System.err, true, StandardCharsets.UTF_8))
            .writingTo(folder, List.of("-Xmx" + target.heap()));
    nodes.start(urls.size());
  }

  /** How long a stopped cluster takes until all its nodes take work. */
  Duration restartNodes() {
    if (nodes != null) {
      nodes.close();
    }
    long since = System.nanoTime();
    startNodes();
    return Duration.ofNanos(System.nanoTime() - since);
  }

  /** Whether this started the nodes and may look into them. */
  boolean isOwn() {
    return postgres != null;
  }

  List<URI> urls() {
    return urls;
  }

  NodeConfig.Database database() {
    return database;
  }

  /** The nodes that were started, in their order; none of a cluster that was named. */
  List<ProcessHandle> nodes() {
    return nodes == null ? List.of() : nodes.processes();
  }

  /** The server that was started. */
  @Nullable ProcessHandle postgres() {
    return postgres == null ? null : postgres.process().orElse(null);
  }

  @Override
  public void close() {
    if (nodes != null) {
      nodes.close();
    }
    if (postgres != null) {
      postgres.close();
    }
    if (folder != null && target.data() == null) {
      delete(folder);
    }
  }

  private static void delete(Path folder) {
    try {
      Folders.delete(folder);
    } catch (IOException e) {
      throw new CannotStart("The folder " + folder + " cannot be deleted: " + e.getMessage(), e);
    }
  }
}
