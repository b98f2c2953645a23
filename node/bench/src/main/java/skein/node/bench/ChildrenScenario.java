package skein.node.bench;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One instance that starts many others at once and waits for all of them: an operation is one of
 * these, and what is measured ends when their parent has.
 */
final class ChildrenScenario implements OpenScenario {
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final Duration ENDED_MAX = Duration.ofMinutes(10);
  private static final int WARM_UP_MAX = 1_000;

  @Override
  public ScenarioName name() {
    return ScenarioName.CHILDREN;
  }

  @Override
  public List<Result> measure(Stage stage) {
    int count = stage.options().population().children();
    var load = stage.options().load();
    warmUp(stage, Math.min(count, WARM_UP_MAX), load.warmUp());
    stage.api().publish(Definitions.parent(count));
    var before = stage.limit();
    var runs = IntStream.range(0, load.runs()).mapToObj(_ -> run(stage, count)).toList();
    var limit = Limit.Figure.best(before, stage.limit());
    var failed = runs.stream().filter(run -> run.outcome().failures() > 0).findFirst();
    var told = failed.orElse(Median.of(runs, run -> run.outcome().perSecond()));
    return List.of(
        new Result(
            new Result.Setup(name().label(), 1, stage.cluster().urls().size(), null),
            told,
            runs.stream().map(run -> run.outcome().perSecond()).toList(),
            limit,
            stage.surroundings(),
            new JsonObject().put("children", count)));
  }

  private static void warmUp(Stage stage, int count, Duration time) {
    stage.api().publish(Definitions.parent(count));
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      stage.say("children: warming up");
      awaitEnd(stage, startParent(stage));
    }
  }

  private static Measured run(Stage stage, int count) {
    stage.checkpoint();
    var counted = stage.counted();
    var before = stage.meter().read();
    stage.say("children: one instance starts " + count);
    long start = System.nanoTime();
    var parent = startParent(stage);
    boolean ended = awaitEnd(stage, parent);
    long nanos = System.nanoTime() - start;
    var cost = stage.meter().read().minus(before);
    var changed = stage.counted().minus(counted);
    long good = finishedChildren(stage, parent);
    return Measured.of(outcome(good, count, ended, nanos), cost)
        .with(changed)
        .with(stage.meter().held());
  }

  private static Outcome outcome(long good, int count, boolean ended, long nanos) {
    long failures = Math.abs(count - good) + (ended ? 0 : 1);
    var errors =
        failures == 0
            ? List.<String>of()
            : List.of(
                good
                    + " of "
                    + count
                    + " children ended"
                    + (ended ? "" : ", and not their parent"));
    return new Outcome(good, failures, errors, Outcome.histogram(), nanos);
  }

  private static String startParent(Stage stage) {
    return stage.api().start(new JsonObject().put("definitionId", Definitions.PARENT));
  }

  private static boolean awaitEnd(Stage stage, String id) {
    long end = System.nanoTime() + ENDED_MAX.toNanos();
    while (System.nanoTime() < end) {
      var row =
          stage
              .sql()
              .row("select finished_at is not null from workflow_instances where id = $1", id);
      if (row.getBoolean(0)) {
        return true;
      }
      Pause.of(LOOK_EVERY);
    }
    return false;
  }

  private static long finishedChildren(Stage stage, String parent) {
    return stage
        .sql()
        .row(
            "select count(*) from workflow_instances where parent_id = $1 and status = 'Completed'",
            parent)
        .getLong(0);
  }
}
