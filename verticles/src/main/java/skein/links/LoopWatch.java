package skein.links;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sees when an event loop of this node stands still. Connections between nodes are spread over all
 * loops: what is not read or sent by one that is busy is not lost by the link. Thread-safe.
 */
final class LoopWatch {
  private final Queue<AtomicLong> beats = new ConcurrentLinkedQueue<>();

  /** Notes on each event loop, once an {@code interval}, that it runs. */
  Future<?> start(Vertx vertx, Duration interval) {
    var onEachLoop =
        new DeploymentOptions().setInstances(VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE);
    return vertx.deployVerticle(() -> new Beat(interval), onEachLoop);
  }

  /** Whether a loop has not run for longer than that; {@code now}: by {@link System#nanoTime}. */
  boolean isLate(long now, long maxNanos) {
    return beats.stream().anyMatch(beat -> now - beat.get() > maxNanos);
  }

  private final class Beat extends VerticleBase {
    private final Duration interval;

    Beat(Duration interval) {
      this.interval = interval;
    }

    @Override
    public Future<?> start() {
      var last = new AtomicLong(System.nanoTime());
      beats.add(last);
      vertx.setPeriodic(interval.toMillis(), _ -> last.set(System.nanoTime()));
      return Future.succeededFuture();
    }
  }
}
