package skein.activities;

import java.util.ArrayList;
import java.util.List;

/**
 * A statement with placeholders, taken apart: {@code {{Variables.Id}}} stands for a value of the
 * workflow, {@code @name} for one of the input {@code Parameters}. Values are bound, never spliced
 * into the text.
 *
 * @param parts the text between the placeholders; one more than there are names
 * @param names of the values, in order: a path in braces without the braces, or {@code @name}
 */
record SqlText(List<String> parts, List<String> names) {

  /**
   * Quoted text, quoted names and comments are left alone; so is an {@code @} that no name follows.
   *
   * @throws IllegalArgumentException where braces do not pair, or stand where nothing can be bound
   */
  static SqlText parse(String sql) {
    var parts = new ArrayList<String>();
    var names = new ArrayList<String>();
    var from = 0;
    var at = 0;
    while (at < sql.length()) {
      var quoted = endOfQuoted(sql, at);
      if (quoted > at) {
        if (sql.substring(at, quoted).contains("{{")) {
          throw new IllegalArgumentException(
              "A value in {{…}} is within quotes or a comment: take the quotes away, it is bound");
        }
        at = quoted;
        continue;
      }
      var end = endOfPlaceholder(sql, at);
      if (end > at) {
        parts.add(sql.substring(from, at));
        names.add(name(sql.substring(at, end)));
        from = end;
        at = end;
      } else {
        at++;
      }
    }
    parts.add(sql.substring(from));
    return new SqlText(List.copyOf(parts), List.copyOf(names));
  }

  private static String name(String placeholder) {
    return placeholder.startsWith("@")
        ? placeholder
        : placeholder.substring(2, placeholder.length() - 2).strip();
  }

  private static int endOfPlaceholder(String sql, int at) {
    if (sql.startsWith("{{", at)) {
      var close = sql.indexOf("}}", at);
      if (close < 0) {
        throw new IllegalArgumentException("A {{ is not closed by }}");
      }
      return close + 2;
    }
    // @@name is a variable of the server, a@b is not a placeholder either.
    if (sql.charAt(at) != '@' || (at > 0 && isName(sql.charAt(at - 1))) || precededByAt(sql, at)) {
      return at;
    }
    var end = at + 1;
    while (end < sql.length() && isName(sql.charAt(end))) {
      end++;
    }
    return end > at + 1 ? end : at;
  }

  private static boolean precededByAt(String sql, int at) {
    return at > 0 && sql.charAt(at - 1) == '@';
  }

  private static boolean isName(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  /** Where quoted text or a comment that begins here ends; {@code at} when none does. */
  private static int endOfQuoted(String sql, int at) {
    var c = sql.charAt(at);
    if (c == '\'' || c == '"' || c == '`') {
      return after(sql, String.valueOf(c), at + 1);
    }
    if (sql.startsWith("--", at)) {
      return after(sql, "\n", at);
    }
    if (sql.startsWith("/*", at)) {
      return after(sql, "*/", at + 2);
    }
    if (c == '$') {
      var tag = dollarTag(sql, at);
      return tag.isEmpty() ? at : after(sql, tag, at + tag.length());
    }
    return at;
  }

  /** {@code $$} or {@code $tag$}; empty where none begins. */
  private static String dollarTag(String sql, int at) {
    var end = at + 1;
    while (end < sql.length() && isName(sql.charAt(end))) {
      end++;
    }
    var digit = end > at + 1 && Character.isDigit(sql.charAt(at + 1));
    return end < sql.length() && sql.charAt(end) == '$' && !digit ? sql.substring(at, end + 1) : "";
  }

  private static int after(String sql, String end, int from) {
    var found = sql.indexOf(end, from);
    return found < 0 ? sql.length() : found + end.length();
  }
}
