package skein.forms;

import java.time.DateTimeException;
import java.time.LocalDate;

/** The formats of RFC 3339. */
final class TimeFormats {
  private TimeFormats() {}

  static boolean isDate(String text) {
    if (!AsciiText.hasShape(text, "0000-00-00")) {
      return false;
    }
    try {
      var _ = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
      return true;
    } catch (DateTimeException _) {
      return false;
    }
  }

  static boolean isDateTime(String text) {
    return text.length() > 11
        && isDate(text.substring(0, 10))
        && "tT ".indexOf(text.charAt(10)) >= 0
        && isTime(text.substring(11));
  }

  /** {@code 12:00:00.5+01:00}; a leap second is one at the end of a day of UTC. */
  static boolean isTime(String text) {
    if (text.length() < 8 || !AsciiText.hasShape(text.substring(0, 8), "00:00:00")) {
      return false;
    }
    var at = 8;
    if (at < text.length() && text.charAt(at) == '.') {
      var digits = at + 1;
      for (at = digits; at < text.length() && AsciiText.isDigit(text.charAt(at)); at++) {}
      if (at == digits) {
        return false;
      }
    }
    var zone = text.substring(at);
    var offset = 0;
    if (!zone.isEmpty() && !zone.equalsIgnoreCase("z")) {
      var signed = zone.charAt(0) == '+' || zone.charAt(0) == '-';
      var rest = zone.substring(1);
      if (!signed
          || !(AsciiText.hasShape(rest, "00:00")
              || AsciiText.hasShape(rest, "0000")
              || AsciiText.hasShape(rest, "00"))) {
        return false;
      }
      var hours = number(rest, 0, 2);
      var minutes = rest.length() == 2 ? 0 : number(rest, rest.length() - 2, rest.length());
      if (hours > 23 || minutes > 59) {
        return false;
      }
      offset = (zone.charAt(0) == '-' ? -1 : 1) * (hours * 60 + minutes);
    }
    int hour = number(text, 0, 2);
    int minute = number(text, 3, 5);
    int second = number(text, 6, 8);
    var leap = Math.floorMod(hour * 60 + minute - offset, 24 * 60) == 24 * 60 - 1;
    return hour < 24 && minute < 60 && second < (leap ? 61 : 60);
  }

  /** {@code P1Y2M3DT4H5M6S} or {@code P2W}: each part at most once and in this order. */
  static boolean isDuration(String text) {
    if (text.length() < 3 || text.charAt(0) != 'P') {
      return false;
    }
    var units = "YMD";
    var place = 0;
    var parts = 0;
    var time = false;
    var at = 1;
    while (at < text.length()) {
      if (text.charAt(at) == 'T' && !time) {
        time = true;
        units = "HMS";
        place = 0;
        parts = 0;
        at++;
        continue;
      }
      var digits = at;
      while (at < text.length() && AsciiText.isDigit(text.charAt(at))) {
        at++;
      }
      if (at < text.length() && (text.charAt(at) == '.' || text.charAt(at) == ',') && at > digits) {
        for (at++; at < text.length() && AsciiText.isDigit(text.charAt(at)); at++) {}
      }
      if (at == digits || at == text.length()) {
        return false;
      }
      if (text.charAt(at) == 'W') {
        return !time && parts == 0 && at == text.length() - 1;
      }
      var unit = units.indexOf(text.charAt(at++), place);
      if (unit < 0) {
        return false;
      }
      place = unit + 1;
      parts++;
    }
    return parts > 0;
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }
}
