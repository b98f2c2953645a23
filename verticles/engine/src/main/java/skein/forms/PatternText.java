package skein.forms;

/**
 * Writes a regular expression of ECMA-262, the dialect of JSON Schema, as RE2 reads it, and
 * estimates its size before anything is compiled. Used once.
 */
final class PatternText {
  /** The white space of ECMA-262, for use within brackets. */
  private static final String SPACE =
      "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";

  private static final String NO_SPACE =
      "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}"
          + "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}"
          + "\\x{ff00}-\\x{10ffff}";

  private static final String DOT = "[^\\n\\r\\x{2028}\\x{2029}]";
  private static final String ANY = "[\\x{0}-\\x{10ffff}]";
  private static final String NONE = "[^\\x{0}-\\x{10ffff}]";
  private static final int GROUPS_DEPTH_MAX = 50;
  private static final int REPETITIONS_MAX = 1_000;

  private final String text;
  private final long sizeMax;
  private final StringBuilder out = new StringBuilder();

  /** The sizes of the open groups so far, the innermost last. */
  private final long[] sizes = new long[GROUPS_DEPTH_MAX + 1];

  private int groups;
  private long atom;
  private int next;

  /** The reason why a pattern cannot be used, as the end of a sentence about it. */
  static final class RefusedException extends RuntimeException {
    RefusedException(String message) {
      super(message);
    }
  }

  private PatternText(String text, long sizeMax) {
    this.text = text;
    this.sizeMax = sizeMax;
  }

  /**
   * @throws RefusedException when RE2 has no such thing, or it would be too large
   */
  static String asRe2(String text, long sizeMax) {
    if (text.length() > sizeMax) {
      throw tooLarge();
    }
    return new PatternText(text, sizeMax).translate();
  }

  private static RefusedException tooLarge() {
    return new RefusedException(
        "is too large: shorten it, or lower its counts (forms.pattern-size-max)");
  }

  private String translate() {
    while (next < text.length()) {
      var c = text.charAt(next);
      switch (c) {
        case '\\' -> escape();
        case '[' -> brackets();
        case '(' -> open();
        case ')' -> close();
        case '*', '+', '?' -> repeat(c);
        case '{' -> braces();
        case '.' -> take(1, DOT);
        case '|' -> {
          grow(1);
          take(1, "|");
          atom = 0;
        }
        case ']', '}' -> take(1, "\\" + c);
        default -> {
          var units = Character.charCount(text.codePointAt(next));
          take(units, text.substring(next, next + units));
        }
      }
    }
    if (groups > 0) {
      throw new RefusedException("has a group that is not closed");
    }
    return out.toString();
  }

  private void take(int units, String written) {
    next += units;
    out.append(written);
    atom = 1;
    grow(1);
  }

  private void grow(long by) {
    sizes[groups] += by;
    if (sizes[groups] > sizeMax) {
      throw tooLarge();
    }
  }

  private void open() {
    if (groups == GROUPS_DEPTH_MAX) {
      throw new RefusedException("has more than " + GROUPS_DEPTH_MAX + " groups in one another");
    }
    if (at("(?=") || at("(?!") || at("(?<=") || at("(?<!")) {
      throw new RefusedException(
          "looks ahead or behind, which takes more than linear time: write what it asks for as"
              + " several patterns in allOf, or under not");
    }
    if (at("(?>")) {
      throw new RefusedException("has an atomic group, which RE2 does not know");
    }
    var named = at("(?<");
    out.append(named ? "(?P<" : "(");
    next += named ? 3 : 1;
    if (!named && at("?")) { // (?:…), (?i), (?P<…>
      out.append('?');
      next++;
    }
    sizes[++groups] = 1;
    atom = 0;
  }

  private boolean at(String start) {
    return text.startsWith(start, next);
  }

  private void close() {
    if (groups == 0) {
      throw new RefusedException("closes a group that is not open");
    }
    out.append(')');
    next++;
    atom = sizes[groups--] + 1;
    grow(atom);
  }

  private void repeat(char c) {
    if (atom == 0) {
      throw new RefusedException("repeats nothing with " + c + ", at " + next);
    }
    out.append(c);
    next++;
    lazy();
    grow(1);
    atom++;
  }

  private void lazy() {
    if (at("?")) {
      out.append('?');
      next++;
    } else if (at("+") || at("*")) {
      throw new RefusedException("has a possessive or doubled repetition, at " + next);
    }
  }

  /** {@code {2}}, {@code {2,}}, {@code {2,5}}; any other brace means itself. */
  private void braces() {
    var end = text.indexOf('}', next);
    var counts = end < 0 ? "" : text.substring(next + 1, Math.min(end, next + 12));
    if (!isCount(counts)) {
      take(1, "\\{");
      return;
    }
    if (atom == 0) {
      throw new RefusedException("repeats nothing with a count, at " + next);
    }
    var comma = counts.indexOf(',');
    var least = number(comma < 0 ? counts : counts.substring(0, comma));
    var most =
        comma < 0 || comma == counts.length() - 1 ? least : number(counts.substring(comma + 1));
    if (Math.max(least, most) > REPETITIONS_MAX) {
      throw new RefusedException(
          "repeats more than " + REPETITIONS_MAX + " times: use maxLength and minLength");
    }
    out.append(text, next, end + 1);
    next = end + 1;
    lazy();
    var times = Math.max(1, Math.max(least, most));
    grow(atom * times * 2);
    atom = atom * times * 2 + 1;
  }

