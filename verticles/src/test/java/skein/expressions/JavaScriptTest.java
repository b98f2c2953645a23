package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JavaScriptTest {
  private static final Expressions EXPRESSIONS =
      new Expressions(ExpressionLimits.DEFAULT, EvaluationClocks.SYSTEM, Map.of("Region", "eu"));

  private final FakeScope scope = new FakeScope().with("Count", 41L);

  private @Nullable Object run(String source) {
    return EXPRESSIONS.evaluate(new Expression("JavaScript", source), "Object", scope);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          getCount() + 1                                              | 42
          return getCount() + 1;                                      | 42
          const x = 20; x * 2 + 2                                     | 42
          if (false) return 1; 5 + 5                                  | 10
          if (true) return 1; 5 + 5                                   | 1
          `${getCount()} of ${getMessage()}`                          | 41 of hi
          getVariable('Count') < 3                                    | false
          getInput('message') + args.Message                          | hihi
          `sum ${getResultFromAdder()}, ${getOutputFrom('Adder')}`    | sum 10, 10
          getTotalFromMyAdder()                                       | 11
          `last ${getLastResult()}`                                   | last 9
          [isNullOrEmpty(''), isNullOrWhiteSpace(' '), isNullOrEmpty('x')].join('/') | true/true/false
          stringFromBase64(stringToBase64('Grüße'))                   | Grüße
          bytesToString(bytesFromBase64(bytesToBase64(bytesFromString('abc')))) | abc
          toJson({ name: 'Test', value: 42 })                         | {"name":"Test","value":42}
          JSON.stringify({ a: [1, null], u: undefined, d: new Date(0) }) | {"a":[1,null],"d":"1970-01-01T00:00:00.000Z"}
          JSON.parse('{"a":[1,2]}', (k, v) => v === 2 ? 3 : v).a[1]   | 3
          getWorkflowInstanceId() + getWorkflowDefinitionVersion()    | instance-13
          'a-b-c'.replace(/-/g, '+$&') + 'aa'.replaceAll('a', x => x + '.') | a+-b+-ca.a.
          'a1b2'.match(/[0-9]/g).join() + 'a,b;c'.split(/[,;]/).length | 1,23
          [10, 9, 1].sort().concat([[2, [3]].flat(9)]).toString()     | 1,10,9,2,3
          'straße'.toUpperCase() + 'ΑΣ'.toLowerCase()                 | STRASSEας
          (null ?? 'd') + [...'ab'].map((c, i) => c + i)              | da0,b1
          function* g() { yield 1; yield 2 } [...g()].length          | 2
          var e = new Error('a'); e.message = 'b'; e.name = 'C'; '' + e | C: b
          eval('1 + 1') + new Function('return 2')()                  | 4
          Array.prototype.slice.call({ length: 2, 0: 'x', 1: 'y' }).join('') | xy
          const args = 1, JSON = 2; let variables = 3; args + JSON + variables | 6
          function getCount() { return 7 } getCount()                 | 7
          typeof nope + typeof getCount                               | undefinedfunction
          var n = 0; for (const x of [1, 2]) { for (const k in { a: 1 }) n += x } n | 3
          var n = 0; for (const [k, v] of Object.entries({ a: 4 })) n += v; return n | 4
          'for (const x of y)'.length                                 | 18
          '' + ({ ...{ a: 1 }, b: 2 }).a + null?.a + [...[1], 2].length    | 1undefined2
          parseGuid('{0F8FAD5B-D9CB-469F-A165-70867728950E}')         | 0f8fad5b-d9cb-469f-a165-70867728950e
          bytesToBase64([1, 255]) + streamToBase64('Af8=') + streamToBytes('Af8=')[1] + bytesFromBase64('A f8=')[0] | Af8=Af8=2551
          getConfig('Region')                                         | eu
          variables.Deep.a.b = 5; getDeep().a.b + variables['Deep'].a.b | 10
          Object.keys(variables).join() + ('Count' in variables)      | Count,Deeptrue
          """)
  void scripts_see_their_scope_and_the_language(String source, String expected) {
    scope.inputs.put("Message", "hi");
    scope.outputs.put("Adder.Result", 10L);
    scope.outputs.put("MyAdder.Total", 11L);
    scope.lastResult = 9L;
    scope.with("Deep", Map.of("a", Map.of("b", 1L)));

    assertThat(run(source)).hasToString(expected);
  }

  @Test
  void values_come_out_as_json_values() {
    assertThat(run("   ")).isNull();
    assertThat(run("undefined")).isNull();
    assertThat(run("0 / 0")).isNull();
    assertThat(run("9007199254740991")).isEqualTo(9007199254740991L);
    assertThat(run("0.5")).isEqualTo(0.5);
    assertThat(run("1e21")).isEqualTo(1e21);
    assertThat(run("new Date(0)")).isEqualTo("1970-01-01T00:00:00.000Z");
    assertThat(run("new String('boxed')")).isEqualTo("boxed");
    assertThat(run("[undefined, () => 1, NaN, 'x']"))
        .isEqualTo(Arrays.asList(null, null, null, "x"));
    var expected = new LinkedHashMap<String, @Nullable Object>();
    expected.put("b", null);
    expected.put("a", 1L);
    assertThat(run("({ b: undefined, a: 1, f() {} })")).isEqualTo(expected);
    assertThat(run("return {\n  a: 1\n}")).isEqualTo(Map.of("a", 1L));
  }

  @Test
  void three_ways_set_a_variable() {
    scope.with("A", 1L).with("B", 1L).with("C", 1L);

    run("setA(42)");
    run("variables.B = 42");
    run("setVariable('C', 42)");

    assertThat(scope.variables)
        .containsEntry("A", 42L)
        .containsEntry("B", 42L)
        .containsEntry("C", 42L);
  }

  @Test
  void what_a_script_does_to_a_variable_s_object_is_set_back() {
    scope.with("Customer", Map.of("Name", "Jo", "Orders", List.of("b", "a")));

    run("variables.Customer.Name = 'Jane'; getCustomer().Orders.sort();");

    assertThat(scope.variables)
        .containsEntry("Customer", Map.of("Name", "Jane", "Orders", List.of("a", "b")));
  }

  @Test
  void a_variable_that_was_only_read_keeps_digits_that_scripts_do_not_see() {
    var exact = Map.of("price", new BigDecimal("0.1000000000000000000001"));
    scope.with("Exact", exact);

    assertThat(run("variables.Exact.price < 1")).isEqualTo(true);

    assertThat(scope.sets).isZero();
    assertThat(scope.variables).containsEntry("Exact", exact);
  }

  @Test
  void a_script_sees_what_it_set_itself() {
    assertThat(
            run(
                "setCount(1); variables.Count++; setCorrelationId('c'); setOutcome('Yes');"
                    + "setWorkflowInstanceName('n');"
                    + "[getCount(), getVariable('Count'), getCorrelationId(), getWorkflowInstanceName()]"))
        .isEqualTo(List.of(2L, 2L, "c", "n"));

    assertThat(scope.variables).containsEntry("Count", 2L);
    assertThat(scope.correlationId).isEqualTo("c");
    assertThat(scope.name).isEqualTo("n");
    assertThat(scope.outcomes).containsExactly("Yes");
  }

  @Test
  void a_script_that_fails_changes_nothing() {
    assertThatThrownBy(() -> run("setCount(1); setCorrelationId('c'); setOutcomes(['a']); nope()"))
        .isInstanceOf(ExpressionException.class);
    assertThatThrownBy(() -> run("setCount(1); setVariable('Nope', 1)"))
        .hasMessageContaining("Nope");

    assertThat(scope.sets).isZero();
    assertThat(scope.correlationId).isNull();
    assertThat(scope.outcomes).isEmpty();
  }

  @Test
  void time_and_chance_are_the_scope_s() {
    var source =
        "[Date.now(), new Date(), Date(), new Date().getTime(), Math.random(), newGuid(),"
            + " getShortGuid(), new Date(2020, 0, 1)]";

    var first = run(source);
    var again =
        EXPRESSIONS.evaluate(new Expression("JavaScript", source), "Object", new FakeScope());

    assertThat(again).isEqualTo(first);
    assertThat((List<?>) first).element(0).isEqualTo(scope.now().toEpochMilli());
    assertThat(run("newGuid()"))
        .asString()
        .matches("[0-9a-f-]{14}4[0-9a-f]{3}-[89ab][0-9a-f-]{16}");
  }

  @Test
  void an_error_says_what_and_where() {
    assertThatThrownBy(() -> run("1;\n  missing.name"))
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ExpressionException.RUNTIME_ERROR);
              assertThat(e.line()).isEqualTo(2);
              assertThat(e).hasMessageContaining("missing");
            });
    assertThatThrownBy(() -> run("if (true) throw new TypeError('bad');\nreturn 1"))
        .hasMessageContaining("TypeError: bad");
    assertThatThrownBy(() -> run("this is not valid"))
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> assertThat(e.kind()).isEqualTo(ExpressionException.SYNTAX_ERROR));
    assertThatThrownBy(() -> run("return 1;\nvar = 2"))
        .isInstanceOfSatisfying(ExpressionException.class, e -> assertThat(e.line()).isEqualTo(2));
  }

  @Test
  void an_input_hides_a_variable_of_its_name_and_a_missing_input_is_null() {
    scope.with("Message", "variable");
    scope.inputs.put("Message", "input");
    scope.inputs.put("Absent", null);

    assertThat(run("getMessage()")).isEqualTo("input");
    assertThat(run("getAbsent() === null")).isEqualTo(true);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          getConfig('Password')          | may not read the configuration value Password
          getSecret('x')                 | give the value as an input
          createEventTriggerUrl('x')     | publish the event with its name
          parseGuid('1-1-1-1-1')         | not a GUID
          bytesFromBase64('%')           | not Base64
          """)
  void what_a_script_may_not_have_is_a_clear_error(String source, String message) {
    assertThatThrownBy(() -> run(source))
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> assertThat(e.kind()).isEqualTo(ExpressionException.RUNTIME_ERROR));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          1;$ class A {}                 | classes are not supported
          1;$ async function f() {}      | async and await are not supported
          1;$ var f = async () => 1      | async and await are not supported
          1;$ await f()                  | async and await are not supported
          1;$ return await f()           | async and await are not supported
          1;$ Math.max(...[1, 2])        | f.apply(null, list)
          1;$ new Date(...[2020, 1])     | f.apply(null, list)
          1;$ ((...rest) => 1)()         | function (a, ...rest)
          1;$ var [a, ...b] = [1]        | Invalid assignment left-hand side
          1;$ var { a, ...b } = { }      | object rest properties in destructuring are not supported
          1;$ (({ a = 2 }) => a)({})     | syntax error near '
          1;$ import('x')                | modules are not supported
          1;$ 2n                         | BigInt is not supported
          """)
  void what_the_language_lacks_is_a_syntax_error_with_its_place(String source, String message) {
    assertThat(EXPRESSIONS.problems(new Expression("JavaScript", source.replace('$', '\n'))))
        .singleElement()
        .asString()
        .contains(message)
        .containsPattern("\\(line 2, column [0-9]+\\)$");
  }
}
