package skein.expressions;

import static skein.expressions.PlainTokens.demand;
import static skein.expressions.PlainTokens.isDigit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.expressions.PlainLists.Each;
import skein.expressions.PlainLists.Includes;
import skein.expressions.PlainLists.Join;
import skein.expressions.PlainLists.Lambda;
import skein.expressions.PlainLists.Reduce;
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
import skein.expressions.PlainScript.Member;
import skein.expressions.PlainScript.Members;
import skein.expressions.PlainScript.Node;
import skein.expressions.PlainScript.OfVariables;
import skein.expressions.PlainScript.Parameter;
import skein.expressions.PlainScript.Template;
import skein.expressions.PlainScript.Unary;
import skein.expressions.PlainValues.NotPlainException;

/**
 * Reads plain scripts: {@code const name = …;} (or {@code let}, {@code var}) any number of times,
 * and a last expression or {@code return}; of functions, those that methods of lists are given.
 * Whatever it does not know for certain is not plain: comments, line ends that end statements,
 * characters beyond ASCII outside of texts, most escapes.
 */
final class PlainParser {
  static final int SOURCE_CHARS_MAX = 4_000;
  private static final int DEPTH_MAX = 64;

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

  /** By binding, the loosest first; an operator before the shorter ones that it begins with. */
  private static final List<List<String>> BINARY =
      List.of(
          List.of("===", "!==", "==", "!="),
          List.of("<=", ">=", "<", ">"),
          List.of("+", "-"),
          List.of("*", "/", "%"));

  private final PlainTokens tokens;
  private final Map<String, Integer> places = new LinkedHashMap<>();

  /** The parameters of the functions around this place. */
  private final Map<String, Integer> parameters = new LinkedHashMap<>();

  private int parametersMax;
  private int depth;

  private PlainParser(String source) {
    this.tokens = new PlainTokens(source);
  }

  /** Null where it is not plain. */
  static @Nullable PlainScript parse(String source) {
    try {
      return new PlainParser(source).script();
    } catch (NotPlainException _) {
      return null;
    }
  }

  /** Whether it is one of Elsa's functions, of which the engine knows all. */
  static boolean isFunction(String name) {
    return FUNCTIONS.containsKey(name) || OF_THE_ENGINE.contains(name);
  }

  private PlainScript script() {
    var constants = new ArrayList<Node>();
    while (tokens.word("const") || tokens.word("let") || tokens.word("var")) {
      var name = tokens.name();
      demand(isFree(name));
      demand(tokens.takes("="));
      constants.add(expression());
      places.put(name, places.size());
      demand(tokens.takes(";"));
    }
    if (tokens.word("return")) {
      demand(!tokens.lineEnds());
    } else {
      demand(tokens.peek() != '{');
    }
    var result = expression();
    while (tokens.takes(";")) {
      // an empty statement has no value
    }
    demand(tokens.isAtEnd());
    return new PlainScript(constants, parametersMax, result);
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
    if (tokens.peek() == '?' && !tokens.stands("??")) {
      tokens.skip(1);
      var then = expression();
      demand(tokens.takes(":"));
      node = new Conditional(node, then, expression());
    }
    depth--;
    return node;
  }

  /** Without parentheses, {@code ??} stands beside neither of the others. */
  private Node choice() {
    var node = conjunction();
    if (tokens.stands("??")) {
      demand(!(node instanceof Choice));
      while (tokens.peek() == '?' && tokens.operator("??")) {
        node = new Choice("??", node, binary(0));
        demand(!tokens.stands("&&") && !tokens.stands("||"));
      }
      return node;
    }
    while (tokens.peek() == '|' && tokens.operator("||")) {
      node = new Choice("||", node, conjunction());
      demand(!tokens.stands("??"));
    }
    return node;
  }

