package skein.timers;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import skein.cluster.Cluster;
import skein.cluster.Router;
import skein.loop.EventLoop.Cancellable;
import skein.loop.SimulatedLoop;
import skein.model.Timer;
import skein.storage.LeaseStore;
import skein.storage.SimulatedDatabase;
import skein.storage.TimerShard;

/** The scheduler of one node, as {@link TimersVerticle} puts it together. */
public final class SimulatedTimers {
  private static final int SHARDS = 2;
  private static final TimersOptions OPTIONS =
      new TimersOptions(
          Duration.ofMillis(1_500),
          new TimersOptions.Reading(Duration.ofMillis(250), Duration.ofSeconds(2), 4),
          new TimersOptions.Firing(
              6,
              Duration.ofMillis(100),
              Duration.ofSeconds(2),
              new TimersOptions.Payloads(200, 3, Duration.ofMillis(20), 1)),
          SHARDS,
          Duration.ofSeconds(60));

  private final SimulatedLoop loop;
  private final LedShards shards;
  private final Map<Integer, Consumer<List<Timer>>> listeners = new HashMap<>();

  /** {@code announcing}: tells the other nodes that leases have changed hands. */
  public SimulatedTimers(
      SimulatedLoop loop,
      Cluster cluster,
      Router router,
      SimulatedDatabase database,
      LeaseStore leases,
      Runnable announcing) {
    this.loop = loop;
    var dependencies =
        new TimersDependencies(
            OPTIONS,
            cluster,
            router,
            database,
            leases,
            database,
            new SchedulerMeter(loop::nanoTime));
    this.shards =
        new LedShards(
            loop,
            dependencies,
            new TimersBus() {
              @Override
              public void announce() {
                announcing.run();
              }

              @Override
              public Cancellable nudges(int shard, Consumer<List<Timer>> listener) {
                listeners.put(shard, listener);
                return () -> listeners.remove(shard, listener);
              }
            });
    cluster.onChange(() -> loop.execute(shards::membersChanged));
    loop.execute(shards::start);
  }

  public SimulatedLoop loop() {
    return loop;
  }

  /** Other nodes' leases have changed; from anywhere. */
  public void othersChanged() {
    loop.execute(shards::othersChanged);
  }

  /** Timers that fall due soon; from anywhere. */
  public void nudged(List<Timer> timers) {
    loop.execute(() ->
        timers.stream()
            .collect(Collectors.groupingBy(SimulatedTimers::shard))
            .forEach((shard, those) -> {
              var listener = listeners.get(shard);
              if (listener != null) {
                listener.accept(those);
              }
            }));
  }

  private static int shard(Timer timer) {
    return TimerShard.of(timer.instanceId(), SHARDS).number();
  }
}
