package skein.node;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import skein.node.bench.BenchOptions.By;
import skein.node.bench.BenchOptions.Load;
import skein.node.bench.BenchOptions.Population;

/** How {@code skein bench} measures. */
final class BenchLoadOptions {
  private static final int CALLERS_MAX = 10_000;
  private static final int SECONDS_MAX = 7 * 24 * 3_600;
  private static final int WARM_UP_MAX = 3_600;
  private static final int RUNS_MAX = 100;
  private static final int LIMIT_SECONDS_MAX = 600;
  private static final int ROWS_MAX = 10_000_000;
  private static final int DUE_MAX = 1_000_000;

  /** More than {@code execution.children-per-burst-max} has by default, which may be set. */
  private static final int CHILDREN_MAX = 1_000_000;

  private static final int RATE_MAX = 100_000;

  @Option(
      names = "--callers",
      split = ",",
      paramLabel = "N",
      description =
          "Callers, each of which sends its next request after an answer. Default: 1,16,128.")
  private List<Integer> callers = List.of(1, 16, 128);

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long each measurement takes. Default: 20.")
  private int seconds = 20;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      description = "Seconds before the first of them. Default: 20.")
  private int warmUp = 20;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Runs of each; the median is reported. Default: 1, with --compare 5.")
  private @Nullable Integer runs;

  @Option(
      names = "--limit-seconds",
      paramLabel = "N",
      description =
          "How long the limit is measured with each number of connections; 0: not at all."
              + " Default: 4.")
  private int limitSeconds = 4;

  @Option(
      names = "--waiting",
      paramLabel = "N",
      description = "Instances that wait, of resume, event and soak. Default: 10000.")
  private int waiting = 10_000;

  @Option(
      names = "--by",
      paramLabel = "WAY",
      description = "How resumes name what they resume: api or token. Default: api.")
  private By by = By.API;

  @Option(
      names = "--pending",
      paramLabel = "N",
      description = "Timers far in the future, of timers. Default: 100000.")
  private int pending = 100_000;

  @Option(
      names = "--due",
      paramLabel = "N",
      description = "Timers due at one instant, of timers. Default: 20000.")
  private int due = 20_000;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Operations a second, of timers and soak. Default: 200.")
  private int rate = 200;

  @Option(
      names = "--children",
      paramLabel = "N",
      description = "Instances that one parent starts, of children. Default: 10000.")
  private int children = 10_000;

  /**
   * Throws {@code IllegalArgumentException} with a sentence about what is wrong.
   *
   * @param runsByDefault how often each is repeated unless it was said
   */
  Load load(int runsByDefault) {
    int repeats = runs == null ? runsByDefault : runs;
    callers.forEach(number -> require("--callers", number, 1, CALLERS_MAX));
    require("--seconds", seconds, 1, SECONDS_MAX);
    require("--warmup", warmUp, 0, WARM_UP_MAX);
    require("--runs", repeats, 1, RUNS_MAX);
    require("--limit-seconds", limitSeconds, 0, LIMIT_SECONDS_MAX);
    require("--rate", rate, 1, RATE_MAX);
    return new Load(
        callers,
        Duration.ofSeconds(seconds),
        Duration.ofSeconds(warmUp),
        repeats,
        Duration.ofSeconds(limitSeconds),
        rate);
  }

  /** Throws as {@link #load} does. */
  Population population() {
    require("--waiting", waiting, 1, ROWS_MAX);
    require("--pending", pending, 0, ROWS_MAX);
    require("--due", due, 1, DUE_MAX);
    require("--children", children, 1, CHILDREN_MAX);
    return new Population(waiting, by, pending, due, children);
  }

  static void require(String option, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          option + " must be " + min + " to " + max + ", not " + value);
    }
  }
}
