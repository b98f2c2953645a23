package skein.forms;

import java.util.Map;
import java.util.function.Predicate;

/**
 * The formats that strings are checked for, each in one pass over the text. Others are not checked,
 * as JSON Schema has it.
 */
final class Formats {
  private static final Map<String, Predicate<String>> KNOWN =
      Map.ofEntries(
          Map.entry("date", TimeFormats::isDate),
          Map.entry("time", TimeFormats::isTime),
          Map.entry("date-time", TimeFormats::isDateTime),
          Map.entry("duration", TimeFormats::isDuration),
          Map.entry("email", text -> HostFormats.isEmail(text, false)),
          Map.entry("idn-email", text -> HostFormats.isEmail(text, true)),
          Map.entry("hostname", text -> HostFormats.isHost(text, false)),
          Map.entry("idn-hostname", text -> HostFormats.isHost(text, true)),
          Map.entry("ipv4", HostFormats::isIpv4),
          Map.entry("ipv6", HostFormats::isIpv6),
          Map.entry(
              "uri",
              text ->
                  ReferenceFormats.hasScheme(text) && ReferenceFormats.isReference(text, false)),
          Map.entry("url", ReferenceFormats::isUrl),
          Map.entry(
              "iri",
              text -> ReferenceFormats.hasScheme(text) && ReferenceFormats.isReference(text, true)),
          Map.entry("uri-reference", text -> ReferenceFormats.isReference(text, false)),
          Map.entry("iri-reference", text -> ReferenceFormats.isReference(text, true)),
          Map.entry("uri-template", ReferenceFormats::isTemplate),
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

  private static boolean isUuid(String text) {
    var uuid = text.regionMatches(true, 0, "urn:uuid:", 0, 9) ? text.substring(9) : text;
    if (uuid.length() != 36) {
      return false;
    }
    for (var i = 0; i < 36; i++) {
      var dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? uuid.charAt(i) != '-' : !AsciiText.isHex(uuid.charAt(i))) {
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
    while (at < text.length() && AsciiText.isDigit(text.charAt(at))) {
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
          isEncoded(
              text,
              4,
              2,
              c -> AsciiText.isLetter(c) || AsciiText.isDigit(c) || c == '+' || c == '/');
      case "base32" -> isEncoded(text, 8, 6, c -> (c >= 'A' && c <= 'Z') || (c >= '2' && c <= '7'));
      case "base16" -> isEncoded(text, 2, 0, AsciiText::isHex);
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
