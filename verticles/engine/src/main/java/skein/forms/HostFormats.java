package skein.forms;

import java.util.Locale;

/** Names and addresses of hosts, and of mailboxes there. */
final class HostFormats {
  private static final int LABEL_MAX = 63;
  private static final int HOST_MAX = 253;

  private HostFormats() {}

  static boolean isEmail(String text, boolean international) {
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
      var known =
          AsciiText.isLetter(c) || AsciiText.isDigit(c) || "!#$%&'*+/=?^_`{|}~-".indexOf(c) >= 0;
      if (c == '.' ? before == '.' : !known && !(international && c > 0x7f)) {
        return false;
      }
      before = c;
    }
    return before != '.';
  }

  static boolean isHost(String text, boolean international) {
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
      var plain = AsciiText.isLetter(c) || AsciiText.isDigit(c) || c == '-';
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
      case '\u30fb' -> label.codePoints().anyMatch(HostFormats::isJapanese);
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

  static boolean isIpv4(String text) {
    if (text.length() > 15) {
      return false;
    }
    var parts = text.split("\\.", -1);
    if (parts.length != 4) {
      return false;
    }
    for (var part : parts) {
      var digits =
          !part.isEmpty()
              && part.length() <= 3
              && part.chars().allMatch(c -> AsciiText.isDigit((char) c));
      if (!digits || (part.length() > 1 && part.startsWith("0")) || Integer.parseInt(part) > 255) {
        return false;
      }
    }
    return true;
  }

  static boolean isIpv6(String text) {
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
          || !part.chars().allMatch(c -> AsciiText.isHex((char) c))) {
        return -100;
      } else {
        count++;
      }
    }
    return count;
  }
}
