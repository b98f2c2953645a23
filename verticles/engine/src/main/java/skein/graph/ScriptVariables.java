package skein.graph;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names of variables that a script or a template plainly spells out: {@code getVariable('x')},
 * {@code setVariable('x', …)}, {@code variables.x}, {@code variables['x']}, and {@code Variables.x}
 * of Liquid. What is in comments, texts and templates of texts is not looked at, and a script that
 * declares {@code variables} itself names none.
 */
final class ScriptVariables {
  private static final Pattern OWN =
      Pattern.compile("\\b(?:const|let|var|function)\\s+variables\\b");
  private static final Set<String> FUNCTIONS = Set.of("getVariable", "setVariable");

  /** Members that every object has in JavaScript. */
  private static final Set<String> OF_OBJECTS =
      Set.of("hasOwnProperty", "toString", "valueOf", "constructor", "toLocaleString", "Count");

  private static final Pattern LIQUID_NAME =
      Pattern.compile(
          "(?<![\\w.'\"])Variables(?:\\.([A-Za-z_]\\w*)|\\[\\s*(['\"])([^'\"]*)\\2\\s*\\])");
  private static final Set<String> OF_LIQUID = Set.of("size", "first", "last");

  private final String source;
  private final Set<String> names = new LinkedHashSet<>();
  private int at;

  private ScriptVariables(String source) {
    this.source = source;
  }

  static Set<String> ofJavaScript(String source) {
    return OWN.matcher(source).find() ? Set.of() : new ScriptVariables(source).read();
  }

  static Set<String> ofLiquid(String source) {
    var names = new LinkedHashSet<String>();
    boolean outputs = true;
    boolean statements = true;
    int at = source.indexOf('{');
    while (at >= 0 && (outputs || statements)) {
      int end = -1;
      if (outputs && source.startsWith("{{", at)) {
        end = source.indexOf("}}", at + 2);
        outputs = end >= 0; // what does not end here does not end after that either
      } else if (statements && source.startsWith("{%", at)) {
        end = source.indexOf("%}", at + 2);
        statements = end >= 0;
      }
      if (end >= 0) {
        ofTag(source.substring(at + 2, end), names);
      }
      at = source.indexOf('{', end < 0 ? at + 1 : end + 2);
    }
    return names;
  }

  private static void ofTag(String tag, Set<String> names) {
    LIQUID_NAME
        .matcher(tag)
        .results()
        .map(name -> name.group(1) == null ? name.group(3) : name.group(1))
        .filter(name -> !OF_LIQUID.contains(name))
        .forEach(names::add);
  }

  private Set<String> read() {
    var before = ' ';
    while (at < source.length()) {
      var c = source.charAt(at);
      if (source.startsWith("//", at)) {
        skipTo("\n");
      } else if (source.startsWith("/*", at)) {
        at += 2;
        skipTo("*/");
      } else if (c == '\'' || c == '"' || c == '`') {
        text();
      } else if (Character.isJavaIdentifierStart(c)) {
        var word = word();
        if (before != '.') {
          noted(word);
        }
      } else {
        at++;
      }
      before = Character.isWhitespace(c) ? before : c;
    }
    return names;
  }

  private void noted(String word) {
    if (FUNCTIONS.contains(word)) {
      if (follows("(") && isQuote()) {
        named(text(), true);
      }
    } else if (word.equals("variables")) {
      if (follows("[") && isQuote()) {
        named(text(), follows("]"));
      } else if (follows(".")) {
        skipBlanks();
        var member = word();
        named(member, !OF_OBJECTS.contains(member));
      }
    }
  }

  private void named(String name, boolean plainly) {
    if (plainly && !name.isEmpty()) {
      names.add(name);
    }
  }

  private boolean isQuote() {
    skipBlanks();
    return at < source.length() && (source.charAt(at) == '\'' || source.charAt(at) == '"');
  }

  /** Whether this comes next, which is then passed. */
  private boolean follows(String sign) {
    skipBlanks();
    if (!source.startsWith(sign, at)) {
      return false;
    }
    at += sign.length();
    return true;
  }

  private void skipBlanks() {
    while (at < source.length() && Character.isWhitespace(source.charAt(at))) {
      at++;
    }
  }

  private void skipTo(String end) {
    var found = source.indexOf(end, at);
    at = found < 0 ? source.length() : found + end.length();
  }

  private String word() {
    var start = at;
    while (at < source.length() && Character.isJavaIdentifierPart(source.charAt(at))) {
      at++;
    }
    return source.substring(start, at);
  }

  /** The text between quotes; empty where it has escapes. */
  private String text() {
    var quote = source.charAt(at++);
    var start = at;
    var escaped = false;
    while (at < source.length() && source.charAt(at) != quote) {
      escaped |= source.charAt(at) == '\\';
      at += source.charAt(at) == '\\' ? 2 : 1;
    }
    at = Math.min(at, source.length());
    var text = source.substring(start, at);
    at = Math.min(at + 1, source.length());
    return escaped ? "" : text;
  }
}
