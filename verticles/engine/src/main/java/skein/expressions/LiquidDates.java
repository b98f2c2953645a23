package skein.expressions;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The filter {@code date}: times are those of their own offset, in UTC where they have none. */
final class LiquidDates {
  private static final String DEFAULT_FORMAT = "%Y-%m-%d %H:%M:%S %z";

  /** The equivalents of the letters of strftime in Java. */
  private static final Map<Character, DateTimeFormatter> FORMATS =
      Map.ofEntries(
          entry('Y', "uuuu"),
          entry('y', "uu"),
          entry('m', "MM"),
          entry('d', "dd"),
          entry('e', "ppd"),
          entry('H', "HH"),
          entry('k', "ppH"),
          entry('I', "hh"),
          entry('l', "pph"),
          entry('M', "mm"),
          entry('S', "ss"),
          entry('L', "SSS"),
          entry('N', "SSSSSSSSS"),
          entry('p', "a"),
          entry('A', "EEEE"),
          entry('a', "EEE"),
          entry('B', "MMMM"),
          entry('b', "MMM"),
          entry('h', "MMM"),
          entry('j', "DDD"),
          entry('z', "xx"),
          entry('Z', "xxx"),
          entry('F', "uuuu-MM-dd"),
          entry('T', "HH:mm:ss"),
          entry('X', "HH:mm:ss"),
          entry('R', "HH:mm"),
          entry('r', "hh:mm:ss a"),
          entry('D', "MM/dd/uu"),
          entry('x', "MM/dd/uu"),
          entry('c', "EEE MMM d HH:mm:ss uuuu"),
          entry('V', "ww"),
          entry('G', "YYYY"));

  private LiquidDates() {}

  private static Map.Entry<Character, DateTimeFormatter> entry(char letter, String pattern) {
    return Map.entry(letter, DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH));
  }

  /** What is not a date stays as it is. */
  static @Nullable Object date(LiquidCall call) {
    var time = time(call);
    if (time == null) {
      return call.input();
    }
    var format = call.text(0, DEFAULT_FORMAT);
    var text = new StringBuilder();
    for (var i = 0; i < format.length(); i++) {
      var c = format.charAt(i);
      if (c != '%' || i + 1 == format.length()) {
        text.append(c);
        continue;
      }
      var plain = format.charAt(i + 1) == '-' && i + 2 < format.length();
      i += plain ? 2 : 1;
      var part = part(time, format.charAt(i));
      text.append(plain ? withoutZeros(part) : part);
      call.budget().string(text.length());
    }
    return text.toString();
  }

  private static String part(OffsetDateTime time, char letter) {
    return switch (letter) {
      case '%' -> "%";
      case 'n' -> "\n";
      case 't' -> "\t";
      case 's' -> Long.toString(time.toEpochSecond());
      case 'w' -> Integer.toString(time.getDayOfWeek().getValue() % 7);
      case 'u' -> Integer.toString(time.getDayOfWeek().getValue());
      case 'P' -> time.getHour() < 12 ? "am" : "pm";
      case 'C' -> Integer.toString(time.getYear() / 100);
      default -> {
        var format = FORMATS.get(letter);
        yield format == null ? "%" + letter : format.format(time);
      }
    };
  }

  private static String withoutZeros(String part) {
    var text = part.strip();
    var from = 0;
    while (from < text.length() - 1 && text.charAt(from) == '0') {
      from++;
    }
    return text.substring(from);
  }

  /** A number is seconds since 1970, as in Liquid; {@code now} is the burst's instant. */
  static @Nullable OffsetDateTime time(LiquidCall call) {
    return switch (call.input()) {
      case null -> null;
      case Number number ->
          java.time.Instant.ofEpochSecond(number.longValue()).atOffset(ZoneOffset.UTC);
      case String text when text.equals("now") || text.equals("today") ->
          call.run().scope().scope().now().atOffset(ZoneOffset.UTC);
      case String text -> parsed(text);
      default -> null;
    };
  }

  /** Null where the text says no date. */
  static @Nullable OffsetDateTime parsed(String text) {
    try {
      return Conversions.offset(text);
    } catch (java.time.DateTimeException _) {
      return null;
    }
  }
}
