package skein.cluster;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether locks can be had, for readiness: tries one now and then and never waits for it. A try
 * that fails or is slow is only reported; locks count as lost when {@link #TRIES_MIN} tries in a
 * row and all of a given time brought none, which no load alone does. Thread-safe.
 */
public final class LockProbe {
  /** Between two tries at least. */
  static final Duration INTERVAL = Duration.ofSeconds(1);

  /** So many must have failed. */
  static final int TRIES_MIN = 3;

  private final Locks locks;
  private final Duration silenceMax;
  private final LongSupplier nanoTime;
  private boolean trying;
  private long triedAt;
  private long succeededAt;
  private int failures;
  private @Nullable String cause;

  /**
   * What is known.
   *
   * @param up false: locks cannot be had
   * @param detail what is amiss; null: nothing
   */
  public record Found(boolean up, @Nullable String detail) {}

  /**
   * @param silenceMax the longest time without a lock; the time after which leases expire
   * @param nanoTime as {@link System#nanoTime}
   */
  public LockProbe(Locks locks, Duration silenceMax, LongSupplier nanoTime) {
    this.locks = locks;
    this.silenceMax = silenceMax;
    this.nanoTime = nanoTime;
    this.succeededAt = nanoTime.getAsLong();
    this.triedAt = succeededAt - INTERVAL.toNanos();
  }

  /** The result of the tries so far; begins another one when it is time. */
  public Found look() {
    if (begins()) {
      locks.tryOne().onComplete(result -> ended(result.cause()));
    }
    return found();
  }

  private synchronized boolean begins() {
    long now = nanoTime.getAsLong();
    if (trying || now - triedAt < INTERVAL.toNanos()) {
      return false;
    }
    if (failures == 0 && now - triedAt > silenceMax.toNanos()) {
      succeededAt = now; // No lock was requested for so long, which proves nothing.
    }
    trying = true;
    triedAt = now;
    return true;
  }

  private synchronized void ended(@Nullable Throwable failure) {
    trying = false;
    if (failure == null) {
      failures = 0;
      cause = null;
      succeededAt = nanoTime.getAsLong();
    } else {
      failures++;
      cause = failure.getMessage();
    }
  }

  private synchronized Found found() {
    if (failures == 0) {
      return new Found(true, null);
    }
    long silent = nanoTime.getAsLong() - succeededAt;
    boolean up = failures < TRIES_MIN || silent < silenceMax.toNanos();
    var detail =
        "No lock could be taken for "
            + Duration.ofNanos(silent).toSeconds()
            + " s ("
            + cause
            + "); instances are executed without";
    return new Found(up, detail);
  }
}
