package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No evaluation leaves anything for the next, which runs in the same realm. */
class IsolationTest {
  /** Tries to change every member of every object that can be reached, in every way. */
  private static final String VANDAL =
      """
      var generator = function* () {};
      var names = Object.getOwnPropertyNames, proto = Object.getPrototypeOf;
      var open = [proto(this), proto(generator), proto(proto(generator())),
        proto([][Symbol.iterator]()), proto(''[Symbol.iterator]()), proto('a'.matchAll(/a/g)),
        proto(new Map()[Symbol.iterator]()), proto(new Set()[Symbol.iterator]())];
      var keys = [Symbol.iterator, Symbol.toStringTag, Symbol.hasInstance, Symbol.toPrimitive,
        Symbol.unscopables, 'evil', 0, 'length', 'name', 'prototype', 'constructor', '__proto__'];
      var seen = new Set(), changed = [], tried = 0;
      function tryAll(attempts) {
        for (var i = 0; i < attempts.length; i++) try { attempts[i]() } catch (e) {}
      }
      function read(o, k) { try { return o[k] } catch (e) { return 'threw' } }
      while (open.length) {
        var o = open.pop();
        if (o === null || typeof o !== 'object' && typeof o !== 'function' || seen.has(o)) continue;
        seen.add(o);
        var all = names(o).concat(keys);
        for (var j = 0; j < all.length; j++) {
          var k = all[j], before = read(o, k), d = null;
          try { d = Object.getOwnPropertyDescriptor(o, k) } catch (e) {}
          if (d && 'value' in d) open.push(d.value);
          tried++;
          tryAll([() => { o[k] = 'evil' }, () => { delete o[k] },
            () => Object.defineProperty(o, k, { value: 'evil' }),
            () => Object.defineProperty(o, k, { get() { return 'evil' } }),
            () => Object.defineProperties(o, { [k]: { value: 'evil' } }),
            () => Reflect.defineProperty(o, k, { value: 'evil' }),
            () => Object.assign(o, { [k]: 'evil' }), () => o.__defineGetter__(k, () => 'evil'),
            () => Reflect.set(o, k, 'evil'), () => Reflect.set({}, k, 'evil', o),
            () => Reflect.deleteProperty(o, k), () => { (function () { this[k] = 'evil' }).call(o) }]);
          if (!Object.is(before, read(o, k))) changed.push(String(k));
        }
        tryAll([() => Object.setPrototypeOf(o, { evil: 1 }), () => { o.__proto__ = { evil: 1 } },
          () => Reflect.setPrototypeOf(o, { evil: 1 }), () => Object.freeze(o),
          () => Object.preventExtensions(o), () => Array.prototype.push.call(o, 'evil'),
          () => Array.prototype.splice.call(o, 0, 1, 'evil'), () => Array.prototype.fill.call(o, 1)]);
        if (o.evil) changed.push('prototype');
        open.push(proto(o));
      }
      [tried > 500, changed.join()]
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
  void nothing_built_in_can_be_changed() {
    assertThat(run(VANDAL)).isEqualTo(List.of(true, ""));
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
