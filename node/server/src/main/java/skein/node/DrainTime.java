package skein.node;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The time that a node has for leaving, from now on: most of it for its work, the rest for leaving
 * the cluster. Less after a second request to stop. Thread-safe.
 */
final class DrainTime {
  private static final Duration GOODBYE_MAX = Duration.ofSeconds(3);
  private static final Duration HURRY = Duration.ofSeconds(2);

  private final long handOverNanos;
  private final CountDownLatch hurried = new CountDownLatch(1);
  private volatile long workEnd;

  DrainTime(Duration max) {
    var fifth = max.dividedBy(5);
    var goodbye = fifth.compareTo(GOODBYE_MAX) < 0 ? fifth : GOODBYE_MAX;
    this.handOverNanos = goodbye.dividedBy(3).toNanos();
    this.workEnd = System.nanoTime() + max.minus(goodbye).toNanos();
  }

  /** Ends {@link #pause} at once, and the rest soon. May be repeated. */
  void hurry() {
    workEnd = Math.min(workEnd, System.nanoTime() + HURRY.toNanos());
    hurried.countDown();
  }

  boolean isHurried() {
    return hurried.getCount() == 0;
  }

  /** Waits, unless stopping was requested again or the time for work is up. */
  void pause(Duration duration) {
    try {
      long nanos = Math.min(duration.toNanos(), leftNanos());
      boolean _ = hurried.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isUp() {
    return leftNanos() <= 0;
  }

  /** The rest of the time for work; not above zero when it is up. */
  long leftNanos() {
    return workEnd - System.nanoTime();
  }

  /** By {@link System#nanoTime}: callers who still wait then get what is known. */
  long answersAt() {
    return workEnd - 3 * handOverNanos;
  }

  /** By {@link System#nanoTime}: work that is unfinished by then is left to other nodes. */
  long handOverAt() {
    return workEnd - handOverNanos;
  }
}
