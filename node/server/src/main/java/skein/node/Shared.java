package skein.node;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.cluster.CallersContext;

/**
 * An expensive result, shared by all callers: one is computed at a time, and kept for a while in
 * proportion to the time that it took. However often it is requested, it takes a tenth of one
 * thread's time at most. Failures are not kept. Thread-safe.
 */
final class Shared<T> {
  /** Kept for so many times as long as it took. */
  private static final int KEPT_TIMES = 9;

  private static final long KEPT_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<Future<T>> ask;
  private final LongSupplier nanos;
  private @Nullable Future<T> last;
  private long keptUntil;

  Shared(Supplier<Future<T>> ask, LongSupplier nanos) {
    this.ask = ask;
    this.nanos = nanos;
  }

  Future<T> get() {
    Future<T> answer;
    Promise<T> begun = null;
    synchronized (this) {
      if (last == null || (last.isComplete() && nanos.getAsLong() - keptUntil >= 0)) {
        begun = Promise.promise();
        last = begun.future();
      }
      answer = last;
    }
    if (begun != null) {
      begin(begun);
    }
    return CallersContext.of(answer);
  }

  private void begin(Promise<T> begun) {
    long since = nanos.getAsLong();
    Future<T> made;
    try {
      made = ask.get();
    } catch (RuntimeException e) {
      made = Future.failedFuture(e);
    }
    made.onComplete(result -> end(result, begun, since));
  }

  private void end(AsyncResult<T> result, Promise<T> begun, long since) {
    synchronized (this) {
      long now = nanos.getAsLong();
      long kept = Math.min(KEPT_TIMES * (now - since), KEPT_NANOS_MAX);
      keptUntil = result.succeeded() ? now + kept : now;
    }
    begun.handle(result);
  }
}
