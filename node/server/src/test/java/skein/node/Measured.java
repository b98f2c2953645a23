package skein.node;

import java.util.Arrays;
import java.util.Locale;

/** One line about each scenario, for the reader of the build's output. */
public final class Measured {
  private Measured() {}

  @SuppressWarnings("AnnotateFormatMethod") // its annotation is in a library we do not have
  public static void say(String what, String format, Object... facts) {
    System.out.println("[measured] " + what + ": " + String.format(Locale.ROOT, format, facts));
  }

  public static double seconds(long sinceNanos) {
    return (System.nanoTime() - sinceNanos) / 1e9;
  }

  /** {@code p50 1 ms, p99 2 ms, max 3 ms}. */
  public static String percentiles(long[] millis) {
    var sorted = millis.clone();
    Arrays.sort(sorted);
    return "p50 %d ms, p99 %d ms, max %d ms"
        .formatted(at(sorted, 0.5), at(sorted, 0.99), sorted[sorted.length - 1]);
  }

  private static long at(long[] sorted, double part) {
    return sorted[(int) Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  }
}
