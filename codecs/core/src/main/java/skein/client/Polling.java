package skein.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

/** Polls an instance until it has ended, less and less often. */
final class Polling {
  private static final long PAUSE_FIRST_MILLIS = 100;
  private static final long PAUSE_MAX_MILLIS = 2_000;

  private Polling() {}

  /** {@code query}: reads it once. */
  static CompletableFuture<Instance> untilEnded(
      Supplier<CompletableFuture<Instance>> query, InstanceId id, Duration max) {
    return look(query, id, System.nanoTime() + max.toNanos(), PAUSE_FIRST_MILLIS);
  }

  private static CompletableFuture<Instance> look(
      Supplier<CompletableFuture<Instance>> query, InstanceId id, long end, long pauseMillis) {
    return query
        .get()
        .thenCompose(found -> {
          if (found.status().finished()) {
            return CompletableFuture.completedFuture(found);
          }
          long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
          if (left <= 0) {
            return CompletableFuture.failedFuture(
                new SkeinException(
                    ErrorCode.TIMEOUT,
                    "Instance " + id + " is " + found.status() + ": it has not ended in time"));
          }
          long next = Math.min(2 * pauseMillis, PAUSE_MAX_MILLIS);
          return pause(Math.min(pauseMillis, left))
              .thenCompose(unused -> look(query, id, end, next));
        });
  }

  static CompletableFuture<Void> pause(long millis) {
    return CompletableFuture.runAsync(
        () -> {}, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
  }
}
