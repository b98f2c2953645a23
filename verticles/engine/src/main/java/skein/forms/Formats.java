package skein.forms;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The formats that strings are checked for, each in one pass over the text. Others are not checked,
 * as JSON Schema has it.
 */
final class Formats {
  private static final int LABEL_MAX = 63;
  private static final int HOST_MAX = 253;
  private static final String UNRESERVED = "-._~!$&'()*+,;=:@/?";

  private static final Map<String, Predicate<String>> KNOWN =
      Map.ofEntries(
          Map.entry("date", Formats::isDate),
          Map.entry("time", Formats::isTime),
          Map.entry("date-time", Formats::isDateTime),
          Map.entry("duration", Formats::isDuration),
          Map.entry("email", text -> isEmail(text, false)),
          Map.entry("idn-email", text -> isEmail(text, true)),
          Map.entry("hostname", text -> isHost(text, false)),
          Map.entry("idn-hostname", text -> isHost(text, true)),
          Map.entry("ipv4", Formats::isIpv4),
          Map.entry("ipv6", Formats::isIpv6),
          Map.entry("uri", text -> hasScheme(text) && isReference(text, false)),
          Map.entry("url", Formats::isUrl),
          Map.entry("iri", text -> hasScheme(text) && isReference(text, true)),
          Map.entry("uri-reference", text -> isReference(text, false)),
          Map.entry("iri-reference", text -> isReference(text, true)),
          Map.entry("uri-template", Formats::isTemplate),
          Map.entry("uuid", Formats::isUuid),
          Map.entry("json-pointer", Formats::isPointer),
          Map.entry(
              "json-pointer-uri-fragment", t -> t.startsWith("#") && isPointer(t.substring(1))),
          Map.entry("relative-json-pointer", Formats::isRelativePointer),
          Map.entry("regex", Formats::isRegex),
          Map.entry("byte", text -> isEncoded(text, "base64")));

  private Formats() {}

  /** Whether it has the format, or the format is not known. */
  static boolean fits(String format, String text) {
    var known = KNOWN.get(format);
    return known == null || known.test(text);
  }

