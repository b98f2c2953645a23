package skein.node;

import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import skein.node.bench.Bench;
import skein.node.bench.BenchOptions;
import skein.node.bench.BenchOptions.By;
import skein.node.bench.BenchOptions.Load;
import skein.node.bench.BenchOptions.Population;
import skein.node.bench.BenchOptions.Target;
import skein.node.bench.BenchOptions.Versions;
import skein.node.bench.Progress;
import skein.node.bench.ScenarioName;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;
import skein.node.logging.Logging;

@Command(
    name = "bench",
    description =
        "Measure a cluster: operations a second, what each costs, and the ratio to what its"
            + " PostgreSQL can commit. Starts one of its own unless --url names one.",
    mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
  private static final Duration STOP_MAX = Duration.ofSeconds(60);
  private static final int CALLERS_MAX = 10_000;

  private enum Output {
    JSON,
    TABLE
  }

  @Option(
      names = "--scenario",
      split = ",",
      paramLabel = "NAME",
      description =
          "start, resume, event, timers, hot, http, soak; several, or all but soak as all.")
  private List<String> scenarios = List.of("all");

  @Option(
      names = "--callers",
      split = ",",
      paramLabel = "N",
      description = "Connections that ask, each again when it has its answer. Default: 1,16,128.")
  private List<Integer> callers = List.of(1, 16, 128);

  @Option(names = "--seconds", description = "How long each measurement takes. Default: 20.")
  private int seconds = 20;

  @Option(names = "--warmup", description = "Seconds before the first of them. Default: 10.")
  private int warmUp = 10;

  @Option(names = "--runs", description = "Repeats of each; the median is told. Default: 1.")
  private int runs = 1;

  @Option(
      names = "--limit-seconds",
      description = "How long the limit is measured with each number of connections. Default: 4.")
  private int limitSeconds = 4;

  @Option(
      names = "--waiting",
      paramLabel = "N",
      description = "Instances that wait, of resume and event. Default: 10000.")
  private int waiting = 10_000;

  @Option(names = "--by", description = "How resumes name them: api or token. Default: api.")
  private By by = By.API;

  @Option(
      names = "--pending",
      description = "Timers far in the future, of timers. Default: 100000.")
  private int pending = 100_000;

  @Option(names = "--due", description = "Timers due at one instant, of timers. Default: 20000.")
  private int due = 20_000;

  @Option(names = "--rate", description = "A second, of timers and soak. Default: 200.")
  private int rate = 200;

  @Option(
      names = "--url",
      split = ",",
      paramLabel = "URL",
      description = "The nodes of a cluster that is there, as http://a:5001,http://b:5001.")
  private List<URI> urls = List.of();

  @Option(
      names = "--db",
      paramLabel = "URL",
      description = "Its database; the password may stand in SKEIN_DATABASE_PASSWORD.")
  private @Nullable String database;

  @Option(names = "--nodes", description = "Nodes to start. Default: 1.")
  private int nodes = 1;

  @Option(names = "--port", description = "HTTP port of the first of them. Default: a free one.")
  private int port;

  @Option(names = "--heap", description = "Largest heap of each of them. Default: 256m.")
  private String heap = "256m";

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description = "Keep data and logs here, below skein-bench-*. Default: deleted afterwards.")
  private @Nullable Path data;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the nodes that are started; may be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(names = "--output", description = "json or table. Default: table.")
  private Output output = Output.TABLE;

  @Option(names = "--quiet", description = "Say nothing on the way.")
  private boolean quiet;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    var options = options();
    Logging.silence();
    var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    var bench = new Bench(options, new Progress(err, quiet));
    Shutdown.hook(STOP_MAX).add(bench::close);
    var report = bench.run();
    spec.commandLine().getOut().println(output == Output.JSON ? report.json() : report.table());
    report.failures().forEach(err::println);
    return report.hasFailures() ? 1 : 0;
  }

  private BenchOptions options() {
    require(callers.stream().allMatch(n -> n >= 1 && n <= CALLERS_MAX), "--callers", CALLERS_MAX);
    require(seconds >= 1 && seconds <= 604_800, "--seconds", 604_800);
    require(warmUp >= 0 && warmUp <= 3_600, "--warmup", 3_600);
    require(runs >= 1 && runs <= 100, "--runs", 100);
    require(limitSeconds >= 1 && limitSeconds <= 600, "--limit-seconds", 600);
    require(waiting >= 1 && waiting <= 10_000_000, "--waiting", 10_000_000);
    require(pending >= 0 && pending <= 10_000_000, "--pending", 10_000_000);
    require(due >= 1 && due <= 1_000_000, "--due", 1_000_000);
    require(rate >= 1 && rate <= 100_000, "--rate", 100_000);
    require(nodes >= 1 && nodes <= 16, "--nodes", 16);
    require(port >= 0 && port <= 65_000, "--port", 65_000);
    if (!heap.matches("\\d{1,6}[kmgKMG]")) {
      throw wrong("--heap must be like 256m, not " + heap);
    }
    return new BenchOptions(
        scenarios(),
        new Load(
            callers,
            Duration.ofSeconds(seconds),
            Duration.ofSeconds(warmUp),
            runs,
            Duration.ofSeconds(limitSeconds),
            rate),
        new Population(waiting, by, pending, due),
        target());
  }

  private List<ScenarioName> scenarios() {
    var names = new ArrayList<ScenarioName>();
    for (var text : scenarios) {
      if (text.equals("all")) {
        names.addAll(ScenarioName.all());
      } else {
        try {
          names.add(ScenarioName.valueOf(text.toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException e) {
          throw wrong(
              "--scenario "
                  + text
                  + " is none; there are "
                  + Arrays.toString(ScenarioName.values()).toLowerCase(Locale.ROOT)
                  + " and all");
        }
      }
    }
    return names.stream().distinct().toList();
  }

  private Target target() {
    if (urls.isEmpty() != (database == null)) {
      throw wrong("--url and --db go together: a cluster that is there, and its database");
    }
    if (!urls.stream().allMatch(url -> "http".equals(url.getScheme()) && url.getHost() != null)) {
      throw wrong("--url must be like http://host:5001");
    }
    var build = BuildInfo.read();
    return new Target(
        urls,
        database == null ? null : named(database),
        data,
        nodes,
        port,
        heap,
        settings,
        new Versions(build.version(), build.postgresql()));
  }

  private NodeConfig.Database named(String url) {
    var flags = new LinkedHashMap<>(settings);
    flags.put("database.url", url);
    return NodeConfig.from(new Settings(null, System.getenv(), flags)).database();
  }

  private void require(boolean holds, String option, int max) {
    if (!holds) {
      throw wrong(option + " must be a whole number up to " + max);
    }
  }

  private ParameterException wrong(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }
}
