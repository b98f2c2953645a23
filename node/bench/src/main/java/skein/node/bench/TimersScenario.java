package skein.node.bench;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Delays that end: many at one instant, to see how fast they are worked off, and then a steady
 * flow, to see how late each is; while many more are far in the future. How long nodes take to
 * start is measured without those and with them, where this may stop nodes.
 */
final class TimersScenario implements OpenScenario {
  private static final Duration FAR = Duration.ofDays(30);

  /** Written rows a second, in the worst case. */
  private static final int WRITTEN_PER_SECOND = 4_000;

  private static final Duration AHEAD = Duration.ofSeconds(6);
  private static final Duration FIRED_MAX = Duration.ofMinutes(2);
  private static final int WARM_UP_MAX = 2_000;

  private record Run(Measured measured, JsonObject more) {}

  @Override
  public ScenarioName name() {
    return ScenarioName.TIMERS;
  }

  @Override
  public List<Result> measure(Stage stage) {
    var more = new JsonObject().put("pending", stage.options().population().pending());
    boolean commitTimes = stage.hasCommitTimes();
    writePending(stage, commitTimes, more);
    more.put("latenessBy", commitTimes ? "commit" : "finished_at");
    var due = new DueTimers(stage, Definitions.DUE, commitTimes);
    var steady = new DueTimers(stage, Definitions.STEADY, commitTimes);
    warmUp(stage, due);
    var before = stage.limit();
    var runs =
        IntStream.range(0, stage.options().load().runs())
            .mapToObj(number -> run(stage, due, steady, number))
            .toList();
    var limit = Limit.Figure.best(before, stage.limit());
    var median = Median.of(runs, run -> run.measured().outcome().perSecond());
    var failed = runs.stream().filter(run -> run.measured().outcome().failures() > 0).findFirst();
    var told = failed.orElse(median);
    return List.of(
        new Result(
            new Result.Setup(
                name().label(),
                0,
                stage.cluster().urls().size(),
                stage.options().population().pending()),
            told.measured(),
            runs.stream().map(run -> run.measured().outcome().perSecond()).toList(),
            limit,
            stage.surroundings(),
            more.mergeIn(told.more())));
  }

  private static void writePending(Stage stage, boolean commitTimes, JsonObject more) {
    int count = stage.options().population().pending();
    boolean own = stage.cluster().isOwn();
    if (own) {
      stage.say("starting the nodes without timers");
      more.put("readyMillisWithoutPending", stage.restartNodes().toMillis());
    }
    if (count > 0) {
      var pending = new DueTimers(stage, Definitions.PENDING, commitTimes);
      var far = DueTimers.now(stage.sql()).plus(FAR);
      pending.write("pending", count, number -> far.plusMillis(number));
      pending.vacuum();
    }
    if (own) {
      stage.say("starting the nodes with " + count + " timers");
      more.put("readyMillisWithPending", stage.restartNodes().toMillis());
    }
  }

  private static void warmUp(Stage stage, DueTimers due) {
    long end = System.nanoTime() + stage.options().load().warmUp().toNanos();
    int count = Math.min(WARM_UP_MAX, stage.options().population().due());
    for (int round = 0; System.nanoTime() < end; round++) {
      var group = "warm-up-" + round;
      var at = soon(stage, count);
      due.write(group, count, _ -> at);
      stage.say("timers: warming up");
      due.awaitFired(group, at, FIRED_MAX);
    }
  }

  /** An instant before which that many timers can be written. */
  static Instant soon(Stage stage, int count) {
    long seconds = AHEAD.toSeconds() + count / WRITTEN_PER_SECOND;
    return DueTimers.now(stage.sql()).plusSeconds(seconds);
  }

  private static Run run(Stage stage, DueTimers due, DueTimers steady, int number) {
    var drained = drain(stage, due, "due-" + number);
    var more = new JsonObject().put("drainedPerSecond", drained.outcome().perSecond());
    var errors = new ArrayList<>(drained.outcome().errors());
    long failures =
        drained.outcome().failures() + flow(stage, steady, "steady-" + number, more, errors);
    return new Run(drained.failing(failures, errors), more);
  }

  /** All at one instant. */
  private static Measured drain(Stage stage, DueTimers due, String group) {
    int count = stage.options().population().due();
    stage.checkpoint();
    var at = soon(stage, count);
    due.write(group, count, _ -> at);
    var counted = stage.counted();
    var before = stage.meter().read();
    stage.say("timers: " + count + " fall due at one instant");
    due.awaitFired(group, at, FIRED_MAX);
    var cost = stage.meter().read().minus(before);
    var changed = stage.counted().minus(counted);
    var outcome = outcome(count, Lateness.of(due.lateness(group)));
    return Measured.of(outcome, cost).with(changed).with(stage.meter().held());
  }

  private static Outcome outcome(int count, Lateness late) {
    var errors = late.problems(count);
    long failures = (long) count - late.count() + late.early();
    return new Outcome(late.count(), failures, errors, Outcome.histogram(), late.max().toNanos());
  }

  /** One after the other; returns how many failed. */
  private static long flow(
      Stage stage, DueTimers steady, String group, JsonObject more, List<String> errors) {
    var load = stage.options().load();
    int count = Math.toIntExact(load.rate() * load.measured().toSeconds());
    var first = soon(stage, count);
    var apart = Duration.ofSeconds(1).dividedBy(load.rate());
    var last = first.plus(apart.multipliedBy(count));
    steady.write(group, count, number -> first.plus(apart.multipliedBy(number)));
    stage.say("timers: " + load.rate() + " a second");
    var left = Duration.between(DueTimers.now(stage.sql()), last);
    Pause.of(left.isNegative() ? Duration.ZERO : left); // looking would be load
    steady.awaitFired(group, last, FIRED_MAX);
    var late = Lateness.of(steady.lateness(group));
    late.addTo(more.put("ratePerSecond", load.rate()));
    errors.addAll(late.problems(count));
    return (long) count - late.count() + late.early();
  }
}
