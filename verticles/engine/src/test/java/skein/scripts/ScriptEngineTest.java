package skein.scripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptEngineTest {
  private static final int MEMORY_BYTES_MAX = 32 << 20;

  private static final String PRELUDE =
      """
      (function (call) {
        const stringify = JSON.stringify, parse = JSON.parse;
        globalThis.get = name => parse(call(1, name));
        Math.random = () => Number(call(2, ''));
        return value => stringify(value === undefined ? null : value) ?? 'null';
      })
      """;

  private static final ScriptEngine ENGINE = engine();

  private static ScriptEngine engine() {
    try {
      return new ScriptEngine(
          new ScriptEngineLimits(MEMORY_BYTES_MAX, 160_000, 1 << 29, 1 << 20), PRELUDE);
    } catch (ScriptException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends an evaluation after a number of looks, as processor time would. */
  private static final class Host implements ScriptHost {
    private int checks;

    @Override
    public @Nullable String call(int function, String argument) {
      return switch (function) {
        case 1 -> {
          if (argument.equals("Nobody")) {
            throw new RefusalException("there is no variable " + argument);
          }
          if (argument.equals("Nothing")) {
            yield null;
          }
          yield "{\"name\":\"" + argument + "\",\"n\":41}";
        }
        default -> "0.25";
      };
    }

    @Override
    public void check() {
      if (++checks > 2_000) {
        throw new Ended();
      }
    }

    @Override
    public long epochMillis() {
      return 1_767_323_045_000L;
    }
  }

  private static final class Ended extends RuntimeException {
    Ended() {
      super("ended", null, false, false);
    }
  }

  private static String run(String source) throws ScriptException {
    return ENGINE.run(ENGINE.compile(source), new Host());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          1 + 1                                                        | 2
          get('a').n + 1                                               | 42
          `${get('Jo').name}, ${[[1, 2]].map(([, v]) => v)}`           | "Jo, 2"
          [[1, 2]].map(([, v]) => v)                                   | [2]
          var f = []; for (let i = 0; i < 3; i++) f.push(() => i); f.map(g => g()) | [0,1,2]
          try { null.x } catch { 7 }                                   | 7
          class A { #x = 3; get x() { return this.#x } } new A().x     | 3
          Math.max(...[1, 5, 2])                                       | 5
          const { a, ...rest } = { a: 1, b: 2, c: 3 }; rest            | {"b":2,"c":3}
          undefined                                                    | null
          new Date().toISOString()                                     | "2026-01-02T03:04:05.000Z"
          [Math.random(), Date.now()]                                  | [0.25,1767323045000]
          new Date(2026, 5, 1).getTimezoneOffset()                     | 0
          'grün \\u{1F600}'                                             | "grün 😀"
          """)
  void scripts_have_the_language_and_what_the_host_gives(String source, String expected)
      throws ScriptException {
    assertThat(run(source)).isEqualTo(expected);
  }

  @Test
  void an_error_says_what_and_where() {
    assertThatThrownBy(() -> run("let x = 1;\n  null.foo"))
        .isInstanceOfSatisfying(
            ScriptException.class,
            e -> {
              assertThat(e).hasMessage("TypeError: cannot read property 'foo' of null");
              assertThat(e.line()).isEqualTo(2);
              assertThat(e.column()).isPositive();
            });
    assertThatThrownBy(() -> run("1;\nlet y = ;"))
        .isInstanceOfSatisfying(
            ScriptException.class,
            e -> {
              assertThat(e.getMessage()).startsWith("SyntaxError");
              assertThat(e.line()).isEqualTo(2);
            });
    assertThatThrownBy(() -> run("get('Nobody')"))
        .hasMessage("TypeError: there is no variable Nobody");
    assertThatThrownBy(() -> run("throw { toString() { throw 1 } }"))
        .hasMessage("the script threw an object");
  }

  @Test
  void nothing_of_one_evaluation_is_seen_by_the_next() throws ScriptException {
    run(
        """
        var secret = 'of A'; JSON.stringify = () => 'evil'; Object.prototype.evil = 1;
        Object.getOwnPropertyDescriptor(Symbol.prototype, 'description').get.secret = 'of A';
        Array.prototype.map = null; Array = 5; globalThis.get = null; Symbol.for('evil'); /(e)/.test('evil');
        """);

    assertThat(
            run(
                """
                [typeof secret, typeof Array, ({}).evil, typeof [].map, typeof get, RegExp.$1,
                 Object.getOwnPropertyDescriptor(Symbol.prototype, 'description').get.secret].join()
                """))
        .isEqualTo("\"undefined,function,,function,function,,\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Object.keys(new String('a'.repeat(16000000))).length",
        "Object.entries('a'.repeat(16000000)).length",
        "var n = 0; for (k in 'a'.repeat(1e7)) n++; n",
        "new Array(1e8).fill(0)",
        "Array.from({ length: 1e9 })",
        "'x'.repeat(2 ** 29)",
        "'x'.padStart(2 ** 29)",
        "var s = 'x'; while (true) s += s",
        "new Uint8Array(1e9)",
        "class A extends Array {} new A(1e9).fill(1)",
        "Array(1e5).fill('x'.repeat(1e4)).join().length",
        "function f() { return f() + 1 } f()",
        "JSON.parse('['.repeat(1e6))",
        "eval('('.repeat(1e6))",
        "new RegExp('('.repeat(1e5))",
      })
  void what_a_script_makes_has_no_room_outside_its_memory(String source) throws ScriptException {
    assertThatThrownBy(() -> run(source)).isInstanceOf(Exception.class);
    assertThat(run("1 + 1")).isEqualTo("2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while (true);",
        "try { for (;;); } catch (e) {} finally { for (;;); }",
        "/(a+)+$/.test('a'.repeat(40) + 'b')",
        "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
        "var it = { [Symbol.iterator]() { return { next() { return { done: false } } } } }; [...it]",
        "var a = []; a.length = 4294967295; a.join()",
        "('a' + '\\u0315\\u0300'.repeat(100000)).normalize('NFC').length",
        "for (;;) +('0x' + 'f'.repeat(16e6))",
      })
  void an_interrupt_ends_whatever_a_script_does(String source) throws Exception {
    var script = ENGINE.compile(source);
    var evaluating = Thread.currentThread();
    var done = new java.util.concurrent.CountDownLatch(1);
    var watchdog =
        Thread.ofPlatform()
            .start(() -> {
              try {
                if (!done.await(300, java.util.concurrent.TimeUnit.MILLISECONDS)) {
                  evaluating.interrupt();
                }
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    try {
      assertThatThrownBy(() -> ENGINE.run(script, new Host())).isInstanceOf(Exception.class);
    } finally {
      done.countDown();
      watchdog.join();
      Thread.interrupted();
    }
    assertThat(run("1 + 1")).isEqualTo("2");
  }
}
