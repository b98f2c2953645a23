package skein.forms;

import java.util.Locale;

/** URIs, IRIs, references and templates of them. */
final class ReferenceFormats {
  private static final String UNRESERVED = "-._~!$&'()*+,;=:@/?";

  private ReferenceFormats() {}

  static boolean hasScheme(String text) {
    if (text.isEmpty() || !AsciiText.isLetter(text.charAt(0))) {
      return false;
    }
    for (var i = 1; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == ':') {
        return true;
      }
      if (!AsciiText.isLetter(c) && !AsciiText.isDigit(c) && c != '+' && c != '-' && c != '.') {
        return false;
      }
    }
    return false;
  }

  static boolean isUrl(String text) {
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
  static boolean isReference(String text, boolean international) {
    var fragment = false;
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == '#' && !fragment) {
        fragment = true;
      } else if (c == '%') {
        if (i + 2 >= text.length()
            || !AsciiText.isHex(text.charAt(i + 1))
            || !AsciiText.isHex(text.charAt(i + 2))) {
          return false;
        }
      } else if (!AsciiText.isLetter(c)
          && !AsciiText.isDigit(c)
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
      if (end < 0 || !(HostFormats.isIpv6(host.substring(1, end)) || host.startsWith("[v"))) {
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
    return port.isEmpty() || port.substring(1).chars().allMatch(c -> AsciiText.isDigit((char) c));
  }

  /** RFC 6570: names in braces, with an operator, lengths and stars. */
  static boolean isTemplate(String text) {
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
          && (i + 2 >= text.length()
              || !AsciiText.isHex(text.charAt(i + 1))
              || !AsciiText.isHex(text.charAt(i + 2)))) {
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
              .allMatch(c ->
                  AsciiText.isLetter((char) c)
                      || AsciiText.isDigit((char) c)
                      || "_.%".indexOf(c) >= 0)) {
        return false;
      }
      if (rest.startsWith(":")
          && (rest.length() < 2
              || rest.length() > 5
              || rest.charAt(1) == '0'
              || !rest.substring(1).chars().allMatch(c -> AsciiText.isDigit((char) c)))) {
        return false;
      }
    }
    return true;
  }
}