  private static boolean isCount(String text) {
    var comma = text.indexOf(',');
    var least = comma < 0 ? text : text.substring(0, comma);
    var most = comma < 0 ? "" : text.substring(comma + 1);
    return !least.isEmpty() && isDigits(least) && isDigits(most);
  }

  private static boolean isDigits(String text) {
    return text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static int number(String digits) {
    return digits.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(digits);
  }

  private void escape() {
    if (at("\\b") || at("\\B") || at("\\A") || at("\\z")) {
      take(2, text.substring(next, next + 2));
      return;
    }
    switch (following()) {
      case 's' -> take(2, "[" + SPACE + "]");
      case 'S' -> take(2, "[" + NO_SPACE + "]");
      case 'k', '1', '2', '3', '4', '5', '6', '7', '8', '9' ->
          throw new RefusedException("refers back to a group, which takes more than linear time");
      default -> {
        var written = character();
        out.append(written);
        atom = 1;
        grow(1);
      }
    }
  }

  private char following() {
    if (next + 1 >= text.length()) {
      throw new RefusedException("ends with a backslash");
    }
    return text.charAt(next + 1);
  }

  /** An escape that means the same within brackets and outside; goes past it. */
  private String character() {
    var c = following();
    next += 2;
    return switch (c) {
      case 'd', 'D', 'w', 'W', 't', 'n', 'r', 'f' -> "\\" + c;
      case 'v' -> "\\x{b}";
      case '0' -> "\\x{0}";
      case 'c' -> control();
      case 'x' -> at("{") ? braced("\\x") : hex(2);
      case 'u' -> at("{") ? braced("\\x") : surrogates(hex(4));
      case 'p', 'P' -> property(c);
      default -> {
        if (Character.isLetterOrDigit(c)) {
          throw new RefusedException("has \\" + c + ", which RE2 does not know");
        }
        if (c < 0x80) {
          yield "\\" + c;
        }
        next--;
        var units = Character.charCount(text.codePointAt(next));
        next += units;
        yield text.substring(next - units, next);
      }
    };
  }

  private String control() {
    var letter = next < text.length() ? text.charAt(next++) : 0;
    if (!Character.toString(letter).matches("[A-Za-z]")) {
      throw new RefusedException("has \\c without a letter");
    }
    return "\\x{" + Integer.toHexString(letter % 32) + "}";
  }

  private String hex(int digits) {
    var end = next + digits;
    if (end > text.length() || !text.substring(next, end).matches("[0-9A-Fa-f]+")) {
      throw new RefusedException("has an escape without its " + digits + " hexadecimal digits");
    }
    next = end;
    return "\\x{" + text.substring(end - digits, end) + "}";
  }

  /** Two escapes that are one character together. */
  private String surrogates(String first) {
    var high = (char) Integer.parseInt(first, 3, 7, 16);
    if (!Character.isHighSurrogate(high) || !at("\\u") || next + 6 > text.length()) {
      return first;
    }
    var before = next;
    next += 2;
    var low = (char) Integer.parseInt(hex(4), 3, 7, 16);
    if (!Character.isLowSurrogate(low)) {
      next = before;
      return first;
    }
    return "\\x{" + Integer.toHexString(Character.toCodePoint(high, low)) + "}";
  }

  private String braced(String start) {
    var end = text.indexOf('}', next);
    if (end < 0 || end - next > 50) {
      throw new RefusedException("has an escape whose brace is not closed");
    }
    var written = start + text.substring(next, end + 1);
    next = end + 1;
    return written;
  }

  /** {@code \p{Script=Greek}} is {@code \p{Greek}}, {@code \p{Letter}} is {@code \p{L}}. */
  private String property(char c) {
    if (!at("{")) {
      return "\\" + c;
    }
    var written = braced("");
    var name = written.substring(written.indexOf('=') + 1, written.length() - 1);
    name = name.startsWith("{") ? name.substring(1) : name;
    var known =
        switch (name) {
          case "Letter" -> "L";
          case "Lowercase_Letter" -> "Ll";
          case "Uppercase_Letter", "Alpha" -> name.equals("Alpha") ? "L" : "Lu";
          case "Mark" -> "M";
          case "Number" -> "N";
          case "Decimal_Number", "digit" -> "Nd";
          case "Punctuation", "punct" -> "P";
          case "Symbol" -> "S";
          case "Separator" -> "Z";
          case "Space_Separator" -> "Zs";
          case "Other" -> "C";
          default -> name;
        };
    return "\\" + c + "{" + known + "}";
  }

  private void brackets() {
    if (at("[^]")) {
      take(3, ANY);
      return;
    }
    if (at("[]")) {
      take(2, NONE);
      return;
    }
    out.append('[');
    next++;
    if (at("^")) {
      out.append('^');
      next++;
    }
    while (true) {
      if (next >= text.length()) {
        throw new RefusedException("has a bracket that is not closed");
      }
      var c = text.charAt(next);
      if (c == ']') {
        break;
      }
      if (c == '\\') {
        out.append(inBrackets());
      } else {
        // In RE2 and Java other signs mean something within brackets.
        out.append(c == '[' || c == '&' || c == '~' ? "\\" : "").append(c);
        next++;
      }
    }
    take(1, "]");
  }

  private String inBrackets() {
    return switch (following()) {
      case 's' -> {
        next += 2;
        yield SPACE;
      }
      case 'S' -> {
        next += 2;
        yield NO_SPACE;
      }
      case 'b' -> {
        next += 2;
        yield "\\x{8}";
      }
      default -> character();
    };
  }
}
