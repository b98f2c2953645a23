package skein.expressions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.expressions.PlainScript.Binary;
import skein.expressions.PlainScript.Chain;
import skein.expressions.PlainScript.Choice;
import skein.expressions.PlainScript.Conditional;
import skein.expressions.PlainScript.Constant;
import skein.expressions.PlainScript.Function;
import skein.expressions.PlainScript.Getter;
import skein.expressions.PlainScript.Inputs;
import skein.expressions.PlainScript.Items;
import skein.expressions.PlainScript.Known;
import skein.expressions.PlainScript.Link;
import skein.expressions.PlainScript.Literal;
import skein.expressions.PlainScript.Members;
import skein.expressions.PlainScript.Node;
import skein.expressions.PlainScript.OfVariables;
import skein.expressions.PlainScript.Template;
import skein.expressions.PlainScript.Unary;
import skein.expressions.PlainValues.NotPlain;

/**
 * Reads plain scripts: {@code const name = …;} (or {@code let}, {@code var}) any number of times,
 * and a last expression or {@code return}. Whatever it does not know for certain is not plain:
 * comments, line ends that end statements, characters beyond ASCII outside of texts, most escapes.
 */
final class PlainParser {
  static final int SOURCE_CHARS_MAX = 4_000;
  private static final int DEPTH_MAX = 64;
  private static final int END = -1;
  private static final char FOREIGN = 128;

  private static final Map<String, Function> FUNCTIONS =
      Map.of(
          "getVariable", Function.VARIABLE,
          "getInput", Function.INPUT,
          "getOutputFrom", Function.OUTPUT_FROM,
          "getLastResult", Function.LAST_RESULT,
          "getCorrelationId", Function.CORRELATION_ID,
          "getWorkflowInstanceId", Function.WORKFLOW_INSTANCE_ID,
          "getWorkflowInstanceName", Function.WORKFLOW_INSTANCE_NAME);

  /** Functions of Elsa's that only the engine has. */
  private static final Set<String> OF_THE_ENGINE =
      Set.of(
          "getConfig",
          "getGuid",
          "getGuidString",
          "getSecret",
          "getShortGuid",
          "getWorkflowDefinitionId",
          "getWorkflowDefinitionVersion",
          "getWorkflowDefinitionVersionId");

  /** Words and globals that no constant may have as its name. */
  private static final Set<String> TAKEN =
      Set.of(
          ("arguments args async await break case catch class const continue debugger default delete"
                  + " do else enum eval export extends false finally for function if implements"
                  + " import in instanceof interface let new null of package private protected"
                  + " public return static super switch this throw true try typeof undefined var"
                  + " variables void while with yield globalThis Infinity NaN")
              .split(" "));

  /** By binding, the loosest first; the longer before the shorter that they begin with. */
  private static final List<List<String>> BINARY =
      List.of(
          List.of("===", "!==", "==", "!="),
          List.of("<=", ">=", "<", ">"),
          List.of("+", "-"),
          List.of("*", "/", "%"));

  /** After an operator they make another one of it, or a comment. */
  private static final String LONGER = "+-*/%=<>&|?";

  private final String source;
  private final Map<String, Integer> places = new LinkedHashMap<>();
  private int at;
  private int depth;

  private PlainParser(String source) {
    this.source = source;
  }

  /** Null where it is not plain. */
  static @Nullable PlainScript parse(String source) {
    try {
      return new PlainParser(source).script();
    } catch (NotPlain _) {
      return null;
    }
  }

  /** Whether it is one of Elsa's functions, of which the engine knows all. */
  static boolean isFunction(String name) {
    return FUNCTIONS.containsKey(name) || OF_THE_ENGINE.contains(name);
  }

  private PlainScript script() {
    var constants = new ArrayList<Node>();
    while (word("const") || word("let") || word("var")) {
      var name = name();
      demand(isFree(name));
      demand(takes("="));
      constants.add(expression());
      places.put(name, places.size());
      demand(takes(";"));
    }
    if (word("return")) {
      demand(!lineEnds());
    } else {
      demand(peek() != '{');
    }
    var result = expression();
    while (takes(";")) {
      // an empty statement has no value
    }
    demand(peek() == END);
    return new PlainScript(constants, result);
  }

  /** Whether the name means nothing else. */
  private boolean isFree(String name) {
    return !name.startsWith("get")
        && !name.startsWith("set")
        && !places.containsKey(name)
        && !TAKEN.contains(name);
  }

