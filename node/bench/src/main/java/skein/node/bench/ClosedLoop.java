package skein.node.bench;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Measures a closed scenario. The clock is stopped while a round is filled up, and so are all other
 * figures; those that sessions of the database report late are taken from the first round.
 */
final class ClosedLoop {
  private final Stage stage;
  private final ClosedScenario scenario;
  private final BenchOptions.Load load;

  ClosedLoop(Stage stage, ClosedScenario scenario) {
    this.stage = stage;
    this.scenario = scenario;
    this.load = stage.options().load();
  }

  /** A result for each number of callers. */
  List<Result> measure() {
    prepare();
    var results = new ArrayList<Result>();
    var before = stage.limit();
    for (int callers : load.callers()) {
      var runs = IntStream.range(0, load.runs()).mapToObj(_ -> run(callers, true)).toList();
      var after = stage.limit();
      results.add(result(callers, runs, Limit.Figure.best(before, after)));
      before = after;
      profile(callers);
    }
    return results;
  }

  /** To be called once, before any run. */
  void prepare() {
    scenario.prepare(stage);
    warmUp();
  }

  /** One run by itself: without the limit, and without the figures that sessions report late. */
  Result single(int callers) {
    return result(callers, List.of(run(callers, false)), Limit.Figure.NOT_MEASURED);
  }

  /** One run more, in which the nodes are slower; its figures are not reported. */
  private void profile(int callers) {
    var folder = stage.options().profile();
    if (folder == null) {
      return;
    }
    var profiler = new Profiler(stage.meter(), folder, scenario.name().label() + "-" + callers);
    profiler.begin();
    long left = load.measured().toNanos();
    while (left > 0) {
      var work = scenario.round(stage);
      say("profiling", callers);
      long time = left;
      var outcome =
          profiler.round(() -> stage.generator().run(work, callers, Duration.ofNanos(time)));
      if (outcome.failures() > 0 || outcome.operations() == 0) {
        break;
      }
      left -= outcome.nanos();
    }
    stage.say("the profile is in " + profiler.end());
  }

  /** The first change of a page after a checkpoint logs all of it: that is part of warming up. */
  private void warmUp() {
    stage.checkpoint();
    long left = load.warmUp().toNanos();
    while (left > 0) {
      var work = scenario.round(stage);
      say("warming up", load.callersMax());
      var outcome = stage.generator().run(work, load.callersMax(), Duration.ofNanos(left));
      if (outcome.failures() > 0 || outcome.operations() == 0) {
        return; // the measurement will say why
      }
      left -= outcome.nanos();
    }
  }

  private void say(String what, int callers) {
    stage.say("%s: %s with %d callers".formatted(scenario.name().label(), what, callers));
  }

  /** {@code counting}: with the figures that sessions report late. */
  private Measured run(int callers, boolean counting) {
    var all = Measured.none();
    long left = load.measured().toNanos();
    while (left > 0) {
      var work = scenario.round(stage);
      var round =
          counting && all.outcome().operations() == 0
              ? counted(work, callers, left)
              : next(work, callers, left);
      all = all.plus(round);
      if (round.outcome().failures() > 0 || round.outcome().operations() == 0) {
        break;
      }
      left -= round.outcome().nanos();
    }
    return all.with(stage.meter().held());
  }

  private Measured counted(Work work, int callers, long nanos) {
    var before = stage.counted();
    var round = next(work, callers, nanos);
    var counted = stage.counted().minus(before);
    return round.with(counted);
  }

  private Measured next(Work work, int callers, long nanos) {
    say("measuring", callers);
    var meter = stage.meter();
    var receivedBefore = meter.received();
    var before = meter.read();
    var outcome = stage.generator().run(work, callers, Duration.ofNanos(nanos));
    var cost = meter.read().minus(before);
    return Measured.of(outcome, cost).with(PeerCounters.between(receivedBefore, meter.received()));
  }

  private Result result(int callers, List<Measured> runs, Limit.Figure limit) {
    var failed = runs.stream().filter(run -> run.outcome().failures() > 0).findFirst();
    return new Result(
        new Result.Setup(
            scenario.name().label(),
            callers,
            stage.cluster().urls().size(),
            scenario.waiting(stage.options())),
        failed.orElse(Median.of(runs, run -> run.outcome().perSecond())),
        runs.stream().map(run -> run.outcome().perSecond()).toList(),
        limit,
        stage.surroundings(),
        new JsonObject());
  }
}