  static boolean isKnown(String format) {
    return KNOWN.containsKey(format);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isHex(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  /** {@code shape}: 0 is a digit, everything else means itself. */
  private static boolean hasShape(String text, String shape) {
    if (text.length() != shape.length()) {
      return false;
    }
    for (var i = 0; i < shape.length(); i++) {
      var fits =
          shape.charAt(i) == '0' ? isDigit(text.charAt(i)) : text.charAt(i) == shape.charAt(i);
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  private static boolean isDate(String text) {
    if (!hasShape(text, "0000-00-00")) {
      return false;
    }
    try {
      var _ = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
      return true;
    } catch (DateTimeException _) {
      return false;
    }
  }

  private static boolean isDateTime(String text) {
    return text.length() > 11
        && isDate(text.substring(0, 10))
        && "tT ".indexOf(text.charAt(10)) >= 0
        && isTime(text.substring(11));
  }

  /** {@code 12:00:00.5+01:00}; a leap second is one at the end of a day of UTC. */
  private static boolean isTime(String text) {
    if (text.length() < 8 || !hasShape(text.substring(0, 8), "00:00:00")) {
      return false;
    }
    var at = 8;
    if (at < text.length() && text.charAt(at) == '.') {
      var digits = at + 1;
      for (at = digits; at < text.length() && isDigit(text.charAt(at)); at++) {}
      if (at == digits) {
        return false;
      }
    }
    var zone = text.substring(at);
    var offset = 0;
    if (!zone.isEmpty() && !zone.equalsIgnoreCase("z")) {
      var signed = zone.charAt(0) == '+' || zone.charAt(0) == '-';
      var rest = zone.substring(1);
      if (!signed || !(hasShape(rest, "00:00") || hasShape(rest, "0000") || hasShape(rest, "00"))) {
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
  private static boolean isDuration(String text) {
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
      while (at < text.length() && isDigit(text.charAt(at))) {
        at++;
      }
      if (at < text.length() && (text.charAt(at) == '.' || text.charAt(at) == ',') && at > digits) {
        for (at++; at < text.length() && isDigit(text.charAt(at)); at++) {}
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

  private static boolean isEmail(String text, boolean international) {
    var at = text.lastIndexOf('@');
    if (at < 1 || at > 256 || text.length() - at > HOST_MAX + 3) {
      return false;
    }
    var local = text.substring(0, at);
    var host = text.substring(at + 1);
    if (local.length() > 2 && local.startsWith("\"") && local.endsWith("\"")) {
      var inner = local.substring(1, local.length() - 1).replace("\\\\", "").replace("\\\"", "");
      if (inner.indexOf('"') >= 0 || inner.indexOf('\\') >= 0) {
        return false;
      }
    } else if (!isDotAtom(local, international)) {
      return false;
    }
    if (host.startsWith("[") && host.endsWith("]")) {
      var address = host.substring(1, host.length() - 1);
      return address.startsWith("IPv6:") ? isIpv6(address.substring(5)) : isIpv4(address);
    }
    return isHost(host, international);
  }

  private static boolean isDotAtom(String text, boolean international) {
    var before = '.';
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      var known = isLetter(c) || isDigit(c) || "!#$%&'*+/=?^_`{|}~-".indexOf(c) >= 0;
      if (c == '.' ? before == '.' : !known && !(international && c > 0x7f)) {
        return false;
      }
      before = c;
    }
    return before != '.';
  }

  private static boolean isHost(String text, boolean international) {
    var end = text.endsWith(".") && text.length() > 1 ? text.length() - 1 : text.length();
    if (end == 0 || end > HOST_MAX) {
      return false;
    }
    var start = 0;
    for (var i = 0; i <= end; i++) {
      if (i == end || isDot(text.charAt(i), international)) {
        if (!isLabel(text.substring(start, i), international)) {
          return false;
        }
        start = i + 1;
      }
    }
    return true;
  }

  private static boolean isDot(char c, boolean international) {
    return c == '.' || (international && (c == '\u3002' || c == '\uff0e' || c == '\uff61'));
  }

  private static boolean isLabel(String label, boolean international) {
    if (label.isEmpty()
        || label.length() > LABEL_MAX
        || label.startsWith("-")
        || label.endsWith("-")) {
      return false;
    }
    var marked = label.startsWith("--", 2);
    if (marked && !label.toLowerCase(Locale.ROOT).startsWith("xn--")) {
      return false;
    }
    for (var i = 0; i < label.length(); i++) {
      var c = label.charAt(i);
      var plain = isLetter(c) || isDigit(c) || c == '-';
      if (!plain && !(international && c > 0x7f && isInternational(label, i))) {
        return false;
      }
    }
    return true;
  }

  /** Letters, digits and marks, no mark first; what may stand only beside certain others. */
  private static boolean isInternational(String label, int index) {
    var before = index == 0 ? 0 : label.charAt(index - 1);
    var after = index == label.length() - 1 ? 0 : label.charAt(index + 1);
    var c = label.charAt(index);
    return switch (c) {
      case '\u302e',
          '\u302f',
          '\u0640',
          '\u07fa',
          '\u3031',
          '\u3032',
          '\u3033',
          '\u3034',
          '\u3035',
          '\u303b' ->
          false;
      case '\u00b7' -> before == 'l' && after == 'l';
      case '\u0375' -> Character.UnicodeScript.of(after) == Character.UnicodeScript.GREEK;
      case '\u05f3', '\u05f4' ->
          before != 0 && Character.UnicodeScript.of(before) == Character.UnicodeScript.HEBREW;
      case '\u30fb' -> label.codePoints().anyMatch(Formats::isJapanese);
      case '\u200d' -> before == '\u094d';
      case '\u200c' -> before != 0;
      default -> {
        if (Character.isSurrogate(c)) {
          yield true;
        }
        var type = Character.getType(c);
        var mark =
            type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
        yield mark
            ? index > 0
            : Character.isLetterOrDigit(c) || "\u0f0b\u3007\u06fd\u06fe".indexOf(c) >= 0;
      }
    };
  }

  private static boolean isJapanese(int c) {
    return switch (Character.UnicodeScript.of(c)) {
      case HIRAGANA, KATAKANA, HAN -> c != '\u30fb';
      default -> false;
    };
  }

  private static boolean isIpv4(String text) {
    if (text.length() > 15) {
      return false;
    }
    var parts = text.split("\\.", -1);
    if (parts.length != 4) {
      return false;
    }
    for (var part : parts) {
      var digits =
          !part.isEmpty() && part.length() <= 3 && part.chars().allMatch(c -> isDigit((char) c));
      if (!digits || (part.length() > 1 && part.startsWith("0")) || Integer.parseInt(part) > 255) {
        return false;
      }
    }
    return true;
  }

  private static boolean isIpv6(String text) {
    if (text.length() > 45 || text.startsWith(":") != text.startsWith("::")) {
      return false;
    }
    var gap = text.indexOf("::");
    if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
      return false;
    }
    if (gap < 0) {
      return groups(text) == 8;
    }
    var before = gap == 0 ? 0 : groups(text.substring(0, gap));
    var after = gap + 2 == text.length() ? 0 : groups(text.substring(gap + 2));
    return before >= 0
        && after >= 0
        && before + after <= 7
        && !text.substring(0, gap).contains(".");
  }

  /** How many groups of 16 bits there are; negative when one is none. */
  private static int groups(String text) {
    var parts = text.split(":", -1);
    var count = 0;
    for (var i = 0; i < parts.length; i++) {
      var part = parts[i];
      if (i == parts.length - 1 && part.indexOf('.') >= 0) {
        if (!isIpv4(part)) {
          return -100;
        }
        count += 2;
      } else if (part.isEmpty()
          || part.length() > 4
          || !part.chars().allMatch(c -> isHex((char) c))) {
        return -100;
      } else {
        count++;
      }
    }
    return count;
  }

  private static boolean hasScheme(String text) {
    if (text.isEmpty() || !isLetter(text.charAt(0))) {
      return false;
    }
    for (var i = 1; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == ':') {
        return true;
      }
      if (!isLetter(c) && !isDigit(c) && c != '+' && c != '-' && c != '.') {
        return false;
      }
    }
    return false;
  }

  private static boolean isUrl(String text) {
    var scheme = text.toLowerCase(Locale.ROOT);
    var start = scheme.indexOf("://");
    return start > 0
        && (scheme.startsWith("http://")
            || scheme.startsWith("https://")
            || scheme.startsWith("ftp://"))
        && start + 3 < text.length()
        && "/?#".indexOf(text.charAt(start + 3)) < 0
        && isReference(text, true);
  }

  /** RFC 3986 by its characters, with an authority that can be one. */
  private static boolean isReference(String text, boolean international) {
    var fragment = false;
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == '#' && !fragment) {
        fragment = true;
      } else if (c == '%') {
        if (i + 2 >= text.length() || !isHex(text.charAt(i + 1)) || !isHex(text.charAt(i + 2))) {
          return false;
        }
      } else if (!isLetter(c)
          && !isDigit(c)
          && UNRESERVED.indexOf(c) < 0
          && c != '['
          && c != ']'
          && !(international && c >= 0xa0)) {
        return false;
      }
    }
    var path = hasScheme(text) ? text.substring(text.indexOf(':') + 1) : text;
    if (!hasScheme(text) && firstSegment(text).indexOf(':') >= 0) {
      return false;
    }
    if (!path.startsWith("//")) {
      return path.indexOf('[') < 0 && path.indexOf(']') < 0;
    }
    var authority = firstSegment(path.substring(2));
    return isAuthority(authority)
        && path.indexOf('[', authority.length() + 2) < 0
        && path.indexOf(']', authority.length() + 2) < 0;
  }

  private static String firstSegment(String text) {
    for (var i = 0; i < text.length(); i++) {
      if ("/?#".indexOf(text.charAt(i)) >= 0) {
        return text.substring(0, i);
      }
    }
    return text;
  }

  private static boolean isAuthority(String text) {
    var host = text.substring(text.lastIndexOf('@') + 1);
    if (text.indexOf('@') != text.lastIndexOf('@')
        || text.lastIndexOf('[', text.indexOf('@')) >= 0) {
      return false;
    }
    var port = "";
    if (host.startsWith("[")) {
      var end = host.indexOf(']');
      if (end < 0 || !(isIpv6(host.substring(1, end)) || host.startsWith("[v"))) {
        return false;
      }
      port = host.substring(end + 1);
      if (!port.isEmpty() && port.charAt(0) != ':') {
        return false;
      }
    } else {
      if (host.indexOf('[') >= 0 || host.indexOf(']') >= 0) {
        return false;
      }
      var colon = host.indexOf(':');
      port = colon < 0 ? "" : host.substring(colon);
    }
    return port.isEmpty() || port.substring(1).chars().allMatch(c -> isDigit((char) c));
  }

  /** RFC 6570: names in braces, with an operator, lengths and stars. */
  private static boolean isTemplate(String text) {
    var inside = false;
    var start = 0;
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == '{' && !inside) {
        inside = true;
        start = i + 1;
      } else if (c == '}' && inside) {
        inside = false;
        if (!isTemplateExpression(text.substring(start, i))) {
          return false;
        }
      } else if (inside ? "{".indexOf(c) >= 0 : c <= ' ' || "\"'<>\\^`{|}".indexOf(c) >= 0) {
        return false;
      } else if (c == '%'
          && (i + 2 >= text.length() || !isHex(text.charAt(i + 1)) || !isHex(text.charAt(i + 2)))) {
        return false;
      }
    }
    return !inside;
  }

  private static boolean isTemplateExpression(String text) {
    var names =
        !text.isEmpty() && "+#./;?&=,!@|".indexOf(text.charAt(0)) >= 0 ? text.substring(1) : text;
    for (var name : names.split(",", -1)) {
      var end =
          name.endsWith("*")
              ? name.length() - 1
              : name.indexOf(':') < 0 ? name.length() : name.indexOf(':');
      var rest = name.substring(end);
      if (end == 0
          || !name.substring(0, end)
              .chars()
              .allMatch(c -> isLetter((char) c) || isDigit((char) c) || "_.%".indexOf(c) >= 0)) {
        return false;
      }
      if (rest.startsWith(":")
          && (rest.length() < 2
              || rest.length() > 5
              || rest.charAt(1) == '0'
              || !rest.substring(1).chars().allMatch(c -> isDigit((char) c)))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isUuid(String text) {
    var uuid = text.regionMatches(true, 0, "urn:uuid:", 0, 9) ? text.substring(9) : text;
    if (uuid.length() != 36) {
      return false;
    }
    for (var i = 0; i < 36; i++) {
      var dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? uuid.charAt(i) != '-' : !isHex(uuid.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPointer(String text) {
    if (!text.isEmpty() && text.charAt(0) != '/') {
      return false;
    }
    for (var i = text.indexOf('~'); i >= 0; i = text.indexOf('~', i + 1)) {
      if (i + 1 >= text.length() || (text.charAt(i + 1) != '0' && text.charAt(i + 1) != '1')) {
        return false;
      }
    }
    return true;
  }

  private static boolean isRelativePointer(String text) {
    var at = 0;
    while (at < text.length() && isDigit(text.charAt(at))) {
      at++;
    }
    return at > 0
        && (at == 1 || text.charAt(0) != '0')
        && (text.substring(at).equals("#") || isPointer(text.substring(at)));
  }

  /** Whether it is built like a regular expression; it is never run. */
  private static boolean isRegex(String text) {
    var groups = 0;
    var brackets = false;
    var repeatable = false;
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == '\\') {
        i++;
        if (i == text.length() || "aAzZ".indexOf(text.charAt(i)) >= 0) {
          return false;
        }
        repeatable = true;
      } else if (brackets) {
        brackets = c != ']';
        repeatable = true;
      } else {
        switch (c) {
          case '[' -> brackets = true;
          case '(' -> {
            groups++;
            if (i + 1 < text.length() && text.charAt(i + 1) == '?') {
              i++;
            }
          }
          case ')' -> groups--;
          case '*', '+' -> {
            if (!repeatable) {
              return false;
            }
          }
          default -> {}
        }
        repeatable = c != '(' && c != '|' && c != '*' && c != '+';
      }
      if (groups < 0) {
        return false;
      }
    }
    return groups == 0 && !brackets;
  }

  /** {@code contentEncoding}; others than these are not checked. */
  static boolean isEncoded(String text, String encoding) {
    return switch (encoding) {
      case "base64" ->
          isEncoded(text, 4, 2, c -> isLetter(c) || isDigit(c) || c == '+' || c == '/');
      case "base32" -> isEncoded(text, 8, 6, c -> (c >= 'A' && c <= 'Z') || (c >= '2' && c <= '7'));
      case "base16" -> isEncoded(text, 2, 0, Formats::isHex);
      default -> true;
    };
  }

  private static boolean isEncoded(
      String text, int unit, int paddingMax, Predicate<Character> isDigit) {
    var end = text.length();
    while (end > 0 && text.charAt(end - 1) == '=') {
      end--;
    }
    for (var i = 0; i < end; i++) {
      if (!isDigit.test(text.charAt(i))) {
        return false;
      }
    }
    return text.length() % unit == 0 && text.length() - end <= paddingMax;
  }
}
