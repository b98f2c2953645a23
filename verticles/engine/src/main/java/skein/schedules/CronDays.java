package skein.schedules;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The two fields of a cron expression that say which days; both must match. */
final class CronDays {
  /** {@code L}, {@code L-3}, {@code LW}, {@code L-3W}. */
  private static final Pattern LAST = Pattern.compile("L(?:-([0-9]{1,2}))?(W)?");

  private static final Pattern NEAREST = Pattern.compile("([0-9]{1,2})W");
  private static final Pattern LAST_OF_MONTH = Pattern.compile("([0-9A-Z]{1,3})L");
  private static final Pattern NTH = Pattern.compile("([0-9A-Z]{1,3})#([0-9]{1,2})");

  private final List<Predicate<LocalDate>> ofMonth = new ArrayList<>();
  private final List<Predicate<LocalDate>> ofWeek = new ArrayList<>();

  CronDays(String daysOfMonth, String daysOfWeek) {
    for (var item : daysOfMonth.toUpperCase(Locale.ROOT).split(",", -1)) {
      ofMonth.add(dayOfMonth(item));
    }
    for (var item : daysOfWeek.toUpperCase(Locale.ROOT).split(",", -1)) {
      ofWeek.add(dayOfWeek(item));
    }
  }

  boolean match(LocalDate day) {
    return any(ofMonth, day) && any(ofWeek, day);
  }

  private static boolean any(List<Predicate<LocalDate>> rules, LocalDate day) {
    for (var rule : rules) {
      if (rule.test(day)) {
        return true;
      }
    }
    return false;
  }

  private static Predicate<LocalDate> dayOfMonth(String item) {
    var last = LAST.matcher(item);
    if (last.matches()) {
      int before = last.group(1) == null ? 0 : CronField.DAYS.number(item, last.group(1));
      return last.group(2) == null
          ? day -> day.getDayOfMonth() == day.lengthOfMonth() - before
          : day -> day.equals(nearestWeekday(day, day.lengthOfMonth() - before));
    }
    var nearest = NEAREST.matcher(item);
    if (nearest.matches()) {
      int wanted = CronField.DAYS.number(item, nearest.group(1));
      return day -> wanted <= day.lengthOfMonth() && day.equals(nearestWeekday(day, wanted));
    }
    long bits = CronField.DAYS.item(item.equals("?") ? "*" : item);
    return day -> (bits >> day.getDayOfMonth() & 1) != 0;
  }

  /** The weekday nearest to a day, in the same month. */
  private static LocalDate nearestWeekday(LocalDate month, int dayOfMonth) {
    if (dayOfMonth < 1) {
      return LocalDate.MIN;
    }
    var day = month.withDayOfMonth(dayOfMonth);
    return switch (day.getDayOfWeek()) {
      case SATURDAY -> dayOfMonth == 1 ? day.plusDays(2) : day.minusDays(1);
      case SUNDAY -> dayOfMonth == day.lengthOfMonth() ? day.minusDays(2) : day.plusDays(1);
      case MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY -> day;
    };
  }

  private static Predicate<LocalDate> dayOfWeek(String item) {
    var nth = NTH.matcher(item);
    if (nth.matches()) {
      int wanted = CronField.WEEKDAYS.number(item, nth.group(1)) % 7;
      int number = Integer.parseInt(nth.group(2));
      if (number < 1 || number > 5) {
        throw CronField.WEEKDAYS.invalid(item, "a month has no day of the week more than 5 times");
      }
      return day -> number(day) == wanted && (day.getDayOfMonth() - 1) / 7 + 1 == number;
    }
    var last = LAST_OF_MONTH.matcher(item);
    if (last.matches()) {
      int wanted = CronField.WEEKDAYS.number(item, last.group(1)) % 7;
      return day -> number(day) == wanted && day.getDayOfMonth() + 7 > day.lengthOfMonth();
    }
    if (item.equals("L")) {
      return day -> day.getDayOfWeek() == DayOfWeek.SUNDAY;
    }
    long bits = CronField.WEEKDAYS.item(item.equals("?") ? "*" : item);
    return day -> (bits >> number(day) & 1) != 0;
  }

  private static int number(LocalDate day) {
    return day.getDayOfWeek().getValue() % 7;
  }
}
