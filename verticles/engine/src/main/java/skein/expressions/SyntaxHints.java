package skein.expressions;

import java.util.regex.Pattern;

/** Says what to write instead where a script uses what scripts do not have. */
final class SyntaxHints {
  private static final Pattern MODULE = Pattern.compile("^\\s*(import|export)\\b");
  private static final Pattern FOR_EACH = Pattern.compile("\\bfor\\s{1,10}each\\b");
  private static final Pattern AWAIT = Pattern.compile("\\bawait\\b");

  private SyntaxHints() {}

  /** The message with what the line of the source, counted from 1, suggests. */
  static String explained(String message, String source, int line) {
    var found = source.lines().skip(Math.max(0, line - 1L)).findFirst().orElse("");
    if (MODULE.matcher(found).find()) {
      return message + ": modules are not supported, a script is one text";
    }
    if (FOR_EACH.matcher(found).find()) {
      return message + ": for each is not JavaScript, write for (const x of Object.values(y))";
    }
    return AWAIT.matcher(found).find()
        ? message + ": await is allowed only in async functions, as in (async () => await f())()"
        : message;
  }
}
