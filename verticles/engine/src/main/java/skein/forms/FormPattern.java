package skein.forms;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/** A pattern that takes time in proportion to what it looks at. Safe for use by many threads. */
final class FormPattern {
  /** Instructions of a pattern that one step pays for, at one character. */
  private static final int INSTRUCTIONS_PER_STEP = 8;

  private final Pattern pattern;
  private final String written;

  private FormPattern(Pattern pattern, String written) {
    this.pattern = pattern;
    this.written = written;
  }

  /**
   * @throws PatternText.RefusedException when it cannot be used
   */
  static FormPattern of(String text, long sizeMax) {
    try {
      var pattern = Pattern.compile(PatternText.asRe2(text, sizeMax));
      return new FormPattern(pattern, text);
    } catch (PatternSyntaxException e) {
      throw new PatternText.RefusedException("cannot be read: " + e.getDescription());
    }
  }

  int size() {
    return pattern.programSize();
  }

  /** As it is written in the form. */
  String written() {
    return written;
  }

  /** Whether some part of the text matches. */
  boolean matches(Check check, String text) {
    check.spend(1);
    return pattern.matcher(new Counted(text, check, 1 + size() / INSTRUCTIONS_PER_STEP)).find();
  }

  /** Pays for each character that is looked at, and so ends a match that takes too long. */
  private record Counted(CharSequence text, Check check, int steps) implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      check.spend(steps);
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Counted(text.subSequence(start, end), check, steps);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
