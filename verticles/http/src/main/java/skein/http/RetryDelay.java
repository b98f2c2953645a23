package skein.http;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * How long to wait after failures in a row: each time twice as long, up to a bound, of which up to
 * half is left out by chance, so that nodes that failed together do not ask together again.
 *
 * @param interval without a failure
 * @param max the longest; never shorter than the interval
 * @param random from 0 to 1, without 1
 */
record RetryDelay(Duration interval, Duration max, DoubleSupplier random) {

  /** The delay in nanoseconds; {@code failures}: consecutive ones, the last one included. */
  long nanos(int failures) {
    if (failures == 0) {
      return interval.toNanos();
    }
    double longest = Math.max(interval.toNanos(), max.toNanos());
    double whole = Math.min(interval.toNanos() * Math.pow(2, failures), longest);
    return (long) (whole * (1 - random.getAsDouble() / 2));
  }
}
