package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts that mean harm. The limits are such that each ends by them and not by the machine. */
@Tag("long")
class SandboxTest {
  private static final Expressions EXPRESSIONS = within(Duration.ofSeconds(20));
  private static final Expressions HALF_A_SECOND = within(Duration.ofMillis(500));

  private static Expressions within(Duration cpuTimeMax) {
    return new Expressions(
        new ExpressionLimits(cpuTimeMax, 3_000_000, 32L << 20, 256, 1 << 20, 64 << 10),
        System::nanoTime);
  }

  /** {@code it}: gives an element without end, from a function without a branch or a call. */
  private static final String ENDLESS =
      "var it = { [Symbol.iterator]() {"
          + " return { next() { return { done: false, value: ['a', 1] } } } } }; ";

  private final FakeScope scope = new FakeScope().with("Count", 1L);

  private Object run(String source) {
    return run(EXPRESSIONS, source);
  }

  private Object run(Expressions expressions, String source) {
    var value = expressions.evaluate(new Expression("JavaScript", source), "Object", scope);
    return value == null ? "null" : value;
  }

  private String kind(String source) {
    var thrown = catchThrowable(() -> run(HALF_A_SECOND, source));
    assertThat(thrown).as(source).isInstanceOf(ExpressionException.class);
    return ((ExpressionException) thrown).kind();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while (true);",
        "function f() { return f() + 1 } f()",
        "try { while (true); } catch (e) {} finally { while (true); }",
        "while (true) { try { null.x } catch (e) {} }",
        "({ toString() { while (true); } }) + ''",
        "({ get a() { while (true); } })",
        "throw { toString() { while (true); } }",
        "[...function* () { while (true) yield 1 }()]",
        "var o = { toString() { return '' + o } }; '' + o",
        "[3, 2, 1].sort(function f() { return [3, 2, 1].sort(f) })",
        "while (true) eval('1')",
        "/(a+)+$/.test('a'.repeat(40) + 'b')",
        "'x'.repeat(2 ** 30)",
        "'x'.padStart(2 ** 30)",
        "new Array(1e9).join('x')",
        "new Array(1e8).fill(0)",
        "Array.from({ length: 1e9 })",
        "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
        "var a = []; a.length = 4294967295; [...a]",
        "var a = []; a.length = 4294967295; for (var x of a);",
        "var a = []; a[4294967294] = 1; a.sort()",
        "var a = [1]; while (true) a = a.concat(a)",
        "var a = []; while (true) a.push('x'.repeat(1 << 20))",
        "var s = 'x'; while (true) s += s",
        "var s = 'x'.repeat(1000); while (true) s = s + s + 'y', s.charAt(0)",
        "var m = new Map(); for (var i = 0; ; i++) m.set(i, 'value' + i)",
        "var x = []; for (var i = 0; i < 40; i++) x = [x, x]; JSON.stringify(x)",
        "var x = []; for (var i = 0; i < 40; i++) x = [x, x]; x.toString()",
        "var x = []; for (var i = 0; i < 40; i++) x = [x, x]; x.flat(Infinity)",
        "var x = []; for (var i = 0; i < 40; i++) x = [x, x]; x",
        "var x = []; for (var i = 0; i < 300; i++) x = [x]; x",
        "var x = []; x.push(x); '' + x",
        "'x'.repeat(2 << 20)",
        "'a'.repeat(100000).replace(/a/g, 'b'.repeat(10000))",
        "var b = 'b'.repeat(1e6); 'a'.repeat(100000).replace(/a/g, () => b)",
        "var b = 'b'.repeat(1e6); new Array(1e5).fill({ toString() { return b } }).join('')",
        "var r = /b/g; r.exec = () => ({ length: 2 ** 53 - 1, 0: 'a', index: 0 });"
            + "'abc'.replace(r, 'x')",
        "Array(1e5).fill(0).flatMap(() => Array(1e5).fill(0)).length",
        "'a'.repeat(4e6).indexOf('a'.repeat(2e6) + 'b')",
        "var s = 'a'.repeat(1e6); Array(1e5).fill(s + 'x').indexOf(s + 'y')",
        "'x'.repeat(4e6).split('')",
        "('a' + '\\u0315\\u0300'.repeat(100000)).normalize('NFC')",
        "eval('x'.repeat(100000))",
        "JSON.parse('['.repeat(1e6))",
        "/(a|aa)+$/.test('a'.repeat(60) + 'b')",
        "/(x+x+)+y/.exec('x'.repeat(60))",
        "new RegExp('^(([a-z])+.)+[A-Z]([a-z])+$').test('a'.repeat(60))",
        "/(?=(a+)+b)c/.test('a'.repeat(60))",
        "('a'.repeat(50) + 'b').replace(/(a*)*c/, '')",
        "('a'.repeat(50) + 'b').replaceAll(/(a*)*c/g, '')",
        "('a'.repeat(50) + 'b').match(/(a|a)*c/)",
        "[...('a'.repeat(50) + 'b').matchAll(/(a|a)*c/g)]",
        "('a'.repeat(50) + 'b').search(/(a|a)*c/)",
        "('a'.repeat(50) + 'b').split(/(a|a)*c/)",
        "/\\s+$/.test(' '.repeat(1e6) + 'x')",
        "'x'.padEnd(2 ** 30)",
        "var s = 'x'; while (true) s = s.concat(s)",
        "var s = 'x'; while (true) s = `${s}${s}`",
        "var s = 'x'; for (var i = 0; i < 31; i++) s += s; ({})[s]",
        "var s = 'x'; for (var i = 0; i < 31; i++) s = s + s; s == s + ''",
        "var o = { s: 'x' }; for (var i = 0; i < 31; i++) o.s += o.s; ({})[o.s]",
        "var o = { s: 'x' }; for (var i = 0; i < 31; i++) o['s'] = o.s + o.s; ({})[o.s]",
        "var b = 'x'.repeat(1e6), o = { toString() { return b } }, s = ''; for (;;) s += o",
        "function f(s) { let t = s; for (let i = 0; i < 31; i++) t = t + t; return t < t } f('x')",
        "eval(\"var s = 'x'; for (var i = 0; i < 31; i++) s += s; ({})[s]\")",
        "new Function(\"var s = 'x'; for (var i = 0; i < 31; i++) s += s; ({})[s]\")()",
        "var a = [1]; while (true) a = [...a, ...a]",
        "var s = 'x'; while (true) s = [s, s].join()",
        "Array(1e5).fill('x'.repeat(1e4)).join()",
        "new Array(1e9).fill(0)",
        "Array(2 ** 32 - 1).fill(0)",
        "var o = {}; for (var i = 0; ; i++) o['k' + i] = i",
        "var f = () => f(); f()",
        "function f(n) { return n + f(n + 1) } try { f(0) } catch (e) { f(0) }",
        "new Function('while (true);')()",
        "eval('while (true);')",
        "setCount({ get a() { while (true); } })",
        "JSON.stringify({ toJSON() { while (true); } })",
        "toJson(Array(1e6).fill('x'))",
        "({ a: 'x'.repeat(9e5), b: 'x'.repeat(9e5) })",
        "Object.keys(new String('a'.repeat(4e6))).length",
        "Object.keys('a'.repeat(1e6)).length",
        "Object.entries('a'.repeat(1e6)).length",
        "Object.values('a'.repeat(1e6)).length",
        "Object.getOwnPropertyNames('a'.repeat(1e6)).length",
        "Object.assign({}, 'a'.repeat(1e6))",
        "({ ...new String('a'.repeat(1e6)) })",
        ENDLESS + "Array.from(it).length",
        ENDLESS + "[...it].length",
        ENDLESS + "new Set(it).size",
        ENDLESS + "new Map(it).size",
        ENDLESS + "Object.fromEntries(it)",
        ENDLESS + "Object.groupBy(it, x => x[0])",
        ENDLESS + "Map.groupBy(it, x => x[0])",
        ENDLESS + "new Set([1]).union({ size: 1, has() {}, keys: it[Symbol.iterator] })",
        "var it = { [Symbol.iterator]() { return { next: Object } } }; [...it].length",
        "var it = { [Symbol.iterator]() { return { next: Object } } }; Array.from(it).length",
        "var a = [1]; a[Symbol.iterator] = () => ({ next: Object }); [...a].length",
        "var a = [1]; a[Symbol.iterator] = Object.prototype.valueOf; a.next = Object; [...a]",
        "var it = { [Symbol.iterator]() { return { next: Object.bind(null, { value: ['a', 1] }) } } };"
            + "Object.fromEntries(it)",
        "Array.prototype.join.call({ get length() { return 1e9 } })",
        "Array.prototype.slice.call({ get length() { return 1e9 } })",
        "bytesFromString('x'.repeat(4e6))",
        "stringToBase64('x'.repeat(8e6))",
      })
  void a_script_cannot_exceed_its_budget(String source) {
    assertThat(kind(source)).isEqualTo(ExpressionException.BUDGET_EXCEEDED);
    assertThat(run("getCount() + 1")).isEqualTo(2L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "([] + {}).constructor.constructor('return java')()",
        "Packages.java.lang.System.exit(1)",
        "java.lang.Runtime",
        "''.getClass()",
        "getCount.getClass()",
        "new JavaAdapter()",
        "importClass(1)",
        "load('/etc/passwd')",
        "new Proxy({}, {})",
        "Promise.resolve(1)",
        "new Uint8Array(1e9)",
        "new Continuation()",
        "new Script('1')",
        "var x = {}; x.x = x; x",
        "throw null",
        "throw undefined",
        "throw Symbol('x')",
        "throw 'x'.repeat(1e6)",
        "throw { get message() { while (true); } }",
        "throw Object.create(null)",
        "delete variables.Count",
        "new setCount(1)",
        "Array.from.call(function () { return Object.prototype }, 5).map.call([], {})",
        "Object.defineProperty([], 'length', { get() { return 1 } })",
        "({ get a() { throw new Error('x') } })",
        "getCount.constructor('return java.lang')()",
        "this.constructor.constructor('return process')()",
        "Function('return Packages.java')()",
        "Packages",
        "getClass()",
        "importPackage(1)",
        "BigInt(1)",
        "var a = []; a.push(a); a",
        "var a = {}, b = { a }; a.b = b; a",
        "require('fs')",
        "process.exit(1)",
        "fetch('http://localhost')",
      })
  void a_script_reaches_nothing_but_its_scope(String source) {
    assertThat(kind(source)).isEqualTo(ExpressionException.RUNTIME_ERROR);
  }

  /** They end at once, whether with a value, an error, or because they have used too much. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Math.max.apply(null, { length: 1e9 })",
        "Reflect.apply(Math.max, null, { length: 1e9 })",
        "String.fromCharCode.apply(null, { length: 1e9 })",
        "var x = []; for (var i = 0; i < 300; i++) x = [x]; JSON.stringify(x)",
        "var a = Array(1e4).fill(0); while (true) a.map(this[' +'])",
        "Object.freeze(new String('a'.repeat(1e6)))",
        "Object.isFrozen(Object.seal(new String('a'.repeat(1e6))))",
        "Object.create({}, 'a'.repeat(1e6))",
        "({ ...'a'.repeat(1e6) })",
        "for (k in 'a'.repeat(1e6));",
        "for (k in Object.create(new String('a'.repeat(1e6))));",
        "var a = [1]; a.constructor = function () { return Object.prototype }; a.map(x => x)",
        "eval(\"for (k in 'a'.repeat(1e6));\")",
      })
  void what_looks_costly_and_need_not_be_harms_nobody(String source) {
    var started = System.nanoTime();

    var thrown = catchThrowable(() -> run(HALF_A_SECOND, source));

    if (thrown != null) {
      assertThat(thrown).isInstanceOf(ExpressionException.class);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(20));
    assertThat(run("getCount() + 1")).isEqualTo(2L);
  }

  @Test
  void big_integers_are_refused_before_anything_runs() {
    assertThat(kind("2n ** 100000000n")).isEqualTo(ExpressionException.SYNTAX_ERROR);
    assertThat(kind("eval('2n ** 100000000n')")).isEqualTo(ExpressionException.SYNTAX_ERROR);
  }

  @Test
  void the_clocks_are_those_that_were_injected() {
    var nanos = new AtomicLong();
    var slow =
        new Expressions(
            ExpressionLimits.DEFAULT,
            new EvaluationClocks(
                () -> nanos.addAndGet(Duration.ofMillis(300).toNanos()), nanos::get),
            Map.of());

    var thrown =
        catchThrowable(
            () -> slow.evaluate(new Expression("JavaScript", "while (true);"), "Object", scope));

    assertThat(thrown).hasMessageContaining("longer than PT0.5S");
  }

  @Test
  void a_virtual_thread_has_a_budget_too() throws InterruptedException {
    var kinds = new java.util.concurrent.ConcurrentLinkedQueue<String>();
    var thread =
        Thread.ofVirtual()
            .start(() -> kinds.add(kind("var a = []; while (true) a.push('x'.repeat(1 << 20))")));
    thread.join();

    assertThat(kinds).containsExactly(ExpressionException.BUDGET_EXCEEDED);
  }

  @Test
  void what_has_no_json_is_null_and_tricks_in_results_do_not_run() {
    assertThat(run("() => 1")).isEqualTo("null");
    assertThat(run("Symbol('x')")).isEqualTo("null");
    assertThat(
            run(
                "({ a: 1, toString() { while (true); }, valueOf() { while (true); },"
                    + " toJSON() { while (true); } })"))
        .isEqualTo(Map.of("a", 1L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/(a+)+$/.test('a'.repeat(60) + 'b')",
        "while (true);",
        "var a = []; while (true) a.push([a.length])"
      })
  void a_script_ends_soon_after_its_time(String source) {
    var expressions =
        new Expressions(
            new ExpressionLimits(
                Duration.ofMillis(200), Long.MAX_VALUE, 256 << 20, 256, 1 << 20, 64 << 10),
            System::nanoTime);
    var threads = ManagementFactory.getThreadMXBean();
    var started = threads.getCurrentThreadCpuTime();

    var thrown =
        catchThrowable(
            () -> expressions.evaluate(new Expression("JavaScript", source), "Object", scope));

    assertThat(thrown).hasMessageContaining("longer than PT0.2S");
    assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - started))
        .describedAs("processor time, which is what the limit counts")
        .isLessThan(Duration.ofSeconds(3));
  }

  @Test
  void each_limit_has_its_own_message() {
    assertThat(message("while (true);")).contains("instructions (expressions.instructions-max)");
    assertThat(message("'x'.repeat(2 ** 30)"))
        .contains("a string of more than 8388608 characters (expressions.string-chars-max)");
    assertThat(message("new Array(1e9).fill(0)"))
        .contains("bytes allocated (expressions.allocation-bytes-max)");
    assertThat(message("'x'.repeat(2 << 20)"))
        .contains("a value of more than 1048576 characters (expressions.result-chars-max)");
    assertThat(message("var a = []; while (true) a.push('x' + 'y'.repeat(1 << 20))"))
        .contains("bytes allocated (expressions.allocation-bytes-max)");
    assertThat(message("function f() { return f() + 1 } f()"))
        .contains("stack depth (expressions.stack-depth-max)");
  }

  @Test
  void strings_that_grow_as_scripts_grow_them_are_no_attack() {
    assertThat(
            run(
                """
                var text = '', o = { t: '' }, back = '', line = 'a line of a page of text';
                for (var i = 0; i < 3000; i++) {
                  text += line + i + '\\n'; o.t += `${i}: ${line}`; back = line + back;
                }
                [text.length, o.t.length, back.length].join()
                """))
        .isEqualTo("85890,88890,72000");
    assertThat(run("1 + 2 + '3' + null + undefined + true + [1, [2]] + ({})"))
        .isEqualTo("33nullundefinedtrue1,2[object Object]");
    assertThat(run("var d = new Date(0); (d + 1).length + (+d + 1)")).isEqualTo(35L);
    assertThat(run("var s = 0; for (var i = 0; i < 20000; i++) s = s + i; s"))
        .isEqualTo(199990000L);
  }

  @Test
  void what_is_spread_or_walked_is_what_it_was() {
    assertThat(
            run(
                """
                var names = [], it = { [Symbol.iterator]() {
                  var n = 0; return { next: () => ({ done: ++n > 3, value: n }) } } };
                for (var k in 'ab') names.push(k);
                for (var k in { a: 1, b: 2 }) names.push(k);
                for (var k in null) names.push(k);
                [...it, ...'xy', ...[7]].concat(Array.from(it, x => x * 2), names,
                  Object.keys('ab'), Object.values({ ...'pq', r: 1 }),
                  Object.values(Object.fromEntries(new Map([['k', 5]]))),
                  [...new Set([1, 2]).union({ size: 1, has: x => x == 3, keys: () => [3][Symbol.iterator]() })],
                  [...new Map([[1, 2]])].length, [...function* () { yield 8 }()]).join()
                """))
        .isEqualTo("1,2,3,x,y,7,2,4,6,0,1,a,b,0,1,p,q,1,5,1,2,3,1,8");
  }

  @Test
  void a_message_names_no_place_in_memory() {
    assertThat(message("[1](2)")).contains("not a function").doesNotContain("@");
  }

  private String message(String source) {
    return String.valueOf(catchThrowable(() -> run(source)).getMessage());
  }
}