  private Node expression() {
    demand(++depth <= DEPTH_MAX);
    var node = choice();
    if (peek() == '?' && !source.startsWith("??", at)) {
      at++;
      var then = expression();
      demand(takes(":"));
      node = new Conditional(node, then, expression());
    }
    depth--;
    return node;
  }

  /** Without parentheses, {@code ??} stands beside neither of the others. */
  private Node choice() {
    var node = conjunction();
    if (source.startsWith("??", at)) {
      demand(!(node instanceof Choice));
      while (peek() == '?' && operator("??")) {
        node = new Choice("??", node, binary(0));
        demand(!source.startsWith("&&", at) && !source.startsWith("||", at));
      }
      return node;
    }
    while (peek() == '|' && operator("||")) {
      node = new Choice("||", node, conjunction());
      demand(!source.startsWith("??", at));
    }
    return node;
  }

  private Node conjunction() {
    var node = binary(0);
    while (peek() == '&' && operator("&&")) {
      node = new Choice("&&", node, binary(0));
    }
    return node;
  }

  private Node binary(int level) {
    if (level == BINARY.size()) {
      return unary();
    }
    var node = binary(level + 1);
    for (var operator = oneOf(level); operator != null; operator = oneOf(level)) {
      node = new Binary(operator, node, binary(level + 1));
    }
    return node;
  }

  private @Nullable String oneOf(int level) {
    peek();
    for (var operator : BINARY.get(level)) {
      if (source.startsWith(operator, at) && operator(operator)) {
        return operator;
      }
    }
    return null;
  }

  /** Takes the operator; a longer one that begins with it is not plain. */
  private boolean operator(String operator) {
    if (!source.startsWith(operator, at)) {
      return false;
    }
    at += operator.length();
    demand(at == source.length() || LONGER.indexOf(source.charAt(at)) < 0);
    return true;
  }

  private Node unary() {
    demand(++depth <= DEPTH_MAX);
    var c = peek();
    Node node;
    if (c == '!') {
      at++;
      node = new Unary('!', unary());
    } else if (c == '-' || c == '+') {
      at++;
      demand(peekHere() != c);
      node = new Unary((char) c, unary());
    } else if (word("typeof")) {
      node = new Unary('t', unary());
    } else {
      node = chain();
    }
    depth--;
    return node;
  }

  private Node chain() {
    var start = primary();
    var links = new ArrayList<Link>();
    while (true) {
      var c = peek();
      if (c == '[') {
        at++;
        links.add(new Link(key(), false));
      } else if (c == '.') {
        at++;
        links.add(new Link(new Literal(name()), false));
      } else if (source.startsWith("?.", at)) {
        at += 2;
        demand(!isDigit(peekHere()));
        links.add(peek() == '[' && takes("[") ? new Link(key(), true) : member());
      } else {
        return links.isEmpty() ? start : new Chain(start, List.copyOf(links));
      }
    }
  }

  private Link member() {
    return new Link(new Literal(name()), true);
  }

  private Node key() {
    var key = expression();
    demand(takes("]"));
    return key;
  }

  private Node primary() {
    var c = peek();
    return switch (c) {
      case '"', '\'' -> new Literal(text((char) c));
      case '`' -> template();
      case '[' -> items();
      case '{' -> members();
      case '(' -> {
        at++;
        var inner = expression();
        demand(takes(")"));
        yield new Chain(inner, List.of());
      }
      default -> isDigit(c) ? new Literal(number()) : named(name());
    };
  }

  private Node named(String name) {
    return switch (name) {
      case "true" -> new Literal(true);
      case "false" -> new Literal(false);
      case "null" -> new Literal(null);
      case "undefined" -> new Literal(PlainValues.UNDEFINED);
      case "args" -> new Inputs();
      case "variables" -> {
        demand(takes("."));
        yield new OfVariables(name());
      }
      default -> {
        var place = places.get(name);
        yield place == null ? call(name) : new Constant(place);
      }
    };
  }

