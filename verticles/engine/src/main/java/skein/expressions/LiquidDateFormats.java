package skein.expressions;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;

/** Dates by the format strings of .NET, standard ({@code D}) and custom ({@code dd.MM.yyyy}). */
final class LiquidDateFormats {
  private static final int FRACTION_DIGITS_MAX = 7;
  private static final int NANOSECOND_DIGITS = 9;

  private final Budget budget;
  private final LiquidCulture culture;

  LiquidDateFormats(Budget budget, LiquidCulture culture) {
    this.budget = budget;
    this.culture = culture;
  }

  /** Throws {@link IllegalArgumentException} for a format that there is not. */
  String format(OffsetDateTime time, String format) {
    budget.spend(format.length());
    return switch (format.length()) {
      case 0 -> standard(time, 'G');
      case 1 -> standard(time, format.charAt(0));
      default -> written(time, format, culture);
    };
  }

  private String standard(OffsetDateTime time, char letter) {
    var c = culture;
    return switch (letter) {
      case 'd' -> written(time, c.shortDate(), c);
      case 'D' -> written(time, c.longDate(), c);
      case 't' -> written(time, c.shortTime(), c);
      case 'T' -> written(time, c.longTime(), c);
      case 'f' -> written(time, c.longDate() + " " + c.shortTime(), c);
      case 'F' -> written(time, c.longDate() + " " + c.longTime(), c);
      case 'g' -> written(time, c.shortDate() + " " + c.shortTime(), c);
      case 'G' -> written(time, c.shortDate() + " " + c.longTime(), c);
      case 'm', 'M' -> written(time, c.monthDay(), c);
      case 'y', 'Y' -> written(time, c.yearMonth(), c);
      case 'o', 'O' -> sortable(time, "yyyy-MM-ddTHH:mm:ss.fffffffK");
      case 's' -> sortable(time, "yyyy-MM-ddTHH:mm:ss");
      case 'u' -> sortable(utc(time), "yyyy-MM-dd HH:mm:ssZ");
      case 'r', 'R' -> sortable(utc(time), "ddd, dd MMM yyyy HH:mm:ss 'GMT'");
      default ->
          throw new IllegalArgumentException(
              "there is no date format "
                  + letter
                  + ": write a letter of d D f F g G m o r s t T u y, or a pattern such as"
                  + " yyyy-MM-dd");
    };
  }

  private static OffsetDateTime utc(OffsetDateTime time) {
    return time.withOffsetSameInstant(ZoneOffset.UTC);
  }

  private String sortable(OffsetDateTime time, String pattern) {
    return written(time, pattern, LiquidCulture.INVARIANT);
  }

  private String written(OffsetDateTime time, String pattern, LiquidCulture culture) {
    var out = new StringBuilder();
    var besideDay = saysDay(pattern);
    var at = 0;
    while (at < pattern.length()) {
      var c = pattern.charAt(at);
      switch (c) {
        case '\'', '"' -> {
          var close = pattern.indexOf(c, at + 1);
          if (close < 0) {
            throw new IllegalArgumentException("the date format has a quote that is not closed");
          }
          out.append(pattern, at + 1, close);
          at = close + 1;
        }
        case '\\' -> {
          out.append(following(pattern, at));
          at += 2;
        }
        case '%' -> {
          if (following(pattern, at) == '%') {
            throw new IllegalArgumentException("the date format has % twice: quote it, as in '%'");
          }
          at++;
        }
        default -> {
          var end = at;
          while (end < pattern.length() && pattern.charAt(end) == c) {
            end++;
          }
          write(out, time, new Run(c, end - at, besideDay), culture);
          at = end;
        }
      }
      if (out.length() > budget.stringMax()) {
        budget.string(out.length());
      }
    }
    budget.string(out.length());
    return out.toString();
  }

  private static char following(String pattern, int at) {
    if (at + 1 >= pattern.length()) {
      throw new IllegalArgumentException("the date format ends with " + pattern.charAt(at));
    }
    return pattern.charAt(at + 1);
  }

  /** Whether the number of the day is in it: months then have the form that they have beside it. */
  private static boolean saysDay(String pattern) {
    var at = 0;
    while (at < pattern.length()) {
      var c = pattern.charAt(at);
      var end = at + 1;
      if (c == '\'' || c == '"') {
        var close = pattern.indexOf(c, at + 1);
        end = close < 0 ? pattern.length() : close + 1;
      } else if (c == '\\') {
        end = at + 2;
      } else {
        while (end < pattern.length() && pattern.charAt(end) == c) {
          end++;
        }
        if (c == 'd' && end - at <= 2) {
          return true;
        }
      }
      at = end;
    }
    return false;
  }

  /** One letter, so many times. */
  private record Run(char letter, int count, boolean besideDay) {}

  private static void write(
      StringBuilder out, OffsetDateTime time, Run run, LiquidCulture culture) {
    var count = run.count;
    switch (run.letter) {
      case 'd' ->
          out.append(
              count > 2
                  ? culture.day(time.getDayOfWeek(), count > 3)
                  : padded(time.getDayOfMonth(), count));
      case 'M' ->
          out.append(
              count > 2
                  ? culture.month(time.getMonth(), count > 3, run.besideDay)
                  : padded(time.getMonthValue(), count));
      case 'y' ->
          out.append(
              count > 2 ? padded(time.getYear(), count) : padded(time.getYear() % 100, count));
      case 'h' -> out.append(padded((time.getHour() + 11) % 12 + 1, Math.min(count, 2)));
      case 'H' -> out.append(padded(time.getHour(), Math.min(count, 2)));
      case 'm' -> out.append(padded(time.getMinute(), Math.min(count, 2)));
      case 's' -> out.append(padded(time.getSecond(), Math.min(count, 2)));
      case 'f', 'F' -> fraction(out, time.getNano(), run);
      case 't' -> {
        var half = culture.halfDay(time.getHour() >= 12);
        out.append(count == 1 && !half.isEmpty() ? half.substring(0, 1) : half);
      }
      case 'z' -> out.append(offset(time, count));
      case 'K' -> out.append(offset(time, 3).repeat(count));
      case 'g' -> out.append(culture.era());
      case '/' -> out.append(culture.dateSeparator().repeat(count));
      case ':' -> out.append(culture.timeSeparator().repeat(count));
      default -> out.append(String.valueOf(run.letter).repeat(count));
    }
  }

  private static String padded(int number, int length) {
    var text = Integer.toString(number);
    return "0".repeat(Math.max(0, length - text.length())) + text;
  }

  /** {@code F} leaves zeros at the end out, and the point before them. */
  private static void fraction(StringBuilder out, int nanos, Run run) {
    if (run.count > FRACTION_DIGITS_MAX) {
      throw new IllegalArgumentException(
          "the date format has more than " + FRACTION_DIGITS_MAX + " digits of a second");
    }
    var digits = padded(nanos, NANOSECOND_DIGITS).substring(0, run.count);
    if (run.letter == 'F') {
      digits = digits.replaceAll("0+$", "");
      if (digits.isEmpty() && !out.isEmpty() && out.charAt(out.length() - 1) == '.') {
        out.setLength(out.length() - 1);
      }
    }
    out.append(digits);
  }

  private static String offset(OffsetDateTime time, int count) {
    var minutes = time.getOffset().getTotalSeconds() / 60;
    var hours = Math.abs(minutes) / 60;
    var sign = minutes < 0 ? "-" : "+";
    return count < 3
        ? sign + padded(hours, count)
        : String.format(Locale.ROOT, "%s%02d:%02d", sign, hours, Math.abs(minutes) % 60);
  }
}
