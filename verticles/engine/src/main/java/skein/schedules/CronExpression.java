package skein.schedules;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression, as dates and times on a wall: six fields with seconds first, or five without.
 * Names in any case; {@code L}, {@code W} and {@code #}; Sunday is 0 or 7. Where both days are
 * restricted, both must match. A month without a day that is named is left out.
 */
public final class CronExpression {
  private static final int LENGTH_MAX = 200;

  /** 29 February is a given day of the week once in 40 years at worst. */
  private static final int YEARS_MAX = 50;

  private static final Map<String, String> NICKNAMES =
      Map.of(
          "@yearly", "0 0 0 1 1 *",
          "@annually", "0 0 0 1 1 *",
          "@monthly", "0 0 0 1 * *",
          "@weekly", "0 0 0 * * 0",
          "@daily", "0 0 0 * * *",
          "@midnight", "0 0 0 * * *",
          "@hourly", "0 0 * * * *");

  private final long seconds;
  private final long minutes;
  private final long hours;
  private final long months;
  private final CronDays days;
  private final boolean fixedHours;
  private final boolean fixed;

  private CronExpression(String[] fields) {
    seconds = bits(CronField.SECONDS, fields[0]);
    minutes = bits(CronField.MINUTES, fields[1]);
    hours = bits(CronField.HOURS, fields[2]);
    months = bits(CronField.MONTHS, fields[4]);
    days = new CronDays(fields[3], fields[5]);
    fixedHours = isFixed(fields[2]);
    fixed = fixedHours && isFixed(fields[1]) && isFixed(fields[0]);
  }

  /** Throws {@link CronException}, which names the field that is wrong. */
  public static CronExpression parse(String expression) {
    var text = expression.strip();
    if (text.length() > LENGTH_MAX) {
      throw new CronException("It is longer than " + LENGTH_MAX + " characters.");
    }
    text = NICKNAMES.getOrDefault(text.toLowerCase(Locale.ROOT), text);
    var fields = text.split("\\s+", -1);
    if (fields.length == 5) {
      fields = ("0 " + text).split("\\s+", -1);
    }
    if (fields.length != 6) {
      throw new CronException(
          "It has "
              + (text.isEmpty() ? 0 : fields.length)
              + " fields: give minutes, hours, days of the month, months and days of the week,"
              + " with seconds in front or without.");
    }
    return new CronExpression(fields);
  }

  private static long bits(CronField field, String text) {
    long bits = 0;
    for (var item : text.split(",", -1)) {
      bits |= field.item(item);
    }
    return bits;
  }

  private static boolean isFixed(String field) {
    return field.matches("[0-9,]+");
  }

  /** Its hours are single numbers: there are times of the day that it means. */
  boolean hasFixedHours() {
    return fixedHours;
  }

  /** Seconds, minutes and hours are single numbers: it means times of the day, no rhythm. */
  boolean isFixed() {
    return fixed;
  }

  /** The first date and time that matches, this one or a later one; null when none ever will. */
  @Nullable LocalDateTime atOrAfter(LocalDateTime from) {
    var floor = from.truncatedTo(ChronoUnit.SECONDS);
    var second = floor.equals(from) ? from : floor.plusSeconds(1);
    var day = second.toLocalDate();
    if (isOn(day)) {
      var time = timeFrom(second.toLocalTime());
      if (time != null) {
        return day.atTime(time);
      }
    }
    var found = dayAfter(day);
    return found == null ? null : found.atTime(firstTime());
  }

  private boolean isOn(LocalDate day) {
    return (months >> day.getMonthValue() & 1) != 0 && days.match(day);
  }

  private @Nullable LocalDate dayAfter(LocalDate before) {
    var day = before.plusDays(1);
    int lastYear = before.getYear() + YEARS_MAX;
    while (day.getYear() <= lastYear) {
      if ((months >> day.getMonthValue() & 1) == 0) {
        day = day.withDayOfMonth(1).plusMonths(1);
      } else if (days.match(day)) {
        return day;
      } else {
        day = day.plusDays(1);
      }
    }
    return null;
  }

  private LocalTime firstTime() {
    return LocalTime.of(
        Long.numberOfTrailingZeros(hours),
        Long.numberOfTrailingZeros(minutes),
        Long.numberOfTrailingZeros(seconds));
  }

  private @Nullable LocalTime timeFrom(LocalTime from) {
    int hour = atOrAfter(hours, from.getHour());
    int minute = hour == from.getHour() ? from.getMinute() : 0;
    int second = hour == from.getHour() ? from.getSecond() : 0;
    while (hour < Long.SIZE) {
      int found = atOrAfter(minutes, minute);
      if (found == minute && atOrAfter(seconds, second) == Long.SIZE) {
        found = atOrAfter(minutes, minute + 1);
      }
      if (found < Long.SIZE) {
        int first = found == minute ? second : 0;
        return LocalTime.of(hour, found, atOrAfter(seconds, first));
      }
      hour = atOrAfter(hours, hour + 1);
      minute = 0;
      second = 0;
    }
    return null;
  }

  /** The first bit that is set, from one on; 64 when there is none. */
  private static int atOrAfter(long bits, int from) {
    return from >= Long.SIZE ? Long.SIZE : Long.numberOfTrailingZeros(bits & (-1L << from));
  }
}
