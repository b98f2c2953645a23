package skein.node;

import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import skein.http.StudioFiles;
import skein.node.config.NodeConfig;
import skein.node.config.SecurityConfig.Mode;
import skein.node.config.Settings;
import skein.node.dev.AotCache;
import skein.node.dev.CannotStartException;
import skein.node.dev.DevCluster;
import skein.node.dev.DevJar;
import skein.node.dev.DevSecret;
import skein.node.dev.EmbeddedPostgres;
import skein.node.dev.Folders;
import skein.node.dev.Ports;
import skein.node.logging.Logging;

@Command(
    name = "dev",
    description =
        "Run on this machine alone: one node or a small cluster, with its own PostgreSQL.",
    mixinStandardHelpOptions = true)
final class DevCommand implements Callable<Integer> {
  private static final String ORIGIN = "skein dev";
  private static final int NODES_MAX = 16;
  private static final Duration POSTGRES_STOP_MAX = Duration.ofSeconds(30);

  @Mixin private SettingsOptions options = new SettingsOptions();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "HTTP port; of the first node in a cluster. Default: http.port, 5001.")
  private @Nullable Integer port;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description = "Where PostgreSQL keeps its data. Default: ~/.skein/data.")
  private Path data = Folders.data(System.getenv());

  @Option(
      names = "--cluster",
      paramLabel = "N",
      description = "Run N nodes as processes of their own, HTTP on PORT, PORT+1, …")
  private int nodes = 1;

  @Option(
      names = "--db",
      paramLabel = "URL",
      description =
          "Use this database, not its own PostgreSQL: postgresql://user:password@host/name.")
  private @Nullable String url;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    var config = NodeConfig.from(settings(null));
    boolean external = settings(null).isWritten("database.url");
    if (!external) {
      DevJar.require(
          "skein dev has no PostgreSQL", ", or name another database with --db postgresql://…");
    }
    requirePorts(config);
    if (nodes == 1) {
      Logging.configure(config.logging(), config.node().name());
    } else { // the nodes have files of their own
      Logging.configureWithoutFile(config.logging(), config.node().name());
    }
    var shutdown = Shutdown.hook(config.node().drainTimeout().plus(POSTGRES_STOP_MAX));
    var postgres = external ? null : startPostgres(shutdown);
    if (!settings(null).isWritten("cluster.secret-file")) {
      DevSecret.make(data);
    }
    return nodes == 1
        ? runNode(config, postgres, shutdown)
        : runCluster(config, postgres, shutdown);
  }

  private EmbeddedPostgres startPostgres(Shutdown shutdown) {
    var postgres = EmbeddedPostgres.start(data, BuildInfo.read().postgresql(), System.getenv());
    shutdown.add(postgres::close);
    return postgres;
  }

  private Settings settings(@Nullable EmbeddedPostgres postgres) {
    var flags = new LinkedHashMap<String, String>();
    if (port != null) {
      flags.put("http.port", port.toString());
    }
    if (url != null) {
      flags.put("database.url", url);
    }
    var settings = options.settings(flags);
    defaults(postgres).forEach((key, value) -> settings.withDefault(key, value, ORIGIN));
    return settings;
  }

  /** Defaults that differ from a node in production; all of them can be overridden. */
  private Map<String, String> defaults(@Nullable EmbeddedPostgres postgres) {
    var defaults = new LinkedHashMap<String, String>();
    defaults.put("node.name", "dev");
    defaults.put("http.host", "127.0.0.1");
    defaults.put("http.hosts", "localhost"); // a page whose name leads here is refused
    defaults.put("console.enabled", "true");
    defaults.put("console.tour", "true");
    defaults.put("studio.enabled", String.valueOf(StudioFiles.arePresent()));
    defaults.put("cluster.name", "skein-dev");
    defaults.put("cluster.host", "127.0.0.1");
    defaults.put("cluster.secret-file", DevSecret.file(data).toString());
    defaults.put("cluster.join-wait", "0s");
    defaults.put("node.drain-timeout", "5s"); // no other node depends on this machine
    defaults.put("node.drain-delay", "0s");
    var examples = Path.of(System.getProperty("skein.home", "."), "conf", "examples");
    if (Files.isDirectory(examples)) {
      defaults.put("definitions.from-directory", examples.toAbsolutePath().normalize().toString());
    }
    if (postgres != null) {
      defaults.put("database.url", postgres.uri());
      defaults.put("database.password", postgres.password());
    }
    return defaults;
  }

  private void requirePorts(NodeConfig config) {
    if (nodes < 1 || nodes > NODES_MAX) {
      throw new ParameterException(
          spec.commandLine(), "--cluster must be 1 to " + NODES_MAX + ", not " + nodes);
    }
    var refusal = firstPorts(config).refusal(nodes);
    if (!refusal.isEmpty()) {
      throw new CannotStartException(refusal);
    }
  }

  private static DevCluster.FirstPorts firstPorts(NodeConfig config) {
    var portOptions = config.http().portOptions();
    return new DevCluster.FirstPorts(
        config.http().port(), portOptions.apiPort(), portOptions.managementPort());
  }

  private int runNode(NodeConfig planned, @Nullable EmbeddedPostgres postgres, Shutdown shutdown) {
    var ports = Ports.free(2, firstPorts(planned).all(1));
    var settings =
        settings(postgres)
            .withDefault("cluster.port", ports.get(0).toString(), ORIGIN)
            .withDefault("cluster.bus-port", ports.get(1).toString(), ORIGIN);
    var config = NodeConfig.from(settings);
    SettingsOptions.logNotes(settings);
    var node = Node.start(config, settings.effective());
    node.stopWith(shutdown);
    welcome(config, postgres);
    AotCache.makeInBackground().ifPresent(cache -> shutdown.add(cache::close));
    shutdown.await();
    return 0;
  }

  private int runCluster(
      NodeConfig config, @Nullable EmbeddedPostgres postgres, Shutdown shutdown) {
    var weak = defaults(postgres);
    weak.remove("node.name");
    var written = settings(null);
    weak.keySet().removeIf(written::isWritten);
    if (!config.database().password().value().isEmpty()) { // in a file: nodes read it themselves
      weak.remove("database.password");
    }
    var flags = new LinkedHashMap<>(weak);
    flags.putAll(options.flags());
    if (url != null) {
      flags.put("database.url", url);
    }
    var logFile = config.logging().file();
    if (logFile != null) {
      flags.put("logging.file", logFile.path().toString());
    }
    var ports = firstPorts(config);
    var cluster = new DevCluster(options.file(), flags, ports, config.node().drainTimeout(), out());
    shutdown.add(cluster::close);
    cluster.start(nodes);
    welcome(config, postgres);
    AotCache.makeInBackground().ifPresent(cache -> shutdown.add(cache::close));
    cluster.awaitEnd();
    return 1;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void welcome(NodeConfig config, @Nullable EmbeddedPostgres postgres) {
    var out = out();
    out.println("Skein " + BuildInfo.read().version());
    if (postgres != null) {
      out.println("  data     " + postgres.folder());
      out.println("  database " + postgres.uri() + " (password in the file password there)");
    }
    for (int i = 0; i < nodes; i++) {
      out.println("  API      " + api(config, i) + "/elsa/api");
      out.println("  health   " + health(config, i) + "/health/ready");
    }
    if (config.security().mode() != Mode.AUTHENTICATED) {
      out.println("  access   open, without sign-in (security.mode: authenticated requires it)");
    }
    if (config.console().enabled()) {
      out.println("  console  " + api(config, 0) + "/console");
    }
    if (config.studio().enabled()) {
      out.println("  studio   " + api(config, 0) + "/studio/");
    }
    out.println("  try      curl " + api(config, 0) + "/elsa/api/workflow-definitions");
    out.println("ready in " + millisSinceStart() + " ms; Ctrl-C stops");
    out.flush();
  }

  /** The API of the node with that number, from 0. */
  private static String api(NodeConfig config, int node) {
    int own = config.http().portOptions().apiPort();
    boolean https = config.http().tls() != null;
    return base(https, (own == 0 ? config.http().port() : own) + node);
  }

  private static String health(NodeConfig config, int node) {
    int own = config.http().portOptions().managementPort();
    var tls = config.http().tls();
    boolean https = tls != null && (own == 0 || tls.management());
    return base(https, (own == 0 ? config.http().port() : own) + node);
  }

  private static String base(boolean https, int port) {
    return (https ? "https" : "http") + "://localhost:" + port;
  }

  private static long millisSinceStart() {
    return System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
  }
}
