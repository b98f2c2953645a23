package skein.node;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import skein.node.bench.Bench;
import skein.node.bench.BenchOptions;
import skein.node.bench.Progress;
import skein.node.bench.ScenarioName;
import skein.node.logging.Logging;

@Command(
    name = "bench",
    description =
        "Measure a cluster: operations a second, what each costs, and the ratio to what its"
            + " PostgreSQL can commit. Starts one of its own unless --url names one.",
    mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
  private static final Duration STOP_MAX = Duration.ofSeconds(60);
  private static final String ALL = "all";
  private static final int COMPARED_RUNS = 5;

  private enum Output {
    JSON,
    TABLE
  }

  @Option(
      names = "--scenario",
      split = ",",
      paramLabel = "NAME",
      description =
          "start, steps, resume, event, fan-out, timers, catch-up, hot, http, children, list, soak;"
              + " or all, which is all but soak.")
  private List<String> scenarios = List.of(ALL);

  @Mixin private BenchLoadOptions load = new BenchLoadOptions();

  @Mixin private BenchTargetOptions target = new BenchTargetOptions();

  @Option(
      names = "--compare",
      paramLabel = "REF",
      description =
          "Measure another commit in turn, which is built for it, or the build of the checkout in"
              + " this folder.")
  private @Nullable String compareTo;

  @Option(
      names = "--profile",
      paramLabel = "FOLDER",
      description =
          "After each measurement write there where the processor time of an operation goes, and"
              + " all stacks.")
  private @Nullable Path profile;

  @Option(names = "--output", paramLabel = "FORM", description = "json or table. Default: table.")
  private Output output = Output.TABLE;

  @Option(names = "--quiet", description = "Print no progress.")
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
    return report.failures().isEmpty() ? 0 : 1;
  }

  private BenchOptions options() {
    try {
      return new BenchOptions(
          names(),
          load.load(compareTo == null ? 1 : COMPARED_RUNS),
          load.population(),
          target.read(),
          compareTo,
          profile);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private List<ScenarioName> names() {
    var names = new ArrayList<ScenarioName>();
    for (var text : scenarios) {
      if (text.equals(ALL)) {
        boolean any = compareTo == null && profile == null;
        ScenarioName.all().stream().filter(name -> any || name.isClosed()).forEach(names::add);
      } else {
        names.add(name(text));
      }
    }
    return names.stream().distinct().toList();
  }

  private static ScenarioName name(String text) {
    return Arrays.stream(ScenarioName.values())
        .filter(name -> name.label().equals(text.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("There is no scenario " + text + ": " + known()));
  }

  private static String known() {
    return Arrays.stream(ScenarioName.values())
            .map(ScenarioName::label)
            .collect(Collectors.joining(", "))
        + " and "
        + ALL;
  }
}
