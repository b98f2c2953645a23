package skein.node.logging;

/** Text from outside in a log: of bounded length, and without what a terminal would obey. */
final class LogText {
  private static final int DELETE = 0x7f;
  private static final int CONTROLS_END = 0x9f;

  private LogText() {}

  /** Its beginning, and how many characters are missing, when it has more than {@code max}. */
  static String bounded(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
    return text.substring(0, end) + "… (" + (text.length() - end) + " more characters)";
  }

  /** One line: line breaks as {@code \r} and {@code \n}, other controls by their code. */
  static String oneLine(String text) {
    return escaped(text, "");
  }

  /** As {@link #oneLine}, with the line breaks and tabs of a stack trace. */
  static String stack(String text) {
    return escaped(text, "\n\t");
  }

  /** {@code but}: the characters that stay as they are. */
  private static String escaped(String text, String but) {
    int first = 0;
    while (first < text.length() && !isToEscape(text.charAt(first), but)) {
      first++;
    }
    if (first == text.length()) {
      return text;
    }
    var result = new StringBuilder(text.length() + 16).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isToEscape(c, but)) {
        result.append(c);
      } else if (c == '\n') {
        result.append("\\n");
      } else if (c == '\r') {
        result.append("\\r");
      } else {
        result.append("\\u%04x".formatted((int) c));
      }
    }
    return result.toString();
  }

  private static boolean isToEscape(char c, String but) {
    return (c < ' ' || c >= DELETE) && isControl(c) && but.indexOf(c) < 0;
  }

  /** Controls of terminals, line ends of any kind, and what turns the direction of text. */
  static boolean isControl(char c) {
    return c < ' '
        || c == '\u061c'
        || c == '\u200e'
        || c == '\u200f'
        || (c >= DELETE && c <= CONTROLS_END)
        || (c >= '\u2028' && c <= '\u202e')
        || (c >= '\u2066' && c <= '\u2069');
  }
}
