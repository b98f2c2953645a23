package skein.node.verify;

import java.time.Duration;

/** Until when all requests must have been answered; {@code nanos} as of {@link System#nanoTime}. */
record Deadline(long nanos) {
  static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /**
   * What is left, {@code max} at most.
   *
   * @throws CheckException when nothing is left
   */
  Duration left(Duration max) {
    var left = Duration.ofNanos(nanos - System.nanoTime());
    if (!left.isPositive()) {
      throw new CheckException("The time for the whole verification is over (--max-seconds)");
    }
    return left.compareTo(max) < 0 ? left : max;
  }
}
