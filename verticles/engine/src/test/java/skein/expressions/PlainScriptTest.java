package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.expressions.PlainValues.NotPlainException;

/** Plain scripts have the value that the engine gives them. */
class PlainScriptTest {
  private static final int SCRIPTS = Integer.getInteger("plain.scripts", 6_000);
  private static final JavaScript ENGINE =
      new JavaScript(ExpressionLimits.DEFAULT, EvaluationClocks.SYSTEM, Map.of());

  private static final List<String> NAMES =
      List.of("Count", "Order", "Text", "Nothing", "List", "Flag", "Big", "Request", "Odd");

  private static final double[] NUMBERS = {
    0,
    -0.0,
    1,
    -1,
    0.1,
    0.5,
    1.5,
    2,
    3,
    100,
    1e-7,
    1.5e-7,
    1e-6,
    123456.789,
    1e20,
    1e21,
    1.2345e21,
    9007199254740991.0,
    9007199254740992.0,
    -9007199254740994.0,
    Double.MAX_VALUE,
    Double.MIN_VALUE,
    2e-323,
    0.1 + 0.2,
    1.0 / 3,
    4.35,
    Double.MIN_NORMAL
  };

  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "0",
          "1",
          "01",
          "1e3",
          "a",
          "A",
          "ab",
          "é",
          "\ud83d\ude00",
          "\ud83d",
          "z\u2028",
          "null",
          "true",
          "length",
          "\n\t\"'`\\",
          "undefined");

  /** Draws a script and a scope that it means something in. */
  private static final class Draw {
    final Random random;
    final FakeScope scope = new FakeScope();

    /** Names of the parameters around the place that is being drawn. */
    private final List<String> parameters = new ArrayList<>();

    Draw(long seed) {
      random = new Random(seed);
      for (var name : NAMES) {
        if (random.nextInt(8) > 0) {
          scope.with(name, name.equals("Request") ? request() : value(2));
        }
      }
      for (var name : List.of("Given", "Order")) {
        if (random.nextInt(3) == 0) {
          scope.inputs.put(name, value(2));
        }
      }
      scope.lastResult = value(1);
    }

    private static Map<String, Object> request() {
      return Map.of(
          "method",
          "GET",
          "path",
          "a",
          "headers",
          Map.of("Host", "h"),
          "route",
          Map.of(),
          "query",
          Map.of("q", List.of("1")));
    }

    private @Nullable Object value(int depth) {
      return switch (random.nextInt(depth > 0 ? 9 : 6)) {
        case 0 -> null;
        case 1 -> random.nextBoolean();
        case 2 -> (long) random.nextInt(7);
        case 3 -> number();
        case 4, 5 -> TEXTS.get(random.nextInt(TEXTS.size()));
        case 6 -> {
          var list = new ArrayList<@Nullable Object>();
          for (var i = random.nextInt(4); i > 0; i--) {
            list.add(value(depth - 1));
          }
          yield list;
        }
        default -> {
          var map = new LinkedHashMap<String, @Nullable Object>();
          for (var i = random.nextInt(4); i > 0; i--) {
            map.put(pick("name", "n", "1", "size", "__proto__", "toString", ""), value(depth - 1));
          }
          yield map;
        }
      };
    }

    private Object number() {
      return random.nextInt(4) == 0
          ? (Object) random.nextLong()
          : NUMBERS[random.nextInt(NUMBERS.length)] * (random.nextBoolean() ? 1 : -1);
    }

    String script() {
      var text = new StringBuilder();
      var constants = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
      for (var i = 0; i < constants; i++) {
        text.append(pick("const", "let", "var")).append(" c").append(i).append(" =");
        text.append(expression(2, i)).append(";\n");
      }
      var statement = expression(3, constants);
      return text + (random.nextInt(3) == 0 ? "return " : "") + statement + pick("", "", ";");
    }

    private String expression(int depth, int constants) {
      if (depth == 0 || random.nextInt(6) == 0) {
        return leaf(constants);
      }
      return switch (random.nextInt(13)) {
        case 11, 12 -> list(depth, constants) + "." + method(depth, constants);
        case 0, 1, 2, 3 ->
            inner(depth, constants)
                + pick(
                    " + ", " - ", " * ", " / ", " % ", "+", "*", " < ", " > ", " <= ", " >= ",
                    " == ", " != ", " === ", " !== ", " && ", " || ", " ?? ", "\n+ ")
                + inner(depth, constants);
        case 4 ->
            inner(depth, constants)
                + " ? "
                + inner(depth, constants)
                + " : "
                + inner(depth, constants);
        case 5 -> pick("!", "-", "+", "typeof ", "- ") + inner(depth, constants);
        case 6 -> "`a${" + expression(depth - 1, constants) + "} $ ${" + leaf(constants) + "}`";
        case 7 ->
            "[" + expression(depth - 1, constants) + ", " + leaf(constants) + pick("", ",") + "]";
        case 8 ->
            "({ a: "
                + expression(depth - 1, constants)
                + ", "
                + pick("b", "\"b c\"", "1", "toString", "a", "if", "__proto__")
                + ": "
                + leaf(constants)
                + " })";
        default -> inner(depth, constants) + member(depth, constants);
      };
    }

    private String inner(int depth, int constants) {
      var text = expression(depth - 1, constants);
      return random.nextInt(3) == 0 ? text : "(" + text + ")";
    }

    private String member(int depth, int constants) {
      return switch (random.nextInt(10)) {
        case 6, 7 -> pick(".", ".", ".", "?.") + method(depth, constants);
        case 8 -> ".map(" + function(1, depth, constants) + ")";
        case 0 -> "[" + expression(depth - 1, constants) + "]";
        case 1 -> "?." + pick("name", "n", "length", "a");
        case 2 -> "[" + random.nextInt(3) + "]";
        case 3 -> "?.[" + pick("0", "'name'", "-1", "'1'", "1.5", "null") + "]";
        default ->
            "."
                + pick(
                    "name",
                    "n",
                    "a",
                    "length",
                    "size",
                    "toString",
                    "constructor",
                    "Method",
                    "method");
      };
    }

    /** Mostly of items that operators take. */
    private String list(int depth, int constants) {
      return switch (random.nextInt(4)) {
        case 0 -> "getList()";
        case 1 -> "[" + expression(depth - 1, constants) + ", " + leaf(constants) + "]";
        case 2 -> "[" + pick("", "1", "1, 2.5, 1", "'a', 'b', ''", "null, true, undefined") + "]";
        default -> "[{ n: 1, name: 'a' }, { n: " + leaf(constants) + ", name: 'b' }]";
      };
    }

    private String method(int depth, int constants) {
      return switch (random.nextInt(9)) {
        case 0 -> "join(" + pick("", "'-'", "''", "null", "getText()") + ")";
        case 1, 2 -> "includes(" + expression(depth - 1, constants) + ")";
        case 3 -> "reduce(" + function(2, depth, constants) + ", " + leaf(constants) + ")";
        case 4 -> "reduce(" + function(2, depth, constants) + ")";
        default ->
            pick("filter", "find", "some", "every", "map", "slice", "flatMap")
                + "("
                + function(1, depth, constants)
                + ")";
      };
    }

    /** {@code least}: how many parameters it has, or one more. */
    private String function(int least, int depth, int constants) {
      int count = least + random.nextInt(2);
      var names = new ArrayList<String>();
      for (int i = 0; i < count; i++) {
        names.add("p" + (parameters.size() + i));
      }
      parameters.addAll(names);
      var body = expression(depth - 1, constants);
      parameters.subList(parameters.size() - count, parameters.size()).clear();
      boolean isBare = count == 1 && random.nextBoolean();
      return (isBare ? names.getFirst() : "(" + String.join(", ", names) + ")")
          + pick(" => ", "=>", " =>\n")
          + (body.startsWith("{") ? "(" + body + ")" : body);
    }

    private String leaf(int constants) {
      if (!parameters.isEmpty() && random.nextInt(5) < 3) {
        return pick(parameters) + pick("", "", ".n", ".name");
      }
      return switch (random.nextInt(13)) {
        case 0, 1, 2, 3 -> "get" + pick(NAMES) + "()";
        case 4 -> "variables." + pick(NAMES);
        case 5 -> "getVariable('" + pick(NAMES) + "')";
        case 6 -> "getInput(\"" + pick("Given", "given", "Order", "None") + "\")";
        case 7 -> constants > 0 ? "c" + random.nextInt(constants) : "args.Given";
        case 8 -> pick("true", "false", "null", "undefined", "args", "getLastResult()");
        case 9 -> pick("0", "1", "2.50", "10", "0.1", "1000000000000000000000", "3.0");
        case 10, 11 ->
            pick("'a'", "\"1\"", "''", "'it\\'s'", "`t`", "'\\n\\\\'", "'é'", "\"x\u2028\"");
        default -> pick("getNone()", "getNoneFromAny()", "getOrderFromAny()", "getCorrelationId()");
      };
    }

    private String pick(List<String> all) {
      return all.get(random.nextInt(all.size()));
    }

    private String pick(String... all) {
      return all[random.nextInt(all.length)];
    }
  }

  @Test
  void generated_scripts_have_the_engine_s_value() {
    var seed = Long.getLong("plain.seed", 1);
    System.out.println("PlainScriptTest: seeds " + seed + " to " + (seed + SCRIPTS - 1));
    var compared = 0;
    var calling = 0;
    for (var i = 0; i < SCRIPTS; i++) {
      var draw = new Draw(seed + i);
      var script = draw.script();
      if (compared(script, draw.scope, "seed " + (seed + i))) {
        compared++;
        calling += script.contains("=>") ? 1 : 0;
      }
    }
    System.out.printf("PlainScriptTest: %d plain, %d with functions%n", compared, calling);
    assertThat(compared).as("scripts that were plain").isGreaterThan(SCRIPTS / 6);
    assertThat(calling).as("of them with functions").isGreaterThan(SCRIPTS / 100);
  }

  /** Whether it was plain. */
  private static boolean compared(String script, FakeScope scope, String what) {
    var plain = PlainParser.parse(script);
    if (plain == null) {
      return false;
    }
    @Nullable Object value;
    try {
      value = plain.value(scope, ExpressionLimits.DEFAULT);
    } catch (NotPlainException _) {
      return false;
    }
    assertThat(shown(value))
        .as(() -> what + ": " + script + " in " + scope.variables + " with " + scope.inputs)
        .isEqualTo(engine(script, scope));
    return true;
  }

  private static String engine(String script, FakeScope scope) {
    try {
      return shown(ENGINE.engineValue(script, scope));
    } catch (ExpressionException e) {
      return "fails: " + e.getMessage();
    }
  }

  /** With the classes of numbers and the order of members. */
  private static String shown(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> '"' + text + '"';
      case List<?> list -> list.stream().map(PlainScriptTest::shown).toList().toString();
      case Map<?, ?> map -> {
        var members = new ArrayList<String>();
        map.forEach((name, member) -> members.add(name + ": " + shown(member)));
        yield "{" + String.join(", ", members) + "}";
      }
      default -> value.getClass().getSimpleName() + " " + value;
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "getCount()",
        "  getCount() + 1 ;; ",
        "return getOrder().name",
        "`${getText()} by ${getOrder().name}: ${getCount() * 2}`",
        "getOrder()?.lines[0].price * getCount()",
        "getNone?.()",
        "variables.Order.name ?? 'none'",
        "const order = getOrder(); const sum = order.lines[0].price; return sum > 5 ? 'much' : 'little'",
        "({ order: getOrder(), seen: true, list: [1, 'a', null] })",
        "const total = getOrder().lines.reduce((sum, line) => sum + line.price, 0); total * 2",
        "getOrder().lines.filter(line => line.price > 5).map((line, i) => `${i}: ${line.price}`).join(', ')",
        "getOrder().lines.some(line => line.price === 7.5) && !getOrder()\n.lines\n.every(x => x.none)",
        "getOrder().lines.map(x => getOrder().lines.map(y => x.price * y.price))",
        "getOrder().lines.find(x => x.price > 100)?.price ?? 'none'",
        "['kim', 'lee'].includes(getOrder().name) || getText().includes('word')",
        "[1, null, 'a', undefined, [].join()].join('-')",
        "[3, 4].reduce((all, x, i) => all + x * i)",
        "getOrder() && typeof getOrder() === 'object' ? order : 'no'"
      })
  void what_definitions_say_has_the_engine_s_value(String script) {
    var scope =
        new FakeScope()
            .with("Count", 3L)
            .with("Text", "a word")
            .with("Order", Map.of("name", "kim", "lines", List.of(Map.of("price", 7.5))));

    var plain = compared(script, scope, "given");

    assertThat(plain).isEqualTo(!script.contains("?.()") && !script.contains(": 'no'"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1 <!-- 2",
        "1\n--> 2",
        "1 // 2",
        "1 /* 2 */",
        "return\n1",
        "{ a: 1 }",
        "{}",
        "1; 2",
        "a",
        "getCount",
        "getCount(1)",
        "getCount().toFixed(2)",
        "getText().name()",
        "getCount()\n(1)",
        "getCount()`a`",
        "getVariable()",
        "getVariable(getText())",
        "getGuid()",
        "getConfig('a')",
        "getSecret('a')",
        "getNone()",
        "getCount() = 1",
        "getCount()++",
        "2 ** 2",
        "1 << 2",
        "1 & 2",
        "010",
        "1_0",
        "0x10",
        "1e3",
        "1.",
        ".5",
        "1.toString",
        "'\\x41'",
        "'\\u0041'",
        "'a\nb'",
        "null.a",
        "undefined.a",
        "1 ?? 2 || 3",
        "1 || 2 ?? 3",
        "1 && 2 ?? 3",
        "-1 ** 2",
        "x => 1",
        "(x => x)(1)",
        "getList().map(x => { return x })",
        "getList().map(x => {})",
        "getList().map(() => 1)",
        "getList().map((x, i, all) => all)",
        "getList().map(x => x, 1)",
        "getList().map(x => x,)",
        "getList().map(x\n=> x)",
        "getList().map(function (x) { return x })",
        "getList().map(getCount)",
        "getList().map(async x => x)",
        "getList().map(([a]) => a)",
        "getList().map((x = 1) => x)",
        "getList().map((...x) => x)",
        "getList().map((x, x) => x)",
        "getList().map(x => getList().map(x => x))",
        "const a = 1; getList().map(a => a)",
        "getList().map(x => x).filter(y => x)",
        "getList().map(getText => 1)",
        "getList().map",
        "getList()['map'](x => x)",
        "getList().map?.(x => x)",
        "getList().sort()",
        "getList().reduce(x => x, 1, 2)",
        "[].reduce((a, b) => a)",
        "getOrder().map(x => x)",
        "getText().map(x => x)",
        "getText().join()",
        "getText().includes(1)",
        "getText().includes('a', 1)",
        "getList().join(1)",
        "getList().includes()",
        "[[1]].join()",
        "[{}].includes({})",
        "(1, 2)",
        "[,1]",
        "[...getList()]",
        "({ ...getOrder() })",
        "({ getCount() { return 1 } })",
        "({ 1: 2 })",
        "({ __proto__: null })",
        "({ a: 1, a: 2 })",
        "const getCount = 1; getCount",
        "const undefined = 1; undefined",
        "const NaN = 1; 2",
        "const let = 1; 2",
        "const a = a; a",
        "const a = 1; const a = 2; a",
        "const a = 1\na",
        "const a = 1;",
        "const ä = 1; ä",
        "getOrder().ä",
        "getOrder()\u00a0.name",
        "getOrder() == 'a'",
        "getOrder() === getOrder()",
        "getOrder() + ''",
        "'1' == 1",
        "+'1'",
        "'2' * 3",
        "getOrder().toString",
        "getText().trim",
        "variables.None",
        "variables['Count']",
        "variables",
        "new Date()",
        "this",
        "function f() {}",
        "async () => 1",
        "/a/",
        "`\\u0041`",
        "`a\rb`",
        "1 in []",
        "[] instanceof Array",
        "delete getOrder().name",
        "void 0",
        "1n"
      })
  void what_is_rare_is_left_to_the_engine(String script) {
    var scope =
        new FakeScope()
            .with("Count", 3L)
            .with("Text", "a")
            .with("List", List.of(1L))
            .with("Order", Map.of("name", "kim"));

    assertThat(compared(script, scope, "given")).isFalse();
  }

  @Test
  void the_functions_of_elsa_are_known_or_left_to_the_engine() {
    var names =
        ENGINE.engineValue(
            "Object.getOwnPropertyNames(Object.getPrototypeOf(Object.getPrototypeOf(globalThis)))"
                + ".filter(name => name.startsWith('get'))",
            new FakeScope());

    assertThat(names)
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .contains("getVariable", "getConfig")
        .allSatisfy(name -> assertThat(PlainParser.isFunction((String) name)).isTrue());
  }

  @Test
  void a_function_that_a_variable_hides_is_left_to_the_engine() {
    for (var name : List.of("CorrelationId", "LastResult", "Variable", "Input")) {
      var script = name.length() < 9 ? "get" + name + "('a')" : "get" + name + "()";
      assertThat(compared(script, new FakeScope().with(name, 1L), name)).isFalse();
      assertThat(compared(script, new FakeScope(), name)).isTrue();
    }
  }

  @Test
  void values_that_json_lacks_are_left_to_the_engine() {
    var values = new HashMap<String, Object>();
    values.put("nan", Double.NaN);
    values.put("infinite", Double.NEGATIVE_INFINITY);
    values.put("instant", Instant.EPOCH);
    values.put("deep", deep());

    values.forEach((name, value) ->
        assertThat(compared("getOdd()", new FakeScope().with("Odd", value), name)).isFalse());
  }

  private static Object deep() {
    Object value = 1L;
    for (var i = 0; i <= ScriptValues.DEPTH_MAX; i++) {
      value = List.of(value);
    }
    return value;
  }

  @Test
  void what_a_script_gets_is_a_copy() {
    var list = new ArrayList<Object>(List.of(1L, Map.of()));
    var value =
        Objects.requireNonNull(PlainParser.parse("getList()"))
            .value(new FakeScope().with("List", list), ExpressionLimits.DEFAULT);

    list.clear();
    assertThat(value).isEqualTo(List.of(1L, Map.of()));
  }

  @Test
  void limits_are_the_engine_s_to_tell() {
    var limits =
        new ExpressionLimits(
            ExpressionLimits.DEFAULT.times(), 1_000, 64L << 20, 1_000, 100, 100, 1_000);
    var small = new JavaScript(limits, EvaluationClocks.SYSTEM, Map.of());
    var scope = new FakeScope().with("Text", "a".repeat(501));

    assertThat(catchThrowable(() -> small.evaluate("getText() + getText()", scope)))
        .hasMessageContaining("expressions.string-chars-max");
    assertThat(catchThrowable(() -> small.evaluate("[getText()]", scope)))
        .hasMessageContaining("expressions.result-chars-max");
  }

  @Test
  void long_work_is_left_to_the_engine() {
    var items = new ArrayList<Object>();
    for (long i = 0; i < 1_000; i++) {
      items.add(i);
    }
    var scope = new FakeScope().with("List", items).with("Text", "a".repeat(100_000));

    assertThat(compared("getList().reduce((sum, x) => sum + x)", scope, "given")).isTrue();
    for (var script :
        List.of(
            "getList().map(x => getList().map(y => x * y))",
            "getList().map(x => getText() + x)",
            "getList().filter(x => getText() === getText())",
            "getList().some(x => getText().includes('b'))",
            "getList().map(x => getText()).join('')",
            "getList().map(x => `${getText()}`)")) {
      var plain = Objects.requireNonNull(PlainParser.parse(script), script);
      assertThat(catchThrowable(() -> plain.value(scope, ExpressionLimits.DEFAULT)))
          .as(script)
          .isInstanceOf(NotPlainException.class);
    }
  }

  @Test
  void deep_sources_are_left_to_the_engine() {
    assertThat(PlainParser.parse("(".repeat(2_000))).isNull();
    assertThat(PlainParser.parse("!".repeat(2_000) + "1")).isNull();
    assertThat(PlainParser.parse("1?".repeat(1_000))).isNull();
    assertThat(PlainParser.parse("[".repeat(2_000))).isNull();
  }
}
