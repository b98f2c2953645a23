package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Equal scopes give equal values, in whichever engine and however often. */
class DeterminismTest {
  /** Calls every function that can be reached by name, with arguments of several kinds. */
  private static final String CALL_ALL =
      """
      var seen = [], out = [];
      var values = [[], ['QQ=='], ['b', 'a'], [2, 3], [[3, 1, 2]], [{ a: 1 }], [x => x]];
      function show(value) {
        try { return typeof value + ' ' + JSON.stringify(value) + ' ' + String(value) }
        catch (e) { return 'cannot be shown: ' + e }
      }
      function call(path, f, self) {
        values.forEach(args => {
          var result;
          try { result = f.apply(self(), args) } catch (e) { result = 'threw ' + e }
          out.push(path + ' ' + show(result));
        });
      }
      function walk(path, holder, self) {
        Object.getOwnPropertyNames(holder).sort().forEach(name => {
          var found = Object.getOwnPropertyDescriptor(holder, name);
          if (found && typeof found.value === 'function' && name !== 'constructor') {
            call(path + name, found.value, self);
          }
        });
      }
      var own = ['show', 'call', 'walk'], library = {};
      [this, Object.getPrototypeOf(Object.getPrototypeOf(this))].forEach(holder =>
        Object.getOwnPropertyNames(holder).filter(name => !own.includes(name))
          .forEach(name => { library[name] = this[name] }));
      walk('', library, () => undefined);
      walk('Math.', Math, () => Math);
      walk('JSON.', JSON, () => JSON);
      walk('Date.', Date, () => Date);
      walk('Array.', Array, () => Array);
      walk('Object.', Object, () => Object);
      walk('String.', String, () => String);
      walk('date.', Date.prototype, () => new Date());
      walk('array.', Array.prototype, () => [3, 'b', null]);
      walk('string.', String.prototype, () => 'abc');
      walk('number.', Number.prototype, () => 12.5);
      walk('map.', Map.prototype, () => new Map([[1, 2]]));
      walk('set.', Set.prototype, () => new Set([1, 2]));
      ['({})()', 'new ({})()', '({}).x()', '1 in "a"', '({}) instanceof 1', '[...{}]',
        'for (var x of { a: 1 });', 'Symbol() + ""', 'null[{}]', 'undefined.x', 'x.y',
        'var { a } = null', 'var [b] = {}', 'Object.defineProperty(1, "a", {})', 'new Map({ a: 1 })',
        'new Set({ a: 1 })', '[].reduce((a, b) => a)', 'new Date({}).toISOString()', '({})[{}]({})',
        'throw {}', 'null([])', 'new RegExp("(")', 'decodeURI("%")', '[].at({})()']
        .forEach(source => call(source + ' ', () => eval(source), () => undefined));
      out.push(show(new Date()), show(Date()), show(new Date(2020, 5, 1)), show(getCount()));
      out
      """;

  private static final String TEMPLATE =
      "{{ 'now' | date: '%c %s %Z' }} {{ 'today' | date: '%F' }} {{ '12:30' | date: '%F' }}"
          + "{{ 'ı' | upcase }}{{ Variables | json }}{% increment n %}{{ 'now' | time_zone: 'Europe/Berlin' }}"
          + "{{ 'now' | format_date: 'F', 'de-DE' }}{{ 1234.5 | format_number: 'C' }}{{ WorkflowInstanceId }}";

  private static Expressions expressions() {
    return new Expressions(
        new ExpressionLimits(Duration.ofMinutes(1), 500_000_000, 4L << 30, 256, 16 << 20, 64 << 10),
        EvaluationClocks.SYSTEM,
        Map.of("QQ==", "configured"));
  }

  private static FakeScope scope() {
    return new FakeScope().with("Count", 1L).with("List", List.of(1L, Map.of("a", "b")));
  }

  @Test
  void every_function_answers_alike_in_equal_scopes() {
    var expression = new Expression("JavaScript", CALL_ALL);
    var one = expressions();

    var first = one.evaluate(expression, "Object", scope());
    var again = one.evaluate(expression, "Object", scope());
    var elsewhere = expressions().evaluate(expression, "Object", scope());

    assertThat((List<?>) first).hasSizeGreaterThan(1000);
    assertThat(again).isEqualTo(first);
    assertThat(elsewhere).isEqualTo(first);
    assertThat((List<?>) first)
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.list(String.class))
        .anyMatch(line -> line.startsWith("newGuid string"))
        .anyMatch(line -> line.startsWith("getConfig string \"configured\""))
        .anyMatch(line -> line.startsWith("Math.random number 0."));
  }

  @Test
  void a_template_renders_alike_in_equal_scopes() {
    var expression = new Expression("Liquid", TEMPLATE);
    var one = expressions();

    var first = one.evaluate(expression, "String", scope());

    assertThat(one.evaluate(expression, "String", scope())).isEqualTo(first);
    assertThat(expressions().evaluate(expression, "String", scope())).isEqualTo(first);
    assertThat(first).asString().startsWith("Fri Jan 2 03:04:05 2026 1767323045 ");
  }
}
