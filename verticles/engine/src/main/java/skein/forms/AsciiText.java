package skein.forms;

/** Characters of ASCII, and texts by their shape. */
final class AsciiText {
  private AsciiText() {}

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  static boolean isHex(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  /** {@code shape}: 0 is a digit, everything else means itself. */
  static boolean hasShape(String text, String shape) {
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
}
