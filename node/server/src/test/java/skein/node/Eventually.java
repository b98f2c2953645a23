package skein.node;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Looks again and again until something is so, or the time is up. */
public final class Eventually {
  private static final Duration PAUSE = Duration.ofMillis(25);

  private Eventually() {}

  /** The first value that fits, or the last one seen, for the assertion to speak about. */
  public static <T> T get(Duration max, Supplier<T> value, Predicate<T> fits) {
    long end = System.nanoTime() + max.toNanos();
    while (true) {
      var found = value.get();
      if (fits.test(found) || System.nanoTime() > end) {
        return found;
      }
      pause(PAUSE);
    }
  }

  public static boolean isTrue(Duration max, BooleanSupplier condition) {
    return get(max, condition::getAsBoolean, found -> found);
  }

  /** Sleeps; an interrupt is an {@link IllegalStateException}. */
  public static void pause(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting", e);
    }
  }
}