  private Node call(String name) {
    demand(name.length() > 3 && name.startsWith("get") && !OF_THE_ENGINE.contains(name));
    demand(takes("("));
    var function = FUNCTIONS.get(name);
    var arguments = new ArrayList<String>();
    for (var i = 0; function != null && i < function.arity; i++) {
      demand(i == 0 || takes(","));
      var quote = peek();
      demand(quote == '"' || quote == '\'');
      arguments.add(text((char) quote));
    }
    demand(takes(")"));
    var subject = name.substring(3);
    return function == null
        ? new Getter(subject)
        : new Known(subject, function, List.copyOf(arguments));
  }

  private Node items() {
    at++;
    var items = new ArrayList<Node>();
    while (!takes("]")) {
      items.add(expression());
      demand(peek() == ']' || takes(","));
    }
    return new Items(List.copyOf(items));
  }

  /** Names that begin with a digit would change places with others. */
  private Node members() {
    at++;
    var members = new LinkedHashMap<String, Node>();
    while (!takes("}")) {
      var c = peek();
      var name = c == '"' || c == '\'' ? text((char) c) : name();
      demand(!name.equals("__proto__") && (name.isEmpty() || !isDigit(name.charAt(0))));
      demand(takes(":"));
      demand(members.put(name, expression()) == null);
      demand(peek() == '}' || takes(","));
    }
    return new Members(members);
  }

  private Node template() {
    at++;
    var parts = new ArrayList<Node>();
    var text = new StringBuilder();
    while (true) {
      var c = taken();
      if (c == '`') {
        parts.add(new Literal(text.toString()));
        return new Template(List.copyOf(parts));
      }
      if (c == '$' && peekHere() == '{') {
        at++;
        parts.add(new Literal(text.toString()));
        text.setLength(0);
        parts.add(expression());
        demand(takes("}"));
      } else {
        demand(c != '\r');
        text.append(c == '\\' ? escaped() : c);
      }
    }
  }

  private String text(char quote) {
    at++;
    var text = new StringBuilder();
    for (var c = taken(); c != quote; c = taken()) {
      demand(c != '\n' && c != '\r');
      text.append(c == '\\' ? escaped() : c);
    }
    return text.toString();
  }

  private char escaped() {
    return switch (taken()) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case '\\' -> '\\';
      case '\'' -> '\'';
      case '"' -> '"';
      case '`' -> '`';
      case '$' -> '$';
      default -> throw new NotPlain();
    };
  }

  private char taken() {
    demand(at < source.length());
    return source.charAt(at++);
  }

  /** Decimal digits, and a point with digits on both sides. */
  private double number() {
    var start = at;
    digits();
    demand(at == start + 1 || source.charAt(start) != '0');
    if (peekHere() == '.') {
      at++;
      demand(isDigit(peekHere()));
      digits();
    }
    demand(peekHere() != '.' && !isPartOfName(peekHere()));
    return Double.parseDouble(source.substring(start, at));
  }

  private void digits() {
    while (isDigit(peekHere())) {
      at++;
    }
  }

  private String name() {
    peek();
    var start = at;
    while (isPartOfName(peekHere())) {
      at++;
    }
    var name = source.substring(start, at);
    demand(!name.isEmpty() && !isDigit(name.charAt(0)) && name.chars().allMatch(c -> c < FOREIGN));
    demand(name.indexOf('\\') < 0);
    return name;
  }

  /** Takes the word if it stands here whole. */
  private boolean word(String word) {
    peek();
    if (!source.startsWith(word, at)) {
      return false;
    }
    var after = at + word.length();
    if (after < source.length() && isPartOfName(source.charAt(after))) {
      return false;
    }
    at = after;
    return true;
  }

  private boolean takes(String mark) {
    peek();
    if (!source.startsWith(mark, at)) {
      return false;
    }
    at += mark.length();
    return true;
  }

  /** Whether a line ends before what follows. */
  private boolean lineEnds() {
    var from = at;
    peek();
    return source.substring(from, at).chars().anyMatch(c -> c == '\n' || c == '\r');
  }

  /** The next character that is no white space. */
  private int peek() {
    while (at < source.length() && " \t\n\r".indexOf(source.charAt(at)) >= 0) {
      at++;
    }
    return peekHere();
  }

  private int peekHere() {
    return at < source.length() ? source.charAt(at) : END;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  /** Of any name, also of one that is not plain. */
  private static boolean isPartOfName(int c) {
    return isLetter(c) || isDigit(c) || "_$\\".indexOf(c) >= 0 || c >= FOREIGN;
  }

  private static void demand(boolean plain) {
    if (!plain) {
      throw new NotPlain();
    }
  }
}
