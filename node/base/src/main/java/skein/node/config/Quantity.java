package skein.node.config;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/** Numbers with a unit, as people write them: {@code 500ms}, {@code 30s}, {@code 1MiB}. */
final class Quantity {
  private static final Pattern WITH_UNIT = Pattern.compile("(\\d{1,15})\\s*([A-Za-z]*)");
  private static final Map<String, Duration> TIMES =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));
  private static final Map<String, Long> SIZES =
      Map.of("", 1L, "B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);

  private Quantity() {}

  static Duration duration(String text) {
    var matcher = WITH_UNIT.matcher(text.strip());
    var unit = matcher.matches() ? TIMES.get(matcher.group(2)) : null;
    if (unit == null) {
      throw new IllegalArgumentException("must be a time such as 500ms, 30s, 5m, 2h or 30d");
    }
    try {
      return unit.multipliedBy(Long.parseLong(matcher.group(1)));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("is longer than any time we know", e);
    }
  }

  static long bytes(String text) {
    var matcher = WITH_UNIT.matcher(text.strip());
    var unit = matcher.matches() ? SIZES.get(matcher.group(2)) : null;
    if (unit == null) {
      throw new IllegalArgumentException("must be a size such as 65536, 64KiB, 1MiB or 1GiB");
    }
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("is larger than any size we know", e);
    }
  }
}
