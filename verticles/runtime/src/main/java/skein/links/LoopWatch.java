package skein.links;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Detects when an event loop of this node is blocked or has ended. Connections between nodes are
 * spread over all loops: data that a busy loop has not read or sent is not lost by the link.
 * Thread-safe.
 */
public final class LoopWatch {
  private final Queue<Beat> beats = new ConcurrentLinkedQueue<>();
  private final Consumer<Thread> died;

  /** Without a listener for loops that have ended. */
  LoopWatch() {
    this(_ -> {});
  }

  /** {@code died}: called once for each loop that has ended, on the thread of another one. */
  public LoopWatch(Consumer<Thread> died) {
    this.died = died;
  }

  /** Notes on each event loop, once an {@code interval}, that it runs. */
  public Future<?> start(Vertx vertx, Duration interval) {
    var onEachLoop =
        new DeploymentOptions().setInstances(VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE);
    return vertx.deployVerticle(() -> new Beating(interval), onEachLoop);
  }

  /** Whether a loop has not run for longer than that; {@code now}: by {@link System#nanoTime}. */
  boolean isLate(long now, long maxNanos) {
    return beats.stream().anyMatch(beat -> now - beat.last > maxNanos);
  }

  /** A sentence about a loop that has not run for longer than that; null when there is none. */
  public @Nullable String trouble(long now, Duration max) {
    for (var beat : beats) {
      long late = now - beat.last;
      if (late > max.toNanos()) {
        return "Event loop "
            + beat.thread.getName()
            + " has not turned for "
            + TimeUnit.NANOSECONDS.toMillis(late)
            + " ms";
      }
    }
    return null;
  }

  /**
   * By how much the latest of the loops was late: for its last note, or for the next one, which has
   * not come. {@code now}: by {@link System#nanoTime}.
   */
  public Duration lag(long now) {
    return Duration.ofNanos(beats.stream().mapToLong(beat -> beat.lag(now)).max().orElse(0));
  }

  /** For tests: a loop that beats no more. */
  void add(Thread thread) {
    beats.add(new Beat(thread, Duration.ZERO));
  }

  private void findDead() {
    for (var beat : beats) {
      if (!beat.thread.isAlive() && beat.told.compareAndSet(false, true)) {
        died.accept(beat.thread);
      }
    }
  }

  private static final class Beat {
    final Thread thread;
    final AtomicBoolean told = new AtomicBoolean();
    private final long intervalNanos;
    volatile long last = System.nanoTime();
    private volatile long lateNanos;

    Beat(Thread thread, Duration interval) {
      this.thread = thread;
      this.intervalNanos = interval.toNanos();
    }

    /** Called by the loop itself. */
    void turned(long now) {
      lateNanos = late(now);
      last = now;
    }

    long lag(long now) {
      return Math.max(lateNanos, late(now));
    }

    private long late(long now) {
      return Math.max(0, now - last - intervalNanos);
    }
  }

  private final class Beating extends VerticleBase {
    private final Duration interval;

    Beating(Duration interval) {
      this.interval = interval;
    }

    @Override
    public Future<?> start() {
      var beat = new Beat(Thread.currentThread(), interval);
      beats.add(beat);
      vertx.setPeriodic(
          interval.toMillis(),
          _ -> {
            beat.turned(System.nanoTime());
            findDead();
          });
      return Future.succeededFuture();
    }
  }
}
