package skein.expressions;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Filters with format strings of .NET, in a culture that the template names or in none. */
final class LiquidFormatFilters {
  /** The cost of looking up a culture's signs and names. */
  private static final int CULTURE_INSTRUCTIONS = 500;

  private static final int NAME_CHARS_MAX = 80;

  /** As in .NET; also bounds what is read as a number. */
  private static final int ITEM_NUMBER_MAX = 1_000_000;

  private static final Pattern DATE_TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d.{0,30})?");

  private LiquidFormatFilters() {}

  static void addTo(Map<String, LiquidFilter> filters) {
    filters.put("format_number", LiquidFormatFilters::formatNumber);
    filters.put("format_string", LiquidFormatFilters::formatString);
    filters.put("format_date", LiquidFormatFilters::formatDate);
    filters.put("time_zone", LiquidFormatFilters::inTimeZone);
  }

  private static @Nullable Object formatNumber(LiquidCall call) {
    return call.argument(0) == null
        ? null
        : new LiquidNumberFormats(call.budget(), culture(call, call.argument(1)))
            .format(call.number(), call.text(0, ""));
  }

  private static @Nullable Object formatDate(LiquidCall call) {
    var time = LiquidDates.time(call);
    return time == null || call.argument(0) == null
        ? null
        : new LiquidDateFormats(call.budget(), culture(call, call.argument(1)))
            .format(time, call.text(0, ""));
  }

  private static LiquidCulture culture(LiquidCall call, @Nullable Object name) {
    if (name == null) {
      return LiquidCulture.INVARIANT;
    }
    call.budget().spend(CULTURE_INSTRUCTIONS);
    return LiquidCulture.of(call.run().text(name));
  }

  /** The same instant, as text with the zone's offset. */
  private static @Nullable Object inTimeZone(LiquidCall call) {
    var time = LiquidDates.time(call);
    if (time == null || call.argument(0) == null) {
      return null;
    }
    return time.atZoneSameInstant(zone(call.text(0, ""))).toOffsetDateTime().toString();
  }

  private static ZoneId zone(String name) {
    if (name.equalsIgnoreCase("utc") || name.equalsIgnoreCase("local")) {
      return ZoneOffset.UTC;
    }
    try {
      if (name.length() <= NAME_CHARS_MAX) {
        return ZoneId.of(name);
      }
    } catch (DateTimeException _) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "there is no time zone "
            + name.substring(0, Math.min(name.length(), NAME_CHARS_MAX))
            + ": write a name such as Europe/Berlin");
  }

  private static @Nullable Object formatString(LiquidCall call) {
    if (call.input() == null) {
      return null;
    }
    return new Composite(call, culture(call, call.named().get("culture"))).written(call.text());
  }

  /** Text with items such as {@code {0}}, {@code {1,10}} and {@code {2:N2}}. */
  private static final class Composite {
    private final LiquidCall call;
    private final LiquidCulture culture;
    private final StringBuilder out = new StringBuilder();

    Composite(LiquidCall call, LiquidCulture culture) {
      this.call = call;
      this.culture = culture;
    }

    String written(String format) {
      call.budget().spend(format.length());
      var at = 0;
      while (at < format.length()) {
        var c = format.charAt(at);
        var doubled = at + 1 < format.length() && format.charAt(at + 1) == c;
        if (c == '{' && !doubled) {
          at = item(format, at);
        } else if (c == '}' && !doubled) {
          throw wrong("has a } that closes nothing: write }} for the sign itself");
        } else {
          out.append(c);
          at += c == '{' || c == '}' ? 2 : 1;
        }
      }
      call.budget().string(out.length());
      return out.toString();
    }

    private static IllegalArgumentException wrong(String what) {
      return new IllegalArgumentException("the format " + what);
    }

    /** Returns where the text continues. */
    private int item(String format, int open) {
      var close = format.indexOf('}', open);
      var next = format.indexOf('{', open + 1);
      if (close < 0 || (next >= 0 && next < close)) {
        throw wrong("has a { that is not closed: write {{ for the sign itself");
      }
      var item = format.substring(open + 1, close);
      var colon = item.indexOf(':');
      var head = colon < 0 ? item : item.substring(0, colon);
      var comma = head.indexOf(',');
      var index = number(comma < 0 ? head : head.substring(0, comma));
      if (index < 0 || index >= call.arguments().size()) {
        throw wrong("names the argument " + index + ", and there are " + call.arguments().size());
      }
      var width = comma < 0 ? 0 : number(head.substring(comma + 1));
      append(text(call.argument(index), colon < 0 ? "" : item.substring(colon + 1)), width);
      return close + 1;
    }

    private static int number(String text) {
      try {
        var number = Integer.parseInt(text.strip());
        if (Math.abs((long) number) < ITEM_NUMBER_MAX) {
          return number;
        }
      } catch (NumberFormatException _) {
        // Said below.
      }
      throw wrong("has an item that is none: write {0}, {0,10} or {0:N2}");
    }

    /** Negative widths fill on the right. */
    private void append(String text, int width) {
      var fill = Math.max(0, Math.abs(width) - text.length());
      call.budget().string((long) out.length() + text.length() + fill);
      out.append(" ".repeat(width > 0 ? fill : 0))
          .append(text)
          .append(" ".repeat(width < 0 ? fill : 0));
    }

    /** Numbers, and text that says a date, by the format; of other values there is one form. */
    private String text(@Nullable Object value, String format) {
      return switch (value) {
        case null -> "";
        case Boolean bool -> bool ? "True" : "False";
        case Number number -> number(number, format);
        case String text -> format.isEmpty() ? text : date(text, format);
        default -> call.run().text(value);
      };
    }

    private String number(Number number, String format) {
      var decimal = LiquidValues.number(number);
      return decimal == null
          ? call.run().text(number)
          : new LiquidNumberFormats(call.budget(), culture).format(decimal, format);
    }

    private String date(String text, String format) {
      var time = DATE_TIME.matcher(text).matches() ? LiquidDates.parsed(text) : null;
      return time == null
          ? text
          : new LiquidDateFormats(call.budget(), culture).format(time, format);
    }
  }
}
