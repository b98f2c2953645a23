package skein.expressions;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.SymbolKey;
import org.mozilla.javascript.TopLevel;
import skein.expressions.Native.Body;

/**
 * The built-in objects that evaluations share, one after the other, and the scripts compiled for
 * them. Everything reachable is sealed, so no evaluation leaves anything for the next.
 */
final class Realm {
  private static final int SCRIPTS_MAX = 500;

  /** Left out on purpose: Proxy, Promise, BigInt and the typed arrays, which escape the budget. */
  private static final Set<String> KEPT =
      Set.of(
          "Array",
          "Boolean",
          "Date",
          "Error",
          "EvalError",
          "Function",
          "JSON",
          "Map",
          "Math",
          "NaN",
          "Infinity",
          "InternalError",
          "undefined",
          "Number",
          "Object",
          "RangeError",
          "ReferenceError",
          "Reflect",
          "RegExp",
          "Set",
          "String",
          "Symbol",
          "SyntaxError",
          "TypeError",
          "URIError",
          "WeakMap",
          "WeakSet",
          "decodeURI",
          "decodeURIComponent",
          "encodeURI",
          "encodeURIComponent",
          "escape",
          "eval",
          "isFinite",
          "isNaN",
          "parseFloat",
          "parseInt",
          "unescape");

  private static final List<SymbolKey> SYMBOLS =
      List.of(
          SymbolKey.ITERATOR,
          SymbolKey.TO_STRING_TAG,
          SymbolKey.SPECIES,
          SymbolKey.HAS_INSTANCE,
          SymbolKey.TO_PRIMITIVE,
          SymbolKey.MATCH,
          SymbolKey.MATCH_ALL,
          SymbolKey.REPLACE,
          SymbolKey.SEARCH,
          SymbolKey.SPLIT,
          SymbolKey.UNSCOPABLES);

  /** Objects whose prototypes no global name leads to. */
  private static final List<String> HIDDEN =
      List.of(
          "[][Symbol.iterator]()",
          "''[Symbol.iterator]()",
          "new Map()[Symbol.iterator]()",
          "new Set()[Symbol.iterator]()",
          "'a'.matchAll(/a/g)",
          "(function* () {})",
          "(function* () {})()",
          "Object.getPrototypeOf((function* () {})())");

  private final TopLevel scope;
  private final Function isoText;
  private final Function dateTime;
  private final Function numberValue;
  private final Function booleanValue;
  private boolean spoilt;

  private final Map<String, Script> scripts =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Script> eldest) {
          return size() > SCRIPTS_MAX;
        }
      };

  /** Takes some milliseconds. */
  static Realm create(Sandbox sandbox) {
    var context = sandbox.enter(null);
    try {
      return new Realm(context);
    } finally {
      Context.exit();
    }
  }

  private Realm(Context context) {
    scope = new TopLevel();
    context.initSafeStandardObjects(scope, false);
    isoText = (Function) member("Date", "prototype", "toISOString");
    dateTime = (Function) member("Date", "prototype", "getTime");
    numberValue = (Function) member("Number", "prototype", "valueOf");
    booleanValue = (Function) member("Boolean", "prototype", "valueOf");
    var hidden = HIDDEN.stream().map(source -> prototypeOf(context, source)).toList();
    keepOnly(KEPT);
    new Guards(this, hidden).install();
    Builtins.install(this);
    WorkflowFunctions.install(this);
    seal(hidden);
  }

  TopLevel scope() {
    return scope;
  }

  /** A script for text that was seen before costs a look-up. */
  Script script(Context context, String source) {
    var known = scripts.get(source);
    if (known != null) {
      return known;
    }
    var compiled = Source.compile(context, source);
    scripts.put(source, compiled);
    return compiled;
  }

  void spoil() {
    spoilt = true;
  }

  boolean isSpoilt() {
    return spoilt;
  }

  /** Null for a date that is none. */
  @Nullable Object isoText(Context context, Scriptable globals, Scriptable date) {
    var time = dateTime.call(context, globals, date, ScriptRuntime.emptyArgs);
    return Double.isNaN(ScriptRuntime.toNumber(time))
        ? null
        : isoText.call(context, globals, date, ScriptRuntime.emptyArgs);
  }

  Object unboxed(Context context, Scriptable globals, Scriptable box) {
    var valueOf = box.getClassName().equals("Number") ? numberValue : booleanValue;
    return valueOf.call(context, globals, box, ScriptRuntime.emptyArgs);
  }

  /** What a path of names leads to; it must be there. */
  ScriptableObject member(String... path) {
    ScriptableObject holder = scope;
    for (var name : path) {
      if (!(ScriptableObject.getProperty(holder, name) instanceof ScriptableObject next)) {
        throw new IllegalStateException("no " + String.join(".", path));
      }
      holder = next;
    }
    return holder;
  }

  void define(ScriptableObject holder, String name, int arity, Body body) {
    holder.defineProperty(name, new Native(scope, name, arity, body), ScriptableObject.DONTENUM);
  }

  private void keepOnly(Set<String> names) {
    for (var id : scope.getAllIds()) {
      if (id instanceof String name && !names.contains(name)) {
        scope.delete(name);
      }
    }
  }

  private ScriptableObject prototypeOf(Context context, String source) {
    var object = (Scriptable) context.evaluateString(scope, source, "realm", 1, null);
    return (ScriptableObject) object.getPrototype();
  }

  private void seal(List<ScriptableObject> hidden) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    var open = new ArrayDeque<ScriptableObject>();
    open.add(scope);
    open.addAll(hidden);
    while (!open.isEmpty()) {
      var object = open.remove();
      if (seen.add(object)) {
        var parts = parts(object);
        object.sealObject(); // and not preventExtensions, which turns the check for seals off
        parts.forEach(part -> {
          if (part instanceof ScriptableObject next) {
            open.add(next);
          }
        });
      }
    }
  }

  private static List<@Nullable Object> parts(ScriptableObject object) {
    var parts = new ArrayList<@Nullable Object>();
    parts.add(object.getPrototype());
    for (var id : object.getAllIds()) {
      if (id instanceof String name) {
        parts.add(object.getGetterOrSetter(name, 0, object, false));
        parts.add(object.getGetterOrSetter(name, 0, object, true));
        parts.add(Native.data(object, name));
      }
    }
    for (var symbol : SYMBOLS) {
      if (object.has(symbol, object)) {
        parts.add(object.get(symbol, object));
      }
    }
    return parts;
  }
}
