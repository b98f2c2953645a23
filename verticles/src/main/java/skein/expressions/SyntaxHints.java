package skein.expressions;

import java.util.regex.Pattern;
import org.mozilla.javascript.EvaluatorException;

/** Says what to write instead where a script uses what Rhino does not know. */
final class SyntaxHints {
  private static final Pattern ASYNC = Pattern.compile("\\b(async|await)\\b\\W*\\w*\\W*$");
  private static final int NEAR_CHARS = 20;

  private SyntaxHints() {}

  static String explained(EvaluatorException e, String source) {
    var details = String.valueOf(e.details());
    var at = offset(source, e);
    if (at < 0) {
      return details;
    }
    var before = source.substring(Math.max(0, at - NEAR_CHARS), at);
    if (details.endsWith(": class")) {
      return "classes are not supported: use functions that make objects";
    }
    if (details.endsWith(": import") || details.endsWith(": export")) {
      return "modules are not supported: a script is one text";
    }
    if (ASYNC.matcher(before).find()) {
      return "async and await are not supported: a script has nothing to wait for, so leave them out";
    }
    if (source.substring(Math.max(0, at - 3), Math.min(source.length(), at + 3)).contains("...")) {
      return "here '...' is not supported: for a call use f.apply(null, list), for the rest of a list"
          + " slice(), for parameters function (a, ...rest)";
    }
    return details.equals("syntax error")
        ? "syntax error near '" + before.substring(before.lastIndexOf('\n') + 1).strip() + "'"
        : details;
  }

  /** Where in the text the error was met; -1 where it does not say. */
  static int offset(CharSequence source, EvaluatorException e) {
    var text = source.toString();
    var at = 0;
    for (var line = 1; line < e.lineNumber(); line++) {
      at = text.indexOf('\n', at) + 1;
      if (at == 0) {
        return -1;
      }
    }
    var offset = at + e.columnNumber() - 1;
    return e.columnNumber() < 1 || offset > text.length() ? -1 : offset;
  }
}
