package skein.timers;

import io.vertx.core.Future;
import java.util.List;
import java.util.TreeMap;
import skein.loop.EventLoop;
import skein.loop.EventLoop.Cancellable;
import skein.storage.TimerShard;

/** The shards that this node leads, each with its scheduler. Confined to one event loop. */
final class LedShards {
  private final EventLoop loop;
  private final TimersDependencies dependencies;
  private final TimersBus bus;
  private final Leadership leadership;
  private final PayloadBudget payloadBudget;
  private final TreeMap<Integer, Led> led = new TreeMap<>();
  private Future<Void> synchronizing = Future.succeededFuture();
  private long synchronizedNanos;

  /** Nudges go to the leader alone: no other node listens. */
  private record Led(Scheduler scheduler, Cancellable nudges) {}

  LedShards(EventLoop loop, TimersDependencies dependencies, TimersBus bus) {
    this.loop = loop;
    this.dependencies = dependencies;
    this.bus = bus;
    this.synchronizedNanos =
        loop.nanoTime() - dependencies.options().reading().pollInterval().toNanos();
    this.payloadBudget =
        new PayloadBudget(loop, dependencies.options().firing().payloads().bytesMax());
    this.leadership = new Leadership(loop, dependencies, bus, new Schedulers());
  }

  void start() {
    loop.check();
    leadership.start();
  }

  void membersChanged() {
    loop.check();
    leadership.membersChanged();
  }

  /** Another node has joined, or has leases to give. */
  void othersChanged() {
    loop.check();
    leadership.othersChanged();
  }

  /** Numbers of the shards that this node leads now. */
  List<Integer> numbers() {
    loop.check();
    return List.copyOf(led.keySet());
  }

  /** Leads no longer, and lets others take over at once. May be repeated. */
  Future<Void> resign() {
    loop.check();
    return leadership.resign();
  }

  private final class Schedulers implements Leadership.Office {
    @Override
    public void begin(TimerShard shard, long epoch) {
      end(shard);
      var router = dependencies.router();
      var scheduler =
          new Scheduler(
              loop,
              dependencies,
              shard,
              () -> leadership.leads(shard) && router.quiescence().acceptsNewWork(),
              LedShards.this::synchronizedClock,
              payloadBudget);
      led.put(shard.number(), new Led(scheduler, bus.nudges(shard.number(), scheduler::nudged)));
      scheduler.begin();
    }

    @Override
    public void end(TimerShard shard) {
      var ended = led.remove(shard.number());
      if (ended != null) {
        ended.scheduler().end();
        ended.nudges().cancel();
      }
    }
  }

  /** All shards of this node poll by one reading of the clock. */
  private Future<Void> synchronizedClock() {
    long now = loop.nanoTime();
    boolean old =
        now - synchronizedNanos > dependencies.options().reading().pollInterval().toNanos() / 2;
    if (synchronizing.isComplete() && (old || synchronizing.failed())) {
      synchronizedNanos = now;
      synchronizing = loop.bring(dependencies.clock().synchronize());
    }
    return synchronizing;
  }
}
