package skein.timers;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.codecs.BadBytesException;
import skein.loop.EventLoop;
import skein.loop.EventLoop.Cancellable;
import skein.loop.VertxEventLoop;
import skein.messages.Addresses;
import skein.messages.ClusterEvent;
import skein.model.Timer;

/**
 * Takes part in the scheduler: fires the due timers of the shards that this node leads. Deploy on
 * an event loop.
 */
public final class TimersVerticle extends VerticleBase {
  private final TimersDependencies dependencies;
  private volatile @Nullable Started started;

  private record Started(EventLoop loop, LedShards shards) {}

  public TimersVerticle(TimersDependencies dependencies) {
    this.dependencies = dependencies;
  }

  @Override
  public Future<?> start() {
    var loop = new VertxEventLoop(vertx, context);
    var shards = new LedShards(loop, dependencies, new OnEventBus(vertx.eventBus(), dependencies));
    started = new Started(loop, shards);
    dependencies.cluster().onChange(() -> loop.execute(shards::membersChanged));
    vertx
        .eventBus()
        .<String>consumer(
            Addresses.SCHEDULER,
            message -> {
              if (!message.body().equals(dependencies.cluster().nodeId())) {
                shards.othersChanged();
              }
            });
    shards.start();
    return Future.succeededFuture();
  }

  private record OnEventBus(EventBus bus, TimersDependencies dependencies) implements TimersBus {
    @Override
    public void announce() {
      bus.publish(Addresses.SCHEDULER, dependencies.cluster().nodeId());
    }

    @Override
    public Cancellable nudges(int shard, Consumer<List<Timer>> listener) {
      var address = Addresses.timers(shard, dependencies.options().shards());
      var consumer =
          bus.<ClusterEvent.TimersMade>consumer(address, message -> pass(message, listener));
      return consumer::unregister;
    }

    /** Timers that a newer node has announced are in the rows as well. */
    private static void pass(
        Message<ClusterEvent.TimersMade> message, Consumer<List<Timer>> listener) {
      List<Timer> timers;
      try {
        timers = message.body().timers();
      } catch (BadBytesException _) {
        return;
      }
      listener.accept(timers);
    }
  }

  /** Numbers of the shards that this node leads now; from any thread, after the start. */
  public Future<List<Integer>> shards() {
    var running = Objects.requireNonNull(started);
    return on(running.loop(), () -> Future.succeededFuture(running.shards().numbers()));
  }

  /**
   * Gives up all leases, so that other nodes take over at once; this one takes none any more. From
   * any thread; may be repeated.
   */
  public Future<Void> resign() {
    var running = started;
    return running == null
        ? Future.succeededFuture()
        : on(running.loop(), running.shards()::resign);
  }

  private static <T extends @Nullable Object> Future<T> on(
      EventLoop loop, Supplier<Future<T>> what) {
    Promise<T> done = Promise.promise();
    loop.execute(() -> what.get().onComplete(done));
    return done.future();
  }

  @Override
  public Future<?> stop() {
    return resign();
  }
}
