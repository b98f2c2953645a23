package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import skein.loop.EventLoop;

/**
 * Lets only so much of one kind be under way at one time, in the order in which it came. Confined
 * to one event loop.
 */
final class Slots {
  private final EventLoop loop;
  private final int max;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int used;

  /** {@code max}: 1 or more. */
  Slots(EventLoop loop, int max) {
    this.loop = loop;
    this.max = max;
  }

  /** {@code work} begins when there is room for it, and gives it up when it has ended. */
  <T> Future<T> run(Supplier<Future<T>> work) {
    loop.check();
    Promise<T> promise = Promise.promise();
    waiting.add(() -> begin(work, promise));
    next();
    return promise.future();
  }

  private <T> void begin(Supplier<Future<T>> work, Promise<T> promise) {
    Future<T> begun;
    try {
      begun = work.get();
    } catch (RuntimeException e) {
      begun = Future.failedFuture(e);
    }
    begun.onComplete(result -> {
      promise.handle(result);
      loop.execute(() -> { // A long row of what ends at once must not become a deep stack.
        used--;
        next();
      });
    });
  }

  private void next() {
    while (used < max && !waiting.isEmpty()) {
      used++;
      waiting.remove().run();
    }
  }
}
