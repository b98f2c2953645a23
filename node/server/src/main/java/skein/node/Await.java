package skein.node;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits on a thread of its own for what event loops do. */
final class Await {
  private Await() {}

  /** Throws {@link UnansweredException} after {@code max}, and what the future fails with. */
  static <T> T result(Future<T> future, Duration max) {
    try {
      return future.await(max.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new UnansweredException(max, e);
    }
  }

  /** Something took longer than it may. */
  static final class UnansweredException extends IllegalStateException {
    UnansweredException(Duration max, TimeoutException cause) {
      super("No answer within " + max.toMillis() + " ms", cause);
    }
  }
}
