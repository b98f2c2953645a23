package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No evaluation leaves anything for the next, which runs in the same engine. */
class IsolationTest {
  /** Names every object that can be reached, with its members. */
  private static final String REACHED =
      """
      const describe = Object.getOwnPropertyDescriptor, proto = Object.getPrototypeOf;
      const generator = function* () {}, asynchronous = async function () {};
      const open = [globalThis, proto(proto(globalThis)), proto(generator), proto(generator()), proto(asynchronous),
        proto(asynchronous()), proto([][Symbol.iterator]()), proto(''[Symbol.iterator]()), proto('a'.matchAll(/a/g)),
        proto(new Map()[Symbol.iterator]()), proto(new Set()[Symbol.iterator]())];
      const seen = new Set(), found = [];
      while (open.length) {
        const o = open.pop();
        if (o === null || typeof o !== 'object' && typeof o !== 'function' || seen.has(o)) continue;
        seen.add(o);
        const line = [typeof o, Object.isExtensible(o)];
        for (const k of Reflect.ownKeys(o)) {
          const d = describe(o, k);
          const own = ['describe', 'proto', 'generator', 'asynchronous', 'open', 'seen', 'found'].includes(k);
          if (own) continue;
          line.push(String(k), typeof d.value, d.writable, d.enumerable, d.configurable);
          if (typeof d.value !== 'object' && typeof d.value !== 'function') line.push(String(d.value));
          open.push(d.value, d.get, d.set);
        }
        open.push(proto(o));
        found.push(line.join());
      }
      """;

  /** Tries to change every member of every one, in every way. */
  private static final String VANDAL =
      REACHED
          + """
          const { ownKeys, defineProperty, deleteProperty, setPrototypeOf } = Reflect, { freeze } = Object;
          const all = [...seen], members = all.map(o => ownKeys(o));
          let done = 0;
          for (let i = all.length - 1; i >= 0; i--) {
            for (let j = 0; j < members[i].length; j++) {
              try { all[i][members[i][j]] = 'evil' } catch {}
              try { deleteProperty(all[i], members[i][j]) } catch {}
              try { defineProperty(all[i], members[i][j], { __proto__: null, value: 'evil' }) } catch {}
            }
            try { all[i].evil = 'evil' } catch {}
            try { setPrototypeOf(all[i], null) } catch {}
            try { freeze(all[i]) } catch {}
            done++;
          }
          done
          """;

  private final FakeScope scope = new FakeScope().with("Count", 1L);
  private final Expressions expressions =
      new Expressions(
          new ExpressionLimits(
              Duration.ofMinutes(1), 500_000_000, 4L << 30, 256, 1 << 20, 64 << 10),
          System::nanoTime);

  private Object run(String source) {
    var value = expressions.evaluate(new Expression("JavaScript", source), "Object", scope);
    return value == null ? "null" : value;
  }

  @Test
  void whatever_a_script_does_to_built_in_objects_is_undone() {
    var before = run(REACHED + "found");

    assertThat(run(VANDAL)).asString().matches("[0-9]{3,}");

    assertThat((List<?>) before).hasSizeGreaterThan(300);
    assertThat(run(REACHED + "found")).isEqualTo(before);
  }

  @Test
  void globals_of_one_script_are_not_seen_by_the_next() {
    run(
        "leak1 = 1; var leak2 = 2; this.leak3 = 3; globalThis.leak4 = 4; Array = 5; Object = null;");

    assertThat(run("[typeof leak1, typeof leak2, typeof leak3, typeof leak4, typeof Array].join()"))
        .isEqualTo("undefined,undefined,undefined,undefined,function");
  }

  @Test
  void the_state_of_built_in_objects_is_not_seen_by_the_next() {
    run(
        """
        var attempts = [
          () => Array.from.call(function () { return Object.prototype }, ['evil']),
          () => { var C = function () { return Object.prototype }; Object.setPrototypeOf(C, Array);
                  var a = [1]; a.constructor = C; a.map(x => 'evil') },
          () => Array.prototype.push('evil'), () => Date.prototype.setTime(5),
          () => RegExp.prototype.compile('evil'), () => Error.captureStackTrace(Object.prototype),
          () => { Error.prepareStackTrace = () => 'evil' }, () => { 'evil'.replace(/(e)/, 'x') },
          () => { with (Object.prototype) { evil = 1 } },
          () => { for (Object.prototype.evil in { a: 1 }); }, () => Symbol.for('evil')];
        for (var i = 0; i < attempts.length; i++) try { attempts[i]() } catch (e) {}
        """);

    assertThat(
            run(
                """
                [({}).evil, ({})[0], [][0], Array.prototype.length, Object.prototype.stack,
                 RegExp.prototype.source === 'evil', Error.prepareStackTrace, RegExp.$1].join('/')
                """))
        .isEqualTo("///0//false//");
  }

  @Test
  void what_a_descriptor_shows_keeps_nothing_for_the_next() {
    var accessors =
        """
        var found = [Object.getOwnPropertyDescriptor(Symbol.prototype, 'description'),
          Object.getOwnPropertyDescriptor(RegExp, 'input'),
          Object.getOwnPropertyDescriptor(RegExp, '$1'),
          Object.getOwnPropertyDescriptor(RegExp.prototype, 'flags'),
          Object.getOwnPropertyDescriptor(Map.prototype, 'size')];
        found.map(d => d && d.get).filter(f => f)
        """;
    run(
        accessors
            + """
            .forEach(f => {
              try { f.secret = 'of A' } catch (e) {}
              try { f.prototype.secret = 'of A' } catch (e) {}
            })
            """);

    assertThat(
            run(
                accessors
                    + """
                    .map(f => typeof f.secret + (f.prototype ? typeof f.prototype.secret : ''))
                      .filter(t => t.indexOf('string') >= 0).join()
                    """))
        .isEqualTo("");
    assertThat(run("Symbol('a').description + Object.keys(RegExp).length + typeof RegExp.$1"))
        .isEqualTo("a0undefined");
  }

  @Test
  void an_object_of_a_script_may_still_have_members_named_like_built_in_ones() {
    assertThat(
            run(
                """
                var o = {}; o.toString = () => 'mine'; o.constructor = 1;
                var a = []; a.map = 3;
                '' + o + a.map + o.constructor + ({ valueOf() { return 4 } } + 1)
                """))
        .isEqualTo("mine315");
  }

  @Test
  void what_the_scope_holds_is_never_shared_with_a_script() {
    var list = new java.util.ArrayList<Object>(List.of(1L));
    scope.with("List", list);

    run("getList().push(2)");

    assertThat(list).containsExactly(1L);
    assertThat(scope.variables).containsEntry("List", List.of(1L, 2L));
  }
}
