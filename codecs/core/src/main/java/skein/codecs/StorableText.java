package skein.codecs;

import java.util.Locale;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Text that every store takes: no {@code \u0000}, no half of a surrogate pair. */
public final class StorableText {
  private static final char REPLACEMENT = '\uFFFD';

  private StorableText() {}

  /**
   * Returns the value when it is storable and 1 to {@code charsMax} UTF-16 units long; throws
   * {@code INVALID_REQUEST}, {@code TOO_LARGE} or {@code UNSTORABLE_TEXT}, naming {@code what}.
   */
  public static String check(String what, String value, int charsMax) {
    if (value.isEmpty()) {
      throw new SkeinException(ErrorCode.INVALID_REQUEST, what + " is empty");
    }
    if (value.length() > charsMax) {
      throw new SkeinException(
          ErrorCode.TOO_LARGE,
          what + " has " + value.length() + " characters; at most " + charsMax + " are allowed");
    }
    int bad = firstUnstorable(value);
    if (bad >= 0) {
      throw new SkeinException(
          ErrorCode.UNSTORABLE_TEXT, what + " has " + name(value.charAt(bad)) + " at " + bad);
    }
    return value;
  }

  public static boolean isStorable(String value) {
    return firstUnstorable(value) < 0;
  }

  /** The text with U+FFFD in place of every character that cannot be stored. */
  static String replaced(String value) {
    if (isStorable(value)) {
      return value;
    }
    var text = new StringBuilder(value);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || (Character.isSurrogate(c) && !isPair(value, i))) {
        text.setCharAt(i, REPLACEMENT);
      } else if (Character.isSurrogate(c)) {
        i++;
      }
    }
    return text.toString();
  }

  private static boolean isPair(String value, int at) {
    return Character.isHighSurrogate(value.charAt(at))
        && at + 1 < value.length()
        && Character.isLowSurrogate(value.charAt(at + 1));
  }

  /** Index of the first character that cannot be stored; -1 when there is none. */
  static int firstUnstorable(String value) {
    int zero = value.indexOf(0);
    return zero >= 0 ? zero : firstLoneSurrogate(value);
  }

  /** Index of the first half of a pair without its other half; -1 when there is none. */
  static int firstLoneSurrogate(String value) {
    int length = value.length();
    for (int i = 0; i < length; i++) {
      if (Character.isSurrogate(value.charAt(i))) {
        if (!isPair(value, i)) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }

  /** The character for people. */
  static String name(char c) {
    return c == 0
        ? "the character U+0000"
        : "a lone surrogate U+" + Integer.toHexString(c).toUpperCase(Locale.ROOT);
  }
}
