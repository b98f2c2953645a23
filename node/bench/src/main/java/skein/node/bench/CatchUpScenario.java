package skein.node.bench;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A backlog of timers that is worked off while callers start workflows at a fixed rate: what it
 * does to those callers, against the same rate without it.
 */
final class CatchUpScenario implements OpenScenario {
  private static final Duration STRETCH = Duration.ofMillis(500);
  private static final Duration CAUGHT_UP_MAX = Duration.ofMinutes(10);
  private static final Duration WARM_UP_STRETCH_MAX = Duration.ofSeconds(10);

  /** {@code caughtUp}: timers a second. */
  private record Run(Measured starts, double caughtUp, List<String> problems) {}

  @Override
  public ScenarioName name() {
    return ScenarioName.CATCH_UP;
  }

  @Override
  public List<Result> measure(Stage stage) {
    var load = stage.options().load();
    var backlog = new DueTimers(stage, Definitions.DUE, stage.hasCommitTimes());
    warmUp(stage, backlog);
    var limit = stage.limit();
    stage.checkpoint();
    stage.say("catch-up: " + load.rate() + " starts a second without a backlog");
    var usual = starts(stage, load.measured());
    var runs =
        IntStream.range(0, load.runs())
            .mapToObj(number -> run(stage, backlog, "backlog-" + number))
            .toList();
    var told = Median.of(runs, Run::caughtUp);
    var more = new JsonObject().put("ratePerSecond", load.rate());
    addUsual(more, usual, told.starts().outcome());
    more.put("caughtUpPerSecond", Result.rounded(told.caughtUp(), 1));
    var problems = runs.stream().flatMap(run -> run.problems().stream()).toList();
    long failures = told.starts().outcome().failures() + usual.failures() + problems.size();
    var errors = problems.isEmpty() ? told.starts().outcome().errors() : problems;
    return List.of(
        new Result(
            new Result.Setup(
                name().label(),
                load.callersMax(),
                stage.cluster().urls().size(),
                stage.options().population().due()),
            told.starts().failing(failures, errors),
            runs.stream().map(Run::caughtUp).toList(),
            Limit.Figure.best(limit, stage.limit()),
            stage.surroundings(),
            more));
  }

  private static void warmUp(Stage stage, DueTimers backlog) {
    var time = stage.options().load().warmUp();
    var stretch = time.compareTo(WARM_UP_STRETCH_MAX) < 0 ? time : WARM_UP_STRETCH_MAX;
    long end = System.nanoTime() + time.toNanos();
    for (int round = 0; System.nanoTime() < end; round++) {
      run(stage, backlog, "warm-up-" + round);
      starts(stage, stretch);
    }
  }

  private static Outcome starts(Stage stage, Duration time) {
    var load = stage.options().load();
    var apart = Duration.ofSeconds(1).dividedBy(load.rate());
    var work = Fixed.starts(Long.MAX_VALUE);
    return Generator.end(stage.generator().begin(work, load.callersMax(), time, apart));
  }

  /** All fall due at one instant; what is measured ends when the last has. */
  private static Run run(Stage stage, DueTimers backlog, String group) {
    int count = stage.options().population().due();
    var at = TimersScenario.soon(stage, count);
    backlog.write(group, count, _ -> at);
    stage.checkpoint();
    Pause.of(Duration.between(DueTimers.now(stage.sql()), at));
    stage.say("catch-up: " + count + " timers are due");
    var outcome = Outcome.none();
    long end = System.nanoTime() + CAUGHT_UP_MAX.toNanos();
    while (backlog.unfinished(group) > 0 && System.nanoTime() < end) {
      outcome = outcome.plus(starts(stage, STRETCH));
    }
    var late = Lateness.of(backlog.lateness(group));
    double caughtUp = late.count() * 1e9 / Math.max(1, late.max().toNanos());
    return new Run(
        Measured.of(outcome, Reading.NOTHING).with(stage.meter().held()),
        caughtUp,
        late.problems(count));
  }

  private static void addUsual(JsonObject more, Outcome usual, Outcome during) {
    double before = usual.micros().getValueAtPercentile(99) / 1e3;
    double then = during.micros().getValueAtPercentile(99) / 1e3;
    more.put("usualP50Millis", usual.micros().getValueAtPercentile(50) / 1e3)
        .put("usualP99Millis", before)
        .put("p99ToUsual", before == 0 ? null : Result.rounded(then / before, 2));
  }
}
