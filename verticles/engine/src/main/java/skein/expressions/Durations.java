package skein.expressions;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;

/** Reads durations as .NET writes them and as ISO-8601 does. */
final class Durations {
  /** {@code [-][d.]hh:mm[:ss[.fffffff]]}; the first part may exceed 23 hours. */
  private static final Pattern CLOCK =
      Pattern.compile(
          "(?<sign>-)?(?:(?<days>\\d{1,8})\\.)?(?<hours>\\d{1,8}):(?<minutes>[0-5]?\\d)"
              + "(?::(?<seconds>[0-5]?\\d(?:\\.\\d{1,9})?))?");

  private static final Pattern DAYS = Pattern.compile("-?\\d{1,8}");

  private Durations() {}

  /** Throws {@link IllegalArgumentException} where the text is neither. */
  static Duration parse(String text) {
    if (DAYS.matcher(text).matches()) {
      return Duration.ofDays(Long.parseLong(text));
    }
    var clock = CLOCK.matcher(text);
    if (!clock.matches()) {
      try {
        return Duration.parse(text);
      } catch (DateTimeParseException | ArithmeticException e) {
        throw new IllegalArgumentException("not a duration: " + text, e);
      }
    }
    var days = clock.group("days");
    var seconds = clock.group("seconds");
    var duration =
        Duration.ofHours(Long.parseLong(clock.group("hours")))
            .plusMinutes(Long.parseLong(clock.group("minutes")))
            .plusDays(days == null ? 0 : Long.parseLong(days))
            .plusNanos(seconds == null ? 0 : nanos(seconds));
    return clock.group("sign") == null ? duration : duration.negated();
  }

  private static long nanos(String seconds) {
    return new BigDecimal(seconds).movePointRight(9).longValueExact();
  }
}
