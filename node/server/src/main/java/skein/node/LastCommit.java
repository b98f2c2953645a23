package skein.node;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When the database last committed what this node writes at an interval. A database may answer
 * queries and not commit, as one that waits for a synchronous standby. Thread-safe.
 */
final class LastCommit {
  private final Duration max;
  private final LongSupplier nanoTime;
  private volatile long at;

  /**
   * @param max longest time without a commit
   * @param nanoTime as {@link System#nanoTime}; counts from now
   */
  LastCommit(Duration max, LongSupplier nanoTime) {
    this.max = max;
    this.nanoTime = nanoTime;
    this.at = nanoTime.getAsLong();
  }

  void happened() {
    at = nanoTime.getAsLong();
  }

  /** A sentence when there was none for too long; null when there was. */
  @Nullable String trouble() {
    long nanos = nanoTime.getAsLong() - at;
    return nanos <= max.toNanos()
        ? null
        : "The database has committed nothing of this node for %d ms: look for a synchronous standby"
                .formatted(TimeUnit.NANOSECONDS.toMillis(nanos))
            + " that is away, a full disk, and a lock on the table nodes";
  }
}
