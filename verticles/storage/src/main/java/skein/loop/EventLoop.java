package skein.loop;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs one task at a time. What is "confined to an event loop" is created on it, is
 * called on it only, and answers on it; every such class calls {@link #check} in each method that
 * others enter, which a test demands. {@link #execute}, {@link #isCurrent}, {@link #check} and
 * {@link #bring} may be called from any thread, the rest on the loop only.
 */
public interface EventLoop extends Delays {
  /** Whether the calling thread is this loop's. */
  boolean isCurrent();

  /** Runs a task on the loop, never within this call; tasks of one thread keep their order. */
  void execute(Runnable task);

  /** Runs a task once after a delay, unless it is cancelled before. */
  Cancellable schedule(Duration delay, Runnable task);

  /** Runs a task after each interval until it is cancelled. */
  Cancellable repeat(Duration interval, Runnable task);

  /** Something that may be called off; calling it off twice, or too late, does nothing. */
  @FunctionalInterface
  interface Cancellable {
    Cancellable NONE = () -> {};

    void cancel();
  }

  /** With assertions enabled, fails with an {@link AssertionError} on any other thread. */
  default void check() {
    assert isCurrent() : "Called on " + Thread.currentThread() + ", not on its event loop";
  }

  /**
   * The same result, delivered on this loop. Every future that comes from elsewhere (drivers,
   * Hazelcast, workers, activities of users) is brought back here before confined state is touched.
   */
  default <T extends @Nullable Object> Future<T> bring(Future<T> elsewhere) {
    if (elsewhere.isComplete() && isCurrent()) {
      return withoutContext(elsewhere);
    }
    Promise<T> here = Promise.promise();
    elsewhere.onComplete(result -> {
      if (isCurrent()) {
        here.handle(result);
      } else {
        execute(() -> here.handle(result));
      }
    });
    return here.future();
  }

  /**
   * The result of a future that is complete, given to the caller at once and on their thread: one
   * that belongs to a context of Vert.x completes on that context, even when it has long been
   * known.
   */
  static <T extends @Nullable Object> Future<T> withoutContext(Future<T> complete) {
    return complete.succeeded()
        ? Future.succeededFuture(complete.result())
        : Future.failedFuture(complete.cause());
  }
}
