package skein.timers;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import skein.codecs.BadBytesException;
import skein.messages.Addresses;
import skein.messages.ClusterEvent;
import skein.model.Timer;
import skein.storage.TimerShard;

/**
 * Takes part in the scheduler: fires what is due of the shards that this node leads. Deploy on an
 * event loop.
 */
public final class TimersVerticle extends VerticleBase {
  private final TimersParts parts;
  private final Map<TimerShard, Reign> reigns = new HashMap<>();
  private @Nullable Leadership leadership;
  private volatile @Nullable Context own;
  private Future<Void> synchronizing = Future.succeededFuture();
  private long synchronizedNanos;

  /** Nudges go to the leader alone: nobody else listens. */
  private record Reign(Scheduler scheduler, MessageConsumer<ClusterEvent.TimersMade> nudges) {}

  public TimersVerticle(TimersParts parts) {
    this.parts = parts;
  }

  @Override
  public Future<?> start() {
    var elected = new Leadership(vertx, parts, System::nanoTime, new Firing());
    leadership = elected;
    own = context;
    synchronizedNanos = System.nanoTime() - parts.options().pollInterval().toNanos();
    parts.cluster().onChange(() -> context.runOnContext(_ -> elected.membersChanged()));
    vertx
        .eventBus()
        .<String>consumer(
            Addresses.SCHEDULER,
            message -> {
              if (!message.body().equals(parts.cluster().nodeId())) {
                elected.othersChanged();
              }
            });
    elected.start();
    return Future.succeededFuture();
  }

  private final class Firing implements Leadership.Office {
    @Override
    public void begin(TimerShard shard, long epoch) {
      end(shard);
      var elected = Objects.requireNonNull(leadership);
      var scheduler =
          new Scheduler(
              vertx,
              parts,
              shard,
              () -> elected.leads(shard),
              TimersVerticle.this::synchronizedClock);
      var nudges =
          vertx
              .eventBus()
              .<ClusterEvent.TimersMade>consumer(
                  Addresses.timers(shard.number(), shard.count()),
                  message -> nudged(scheduler, message));
      reigns.put(shard, new Reign(scheduler, nudges));
      scheduler.begin();
    }

    @Override
    public void end(TimerShard shard) {
      var reign = reigns.remove(shard);
      if (reign != null) {
        reign.scheduler().end();
        reign.nudges().unregister();
      }
    }
  }

  /** What a newer node has said of its timers is in the rows as well. */
  private static void nudged(Scheduler scheduler, Message<ClusterEvent.TimersMade> message) {
    List<Timer> timers;
    try {
      timers = message.body().timers();
    } catch (BadBytesException _) {
      return;
    }
    scheduler.nudged(timers);
  }

  /** All shards of this node poll by one reading of the clock. */
  private Future<Void> synchronizedClock() {
    long now = System.nanoTime();
    boolean old = now - synchronizedNanos > parts.options().pollInterval().toNanos() / 2;
    if (synchronizing.isComplete() && (old || synchronizing.failed())) {
      synchronizedNanos = now;
      synchronizing = parts.clock().synchronize();
    }
    return synchronizing;
  }

  /** Numbers of the shards that this node leads now; from any thread, after the start. */
  public Future<List<Integer>> shards() {
    Promise<List<Integer>> found = Promise.promise();
    context.runOnContext(
        _ -> found.complete(reigns.keySet().stream().map(TimerShard::number).sorted().toList()));
    return found.future();
  }

  /**
   * Gives up all leases, so that other nodes take over at once; this one takes none any more. From
   * any thread; may be repeated.
   */
  public Future<Void> resign() {
    var context = own;
    if (context == null) {
      return Future.succeededFuture();
    }
    Promise<Void> done = Promise.promise();
    context.runOnContext(_ -> resignHere().onComplete(done));
    return done.future();
  }

  private Future<Void> resignHere() {
    return leadership == null ? Future.succeededFuture() : leadership.resign();
  }

  @Override
  public Future<?> stop() {
    return resignHere();
  }
}