  private Node conjunction() {
    var node = binary(0);
    while (tokens.peek() == '&' && tokens.operator("&&")) {
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
    tokens.peek();
    for (var operator : BINARY.get(level)) {
      if (tokens.stands(operator) && tokens.operator(operator)) {
        return operator;
      }
    }
    return null;
  }

  private Node unary() {
    demand(++depth <= DEPTH_MAX);
    var c = tokens.peek();
    Node node;
    if (c == '!') {
      tokens.skip(1);
      node = new Unary('!', unary());
    } else if (c == '-' || c == '+') {
      tokens.skip(1);
      demand(tokens.peekHere() != c);
      node = new Unary((char) c, unary());
    } else if (tokens.word("typeof")) {
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
      var c = tokens.peek();
      if (c == '[') {
        tokens.skip(1);
        links.add(new Member(key(), false));
      } else if (c == '.') {
        tokens.skip(1);
        links.add(named(false));
      } else if (tokens.stands("?.")) {
        tokens.skip(2);
        demand(!isDigit(tokens.peekHere()));
        links.add(tokens.takes("[") ? new Member(key(), true) : named(true));
      } else {
        return links.isEmpty() ? start : new Chain(start, List.copyOf(links));
      }
    }
  }

  private Link named(boolean optional) {
    var name = tokens.name();
    return tokens.takes("(") ? method(name, optional) : new Member(new Literal(name), optional);
  }

  /** Its arguments, and what closes them. */
  private Link method(String name, boolean optional) {
    var each = PlainLists.EACH.get(name);
    Link link;
    if (each != null) {
      link = new Each(each, lambda(2), optional);
    } else if (name.equals("reduce")) {
      var lambda = lambda(3);
      link = new Reduce(lambda, tokens.takes(",") ? expression() : null, optional);
    } else if (name.equals("join")) {
      link = new Join(tokens.peek() == ')' ? new Literal(",") : expression(), optional);
    } else {
      demand(name.equals("includes"));
      link = new Includes(expression(), optional);
    }
    demand(tokens.takes(")"));
    return link;
  }

  /** {@code x => …} or {@code (x, i) => …}; its parameters hide nothing. */
  private Lambda lambda(int arity) {
    int first = parameters.size();
    var names = new ArrayList<String>();
    boolean inParentheses = tokens.takes("(");
    do {
      var name = tokens.name();
      demand(isFree(name) && parameters.put(name, parameters.size()) == null);
      names.add(name);
    } while (inParentheses && tokens.takes(","));
    demand(!inParentheses || tokens.takes(")"));
    demand(names.size() <= arity && !tokens.lineEnds() && tokens.takes("=>"));
    demand(tokens.peek() != '{');
    parametersMax = Math.max(parametersMax, parameters.size());
    int from = tokens.at();
    var body = expression();
    names.forEach(parameters::remove);
    return new Lambda(first, names.size(), tokens.at() - from, body);
  }

  private Node key() {
    var key = expression();
    demand(tokens.takes("]"));
    return key;
  }

  private Node primary() {
    var c = tokens.peek();
    return switch (c) {
      case '"', '\'' -> new Literal(tokens.text((char) c));
      case '`' -> template();
      case '[' -> items();
      case '{' -> members();
      case '(' -> {
        tokens.skip(1);
        var inner = expression();
        demand(tokens.takes(")"));
        yield new Chain(inner, List.of());
      }
      default -> isDigit(c) ? new Literal(tokens.number()) : named(tokens.name());
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
        demand(tokens.takes("."));
        yield new OfVariables(tokens.name());
      }
      default -> {
        var parameter = parameters.get(name);
        var place = places.get(name);
        yield parameter != null
            ? new Parameter(parameter)
            : place == null ? call(name) : new Constant(place);
      }
    };
  }

  private Node call(String name) {
    demand(name.length() > 3 && name.startsWith("get") && !OF_THE_ENGINE.contains(name));
    demand(tokens.takes("("));
    var function = FUNCTIONS.get(name);
    var arguments = new ArrayList<String>();
    for (var i = 0; function != null && i < function.arity; i++) {
      demand(i == 0 || tokens.takes(","));
      var quote = tokens.peek();
      demand(quote == '"' || quote == '\'');
      arguments.add(tokens.text((char) quote));
    }
    demand(tokens.takes(")"));
    var subject = name.substring(3);
    return function == null
        ? new Getter(subject)
        : new Known(subject, function, List.copyOf(arguments));
  }

  private Node items() {
    tokens.skip(1);
    var items = new ArrayList<Node>();
    while (!tokens.takes("]")) {
      items.add(expression());
      demand(tokens.peek() == ']' || tokens.takes(","));
    }
    return new Items(List.copyOf(items));
  }

  /** Names that begin with a digit would change places with others. */
  private Node members() {
    tokens.skip(1);
    var members = new LinkedHashMap<String, Node>();
    while (!tokens.takes("}")) {
      var c = tokens.peek();
      var name = c == '"' || c == '\'' ? tokens.text((char) c) : tokens.name();
      demand(!name.equals("__proto__") && (name.isEmpty() || !isDigit(name.charAt(0))));
      demand(tokens.takes(":"));
      demand(members.put(name, expression()) == null);
      demand(tokens.peek() == '}' || tokens.takes(","));
    }
    return new Members(members);
  }

  private Node template() {
    tokens.skip(1);
    var parts = new ArrayList<Node>();
    var text = new StringBuilder();
    while (true) {
      var c = tokens.taken();
      if (c == '`') {
        parts.add(new Literal(text.toString()));
        return new Template(List.copyOf(parts));
      }
      if (c == '$' && tokens.peekHere() == '{') {
        tokens.skip(1);
        parts.add(new Literal(text.toString()));
        text.setLength(0);
        parts.add(expression());
        demand(tokens.takes("}"));
      } else {
        demand(c != '\r');
        text.append(c == '\\' ? tokens.escaped() : c);
      }
    }
  }
}
