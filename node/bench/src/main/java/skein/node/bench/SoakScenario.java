package skein.node.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;

/**
 * Starts and resumes at a fixed rate for as long as one likes, while what the nodes hold is looked
 * at again and again: what grows without end is seen.
 */
final class SoakScenario implements OpenScenario {
  private static final Duration SAMPLE_EVERY = Duration.ofSeconds(30);
  private static final int SAMPLES_MIN = 10;
  private static final Duration FILL_MAX = Duration.ofHours(1);

  @Override
  public ScenarioName name() {
    return ScenarioName.SOAK;
  }

  @Override
  public List<Result> measure(Stage stage) {
    stage.api().publish(Definitions.waiting());
    var load = stage.options().load();
    int waiting = stage.options().population().waiting();
    var work = new Mixed(stage.ids(), waiting);
    stage.say("starting " + waiting + " instances that wait");
    stage.generator().run(work, load.callersMax(), FILL_MAX);
    stage.generator().run(work, load.callersMax(), load.warmUp());
    var limit = stage.limit();
    var more = new JsonObject().put("ratePerSecond", load.rate());
    more.put("liveHeapBytesBefore", each(stage, NodeJvm::liveBytes));
    var measured = run(stage, work, more);
    more.put("liveHeapBytesAfter", each(stage, NodeJvm::liveBytes));
    return List.of(
        new Result(
            new Result.Setup(
                name().label(), load.callersMax(), stage.cluster().urls().size(), waiting),
            measured,
            List.of(),
            Limit.Figure.best(limit, stage.limit()),
            stage.surroundings(),
            more));
  }

  private static Measured run(Stage stage, Work work, JsonObject more) {
    var load = stage.options().load();
    var counted = stage.counted();
    var before = stage.meter().read();
    var running =
        stage
            .generator()
            .begin(
                work,
                load.callersMax(),
                load.measured(),
                Duration.ofSeconds(1).dividedBy(load.rate()));
    more.put("curve", curve(stage, running));
    var outcome = Generator.end(running);
    var cost = stage.meter().read().minus(before);
    var changed = stage.counted().minus(counted);
    return Measured.of(outcome, cost).with(changed).with(stage.meter().held());
  }

  /** A sample now and then, until it is over. */
  private static JsonArray curve(Stage stage, CompletableFuture<Outcome> running) {
    var part = stage.options().load().measured().dividedBy(SAMPLES_MIN);
    var every = part.compareTo(SAMPLE_EVERY) < 0 ? part : SAMPLE_EVERY;
    var curve = new JsonArray();
    long begun = System.nanoTime();
    for (int next = 0; !running.isDone(); ) {
      var elapsed = Duration.ofNanos(System.nanoTime() - begun);
      if (elapsed.compareTo(every.multipliedBy(next)) >= 0) {
        curve.add(sample(stage, elapsed));
        next++;
      }
      stage.sayNowAndThen("soak: " + elapsed.toSeconds() + " s");
      Pause.of(Duration.ofSeconds(1));
    }
    return curve;
  }

  private static JsonObject sample(Stage stage, Duration elapsed) {
    return new JsonObject()
        .put("seconds", elapsed.toSeconds())
        .put("rssBytes", each(stage, node -> ProcessCpu.residentBytes(node.process())))
        .put("heapAfterGcBytes", each(stage, NodeJvm::heapAfterCollectionBytes))
        .put("heapUsedBytes", each(stage, NodeJvm::heapUsedBytes))
        .put("threads", each(stage, NodeJvm::threads));
  }

  /** A figure of each node, in their order; of none that was not started here. */
  private static JsonArray each(Stage stage, ToLongFunction<NodeJvm> figure) {
    return new JsonArray(
        stage.meter().nodes().stream().map(figure::applyAsLong).map(Object.class::cast).toList());
  }
}
