package skein.schedules;

import java.util.Locale;

/** A field of a cron expression whose values are numbers: which ones, as bits. */
enum CronField {
  SECONDS("seconds", 0, 59, ""),
  MINUTES("minutes", 0, 59, ""),
  HOURS("hours", 0, 23, ""),
  DAYS("days of the month", 1, 31, ""),
  MONTHS("months", 1, 12, "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"),
  /** Sunday is 0 or 7. */
  WEEKDAYS("days of the week", 0, 7, "SUNMONTUEWEDTHUFRISAT");

  private static final int NAME_CHARS = 3;

  private final String label;
  private final int min;
  private final int max;

  /** Of three letters each, in the order of the values. */
  private final String names;

  CronField(String label, int min, int max, String names) {
    this.label = label;
    this.min = min;
    this.max = max;
    this.names = names;
  }

  /** Values of one item of the list: {@code *}, {@code a}, {@code a-b}, each with {@code /step}. */
  long item(String item) {
    var parts = item.split("/", -1);
    if (parts.length > 2) {
      throw invalid(item, "it has two steps");
    }
    int step = parts.length == 1 ? 1 : step(item, parts[1]);
    var range = parts[0];
    if (range.equals("*")) {
      return bits(min, last(), step);
    }
    int dash = range.indexOf('-');
    if (dash >= 0) {
      return bits(
          number(item, range.substring(0, dash)), number(item, range.substring(dash + 1)), step);
    }
    int from = number(item, range);
    return bits(from, parts.length == 1 ? from : last(), step);
  }

  /** The largest value that is not another word for one before it. */
  private int last() {
    return this == WEEKDAYS ? 6 : max;
  }

  private int step(String item, String text) {
    if (!text.matches("[0-9]{1,4}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > max) {
      throw invalid(item, "its step must be 1 to " + max);
    }
    return Integer.parseInt(text);
  }

  /** A range that ends before it begins continues from the smallest value. */
  private long bits(int from, int to, int step) {
    long bits = 0;
    int size = last() - min + 1;
    int end = to < from ? to + size : to;
    for (int i = from; i <= end; i += step) {
      bits |= 1L << bit(i > last() && !(this == WEEKDAYS && i == max) ? i - size : i);
    }
    return bits;
  }

  private int bit(int value) {
    return this == WEEKDAYS ? value % 7 : value;
  }

  /** A number or a name in any case. */
  int number(String item, String text) {
    if (text.matches("[0-9]{1,4}")) {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) {
        return value;
      }
      throw invalid(item, value + " is not " + min + " to " + max);
    }
    int found = names.indexOf(text.toUpperCase(Locale.ROOT));
    if (text.length() != NAME_CHARS || found < 0 || found % NAME_CHARS != 0) {
      throw invalid(item, "\"" + text + "\" is not a valid value");
    }
    return found / NAME_CHARS + min;
  }

  CronException invalid(String item, String why) {
    return new CronException("The " + label + " \"" + item + "\" cannot be used: " + why + ".");
  }
}
