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
          TimeSpan.FromSeconds(5)                                     | 00:00:05
          `${TimeSpan.fromMinutes(90)} ${TimeSpan.FromDays(1.5)}`     | 01:30:00 1.12:00:00
          TimeSpan.FromMilliseconds(-1).ToString()                    | -00:00:00.0010000
          TimeSpan.FromMinutes(90).TotalHours + TimeSpan.Parse('1.02:03:04').Days | 2.5
          new TimeSpan(1, 2, 3).add(TimeSpan.FromHours(23)).Subtract('00:00:03') | 1.00:02:00
          [TimeSpan.FromSeconds(61).Seconds, TimeSpan.Zero.Ticks, TimeSpan.Parse('PT1M').totalSeconds].join() | 1,0,60
          ({ wait: TimeSpan.FromSeconds(1) })                         | {wait=00:00:01}
          DateTime.Parse('2026-01-02')                                | 2026-01-02T00:00:00.000Z
          new DateTime(2026, 2, 3, 4, 5, 6).toISOString()             | 2026-02-03T04:05:06.000Z
          `${DateTime.UtcNow - DateTime.Now} ${DateTime.IsLeapYear(2028)} ${DateTime.DaysInMonth(2026, 2)}` | 0 true 28
          DateTimeOffset.FromUnixTimeSeconds(1)                       | 1970-01-01T00:00:01.000Z
          Guid.Empty.ToString('N') + Guid.NewGuid().length            | 0000000000000000000000000000000036
          Guid.Parse('{0F8FAD5B-D9CB-469F-A165-70867728950E}')        | 0f8fad5b-d9cb-469f-a165-70867728950e
          Guid.Parse('0f8fad5bd9cb469fa16570867728950e').Equals('0F8FAD5B-D9CB-469F-A165-70867728950E') | true
          new Random().Next(3, 4) + LogPersistenceMode.Include        | 3Include
          typeof LogPersistenceMode + LogPersistenceMode.exclude      | functionExclude
          Object.keys(globalThis).includes('DateTime')                | true
          new Downloadable('hey', 'a.txt').content                    | aGV5
          """)
  void the_types_of_dotnet_are_those_of_elsas_scripts(String source, String expected) {
    assertThat(String.valueOf(run(source))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          TimeSpan.Parse('soon')          | TypeError: not a TimeSpan: soon
          DateTime.Parse('soon')          | TypeError: not a date: soon
          """)
  void the_types_of_dotnet_refuse_what_they_cannot_be(String source, String message) {
    assertThatThrownBy(() -> run(source))
        .isInstanceOf(ExpressionException.class)
        .hasMessageContaining(message);
  }

  @Test
  void a_script_that_changes_the_types_of_dotnet_changes_them_for_itself_alone() {
    assertThat(
            run(
                "TimeSpan.FromSeconds = () => 1; TimeSpan.prototype.Add = 1; TimeSpan.FromSeconds(5)"))
        .isEqualTo(1L);
    assertThat(run("TimeSpan.FromSeconds(5).Add('00:00:01')")).isEqualTo("00:00:06");
  }

  private static final Map<String, Object> FILE =
      Map.of(
          "name", "field",
          "filename", "a.txt",
          "contentType", "text/plain",
          "size", 3L,
          "content", "aGV5");

  @Test
  void files_have_the_members_of_elsas_and_leave_as_they_came() {
    scope.with("File", FILE);

    assertThat(
            run(
                "const f = getFile(); [f.FileName, f.fileName, f.Filename, f.Length, f.ContentType,"
                    + " f.Name, bytesToString(streamToBytes(f.OpenReadStream())),"
                    + " streamToBase64(f.Stream), f.GetBytes().length].join()"))
        .isEqualTo("a.txt,a.txt,a.txt,3,text/plain,field,hey,aGV5,3");
    assertThat(run("getFile()")).isEqualTo(FILE);
    assertThat(run("Object.keys(getFile()).sort().join()"))
        .isEqualTo("content,contentType,filename,name,size");
  }

  @Test
  void the_request_of_an_endpoint_has_the_members_of_elsas() {
    var request = new LinkedHashMap<String, @Nullable Object>();
    request.put("method", "POST");
    request.put("path", "orders/7");
    request.put("route", Map.of("id", "7"));
    request.put("query", Map.of("q", "a b"));
    request.put("headers", Map.of("Host", "h:1"));
    request.put("contentType", "application/json");
    request.put("size", 2L);
    request.put("body", Map.of());
    scope.with("Request", request);

    assertThat(
            run(
                "const r = getRequest(); [r.Method, r.Path, r.QueryString, r.Query.q, r.Host,"
                    + " r.Headers.Host, r.ContentLength, r.RouteValues.id,"
                    + " r.HasFormContentType].join()"))
        .isEqualTo("POST,/workflows/orders/7,?q=a%20b,a b,h:1,h:1,2,7,false");
    assertThat(run("getRequest()")).isEqualTo(request);
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
          [[1, 2], [3, 4]].map(([, v]) => v).join() + [[1, 2, 3]].map(([a,, c]) => a + c) | 2,44
          [[1, 2]].map(function ([, b = [, 7].length]) { return b }) + [{ p: [1, 2] }].map(({ p: [, q] }) => q) | 22
          if (true) return [[[1], 2]].map(([[, z = [, 5]], ,]) => z.length + '')[0]; | 2
          ([, _ = 2], __) => 1; ((_, [, __]) => _ + __)(1, [2, 3])    | 4
          try { null.x } catch { 7 }                                  | 7
          try { } catch { } var n = 0; try { n = 1; throw n } catch { n += 2 } finally { n += 4 } n | 7
          var f = []; for (let i = 0; i < 3; i++) f.push(() => i); f.map(g => g()).join() | 0,1,2
          var f = []; for (let i = 0, n = 2; i < n; i++) { if (i == 9) continue; f.push(function () { return i + n }) } f.map(g => g()).join() | 2,3
          var f = []; for (const k of [1, 2]) for (const j in { a: 1, b: 2 }) f.push(() => k + j); f.map(g => g()).join() | 1a,1b,2a,2b
          var f = []; for (const [k, { v }] of [[1, { v: 2 }], [3, { v: 4 }]]) { f.push(() => k + v); } f.map(g => g()).join() | 3,7
          var f = []; for (let k in { a: 1, b: 2 }) { k += '!'; f.push({ m() { return k } }) } return f.map(g => g.m()).join() | a!,b!
          var f = []; out: for (let i of [1, 2, 3]) { for (;;) { if (i == 2) continue out; f.push(() => i); break } } f.map(g => g()).join() | 1,3
          class A { #n = 3; static of() { return new A() } get n() { return this.#n } } A.of().n | 3
          const f = async x => { const y = await x; return y + 1 }; f(41) | 42
          async function* g() { yield 1; yield 2 } (async () => { let s = 0; for await (const x of g()) s += x; return s })() | 3
          Math.max(...[1, 5, 2]) + new Date(...[2020, 1]).getTime() + ((...rest) => rest.length)(1, 2) | 1580515200007
          const [a, ...b] = [1, 2, 3], { c, ...d } = { c: 1, e: 2 }; b.join() + JSON.stringify(d) | 2,3{"e":2}
          (({ a = 2 }) => a)({}) + (null?.x ?? 1) + 1_000 + (2 ** 3) | 1011
          'x1y2'.replace(/(?<l>[a-z])(?<n>[0-9])/g, '$<n>$<l>') + [3, 1].toSorted() + [1, 2].at(-1) | 1x2y1,32
          let n = 0; for (let i = 0; i < 3; i++) { try { if (i == 1) return 'at ' + i } finally { n++ } } n | at 1
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
          getSecret('x')                 | by an expression of the type Secret
          createEventTriggerUrl()        | a text is needed
          generateBookmarkTriggerUrl('nobody') | nothing waits at nobody
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

  @Test
  void links_are_kept_when_the_script_has_ended_well() {
    assertThat(run("createEventTriggerUrl('A', TimeSpan.FromHours(1))"))
        .isEqualTo("event/A/01:00:00");
    assertThat(run("generateBookmarkTriggerUrl('B', new Date(0))"))
        .isEqualTo("bookmark/B/1970-01-01T00:00:00.000Z");
    assertThatThrownBy(() -> run("createEventTriggerUrl('C'); throw 1"))
        .isInstanceOf(ExpressionException.class);

    assertThat(scope.links)
        .containsExactly("event/A/01:00:00", "bookmark/B/1970-01-01T00:00:00.000Z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          1;$ await f()                  | await is allowed only in async functions
          1;$ import x from 'x'          | modules are not supported
          1;$ 2n                         | BigInt is not supported
          1;$ for each (var x in [1]) x  | write for (const x of Object.values(y))
          1;$ var x = <a>1</a>           | unexpected token
          1;$ [x for (x in [1])]         | Unexpected token 'for'
          1;$ try { } catch (e if e) { } | Unexpected token 'if'
          1;$ try { } catch { 2n }       | BigInt is not supported
          1;$ eval(`return 1`); return (  | unexpected token in expression
          1;$ let x; let x               | invalid redefinition of lexical identifier
          """)
  void what_the_language_lacks_is_a_syntax_error_with_its_place(String source, String message) {
    assertThat(EXPRESSIONS.problems(new Expression("JavaScript", source.replace('$', '\n'))))
        .singleElement()
        .asString()
        .contains(message)
        .containsPattern("\\(line 2, column [0-9]+\\)$");
  }
}
