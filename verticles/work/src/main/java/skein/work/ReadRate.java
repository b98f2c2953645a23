package skein.work;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Bounds how many bytes a second all large results of a node are read with, so that neither the
 * collector nor a database on the same machine is kept busy by them. Thread-safe.
 */
final class ReadRate {
  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The allowance after a time without large results, as time of reading. */
  private static final long SAVED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final SqlWorkOptions.Reading reading;
  private final LongSupplier nanoTime;

  /** When all that was read would have been, had it been read evenly. */
  private long readUntil;

  /** {@code nanoTime}: a clock that goes forward. */
  ReadRate(SqlWorkOptions.Reading reading, LongSupplier nanoTime) {
    this.reading = reading;
    this.nanoTime = nanoTime;
    this.readUntil = nanoTime.getAsLong() - SAVED_NANOS;
  }

  /**
   * Counts a portion of one result.
   *
   * @param before bytes of it that had been read before
   * @param portion bytes of it that were read just now
   * @return milliseconds until the next portion may be read; 0 for what is not large
   */
  long pauseMillis(long before, long portion) {
    long heavy = before + portion - Math.max(before, reading.largeBytes());
    return heavy <= 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(late(heavy));
  }

  private synchronized long late(long bytes) {
    long now = nanoTime.getAsLong();
    readUntil =
        Math.max(readUntil, now - SAVED_NANOS)
            + (long) (bytes * NANOS / reading.bytesPerSecondMax());
    return Math.max(0, readUntil - now);
  }
}
