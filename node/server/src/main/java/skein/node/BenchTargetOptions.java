package skein.node;

import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import skein.node.bench.BenchOptions.Access;
import skein.node.bench.BenchOptions.Own;
import skein.node.bench.BenchOptions.Target;
import skein.node.bench.BenchOptions.Versions;
import skein.node.cli.CredentialOptions;
import skein.node.cli.TrustOptions;
import skein.node.config.DatabaseConfig;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;

/** The target of {@code skein bench}: an existing cluster, or how to start one. */
final class BenchTargetOptions {
  private static final int NODES_MAX = 16;
  private static final int PORT_MAX = 65_000;
  private static final Set<String> SCHEMES = Set.of("http", "https");

  @Option(
      names = "--url",
      split = ",",
      paramLabel = "URL",
      description =
          "The nodes of a running cluster, as http://a:5001,http://b:5001 or https://a,https://b.")
  private List<URI> urls = List.of();

  @Mixin private CredentialOptions credentials = new CredentialOptions();
  @Mixin private TrustOptions trust = new TrustOptions();

  @Option(
      names = "--db",
      paramLabel = "URL",
      description = "Its database; the password may stand in SKEIN_DATABASE_PASSWORD.")
  private @Nullable String database;

  @Option(names = "--nodes", paramLabel = "N", description = "Nodes to start. Default: 1.")
  private int nodes = 1;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "HTTP port of the first of them. Default: a free one.")
  private int port;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "Largest heap of each of them. Default: 256m.")
  private String heap = "256m";

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description = "Keep data and logs here, below skein-bench-*. Default: deleted afterwards.")
  private @Nullable Path data;

  @Option(
      names = "--secured",
      description =
          "Start them with HTTPS, TLS between them and to their database, and authenticated"
              + " callers; certificates and secrets are made for it.")
  private boolean secured;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the nodes that are started; may be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  /**
   * Throws {@code IllegalArgumentException} with a sentence about what is wrong, what {@link
   * NodeConfig#from} throws for settings, or {@code CannotStartException} for a file of a
   * credential or an authority that cannot be used.
   */
  Target read() {
    if (urls.isEmpty() != (database == null)) {
      throw new IllegalArgumentException(
          "--url and --db go together: a cluster that is there, and its database");
    }
    if (!urls.stream().allMatch(BenchTargetOptions::isAddress)) {
      throw new IllegalArgumentException(
          "--url must be like http://host:5001 or https://host, not " + urls);
    }
    if (secured && !urls.isEmpty()) {
      throw new IllegalArgumentException(
          "--secured is for nodes that the bench starts: leave out --url");
    }
    if (!heap.matches("\\d{1,6}[kmgKMG]")) {
      throw new IllegalArgumentException("--heap must be like 256m, not " + heap);
    }
    BenchLoadOptions.require("--nodes", nodes, 1, NODES_MAX);
    BenchLoadOptions.require("--port", port, 0, PORT_MAX);
    NodeConfig.from(new Settings(null, Map.of(), settings)); // wrong ones are told before a start
    var build = BuildInfo.read();
    return new Target(
        urls,
        database == null ? null : named(database),
        urls.isEmpty() ? Access.NONE : new Access(trust.context(), credentials.authorization()),
        new Own(data, nodes, port, heap, secured, settings),
        new Versions(build.version(), build.postgresql()));
  }

  private static boolean isAddress(URI url) {
    return SCHEMES.contains(String.valueOf(url.getScheme())) && url.getHost() != null;
  }

  private DatabaseConfig named(String url) {
    var flags = new LinkedHashMap<>(settings);
    flags.put("database.url", url);
    return NodeConfig.from(new Settings(null, System.getenv(), flags)).database();
  }
}
