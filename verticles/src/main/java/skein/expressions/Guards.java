package skein.expressions;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * Puts a guard before every built-in function. The interpreter counts what scripts do, but one call
 * of a built-in may do any amount of work and make a value of any size: so the size of what it is
 * given is counted first, and where its result can be larger than that, the result's.
 */
final class Guards {
  private static final Set<String> STATIC_STRING = Set.of("fromCharCode", "fromCodePoint");
  private static final Set<String> STATIC_ARRAY = Set.of("from", "of", "isArray");

  /** Make many small objects, or several characters, of one character. */
  private static final Set<String> AMPLIFIERS =
      Set.of(
          "String.split",
          "String.match",
          "String.matchAll",
          "global.encodeURI",
          "global.encodeURIComponent",
          "global.escape");

  /** Rhino compares it and leaves its counted matcher if it is another function. */
  private static final String FAST_PATH = "RegExp.exec";

  /** Take a pattern first. */
  private static final Set<String> MATCHERS =
      Set.of(
          "String.match",
          "String.matchAll",
          "String.replace",
          "String.replaceAll",
          "String.search",
          "String.split");

  /** They, and what would find them, lead around the guards of {@link #MATCHERS}. */
  private static final Set<String> SYMBOLS =
      Set.of(
          "for",
          "keyFor",
          "isConcatSpreadable",
          "match",
          "matchAll",
          "replace",
          "search",
          "species",
          "split");

  private static final Set<String> SEARCHES =
      Set.of(
          "Array.includes",
          "Array.indexOf",
          "Array.lastIndexOf",
          "String.includes",
          "String.indexOf",
          "String.lastIndexOf",
          "String.replace",
          "String.replaceAll",
          "String.split");

  /** Change their first argument, or the fourth. */
  private static final Set<String> CHANGERS =
      Set.of(
          "static Object.assign",
          "static Object.defineProperties",
          "static Object.defineProperty",
          "static Object.freeze",
          "static Object.preventExtensions",
          "static Object.seal",
          "static Object.setPrototypeOf",
          "Reflect.defineProperty",
          "Reflect.deleteProperty",
          "Reflect.preventExtensions",
          "Reflect.set",
          "Reflect.setPrototypeOf");

  private static final int RECEIVER = 3;

  /** Without a function Rhino names the argument by where it is in memory. */
  private static final Set<String> NEED_FUNCTION =
      Set.of(
          "Array.every",
          "Array.filter",
          "Array.find",
          "Array.findIndex",
          "Array.findLast",
          "Array.findLastIndex",
          "Array.flatMap",
          "Array.forEach",
          "Array.map",
          "Array.reduce",
          "Array.reduceRight",
          "Array.some",
          "Map.forEach",
          "Set.forEach");

  /** May also be given nothing. */
  private static final Set<String> TAKE_FUNCTION = Set.of("Array.sort", "Array.toSorted");

  private static final Set<String> STATEFUL =
      Set.of("Array", "Date", "Map", "RegExp", "Set", "WeakMap", "WeakSet");

  private static final int COMPARED_PER_INSTRUCTION = 100;

  private static final List<String> CONSTRUCTORS =
      List.of(
          "Array", "Boolean", "Date", "Error", "Map", "Number", "Object", "RegExp", "Set", "String",
          "Symbol", "WeakMap", "WeakSet");

  private final Realm realm;
  private final List<ScriptableObject> iterators;
  private final Scriptable patternPrototype;
  private final Scriptable arrayPrototype;
  private final Scriptable arrayConstructor;

  /**
   * @param iterators the prototypes of all that iterate
   */
  Guards(Realm realm, List<ScriptableObject> iterators) {
    this.realm = realm;
    this.iterators = iterators;
    this.arrayConstructor = realm.member("Array");
    this.arrayPrototype = realm.member("Array", "prototype");
    this.patternPrototype = realm.member("RegExp", "prototype");
  }

  void install() {
    prune(realm.member("String"), STATIC_STRING);
    prune(realm.member("Array"), STATIC_ARRAY);
    SYMBOLS.forEach(name -> remove(realm.member("Symbol"), name));
    remove(realm.member("Object"), "getOwnPropertySymbols");
    remove(realm.member("Object"), "getOwnPropertyDescriptors");
    remove(realm.member("Reflect"), "ownKeys");
    remove(realm.member("Object", "prototype"), "__proto__");
    remove(realm.member("RegExp", "prototype"), "compile");
    remove(realm.member("Error"), "captureStackTrace");
    for (var name : CONSTRUCTORS) {
      guardMembers("static " + name, realm.member(name));
      guardMembers(name, realm.member(name, "prototype"));
    }
    for (var name : List.of("Math", "JSON", "Reflect")) {
      guardMembers(name, realm.member(name));
    }
    guardMembers("global", realm.scope());
    for (var name : List.of("apply", "bind", "toString")) {
      guard("Function", realm.member("Function", "prototype"), name);
    }
    guardIterators();
  }

  private static void prune(ScriptableObject constructor, Set<String> kept) {
    for (var id : constructor.getAllIds()) {
      if (id instanceof String name
          && !kept.contains(name)
          && constructor.get(name, constructor) instanceof Function) {
        remove(constructor, name);
      }
    }
  }

  private static void remove(ScriptableObject holder, String name) {
    if (holder.has(name, holder)) {
      holder.setAttributes(name, ScriptableObject.EMPTY);
      holder.delete(name);
    }
  }

  private void guardMembers(String group, ScriptableObject holder) {
    for (var id : holder.getAllIds()) {
      if (id instanceof String name && isMethod(name)) {
        guard(group, holder, name);
      }
    }
  }

  private static String path(String group, String name) {
    return group + "." + name;
  }

  private static boolean isMethod(String name) {
    return !name.isEmpty() && Character.isLowerCase(name.charAt(0));
  }

  private void guard(String group, ScriptableObject holder, String name) {
    if (name.equals("constructor")
        || name.equals("prototype")
        || name.equals("eval")
        || path(group, name).equals(FAST_PATH)
        || !(Native.data(holder, name) instanceof Function target)) {
      return;
    }
    holder.defineProperty(
        name, guarded(path(group, name), name, target), ScriptableObject.DONTENUM);
  }

  private void guardIterators() {
    for (var iterator : iterators) {
      guard("Iterator", iterator, "next");
    }
  }

  private Native guarded(String path, String name, Function target) {
    var arity =
        target instanceof org.mozilla.javascript.BaseFunction function ? function.getLength() : 0;
    return new Native(
        realm.scope(),
        name,
        arity,
        (evaluation, self, arguments) -> {
          var call = call(evaluation, path, self, arguments);
          measure(evaluation.budget(), path, call);
          var result =
              target.call(
                  Context.getCurrentContext(), evaluation.globals(), call.self, call.arguments);
          if (result instanceof CharSequence text) {
            evaluation.budget().string(text.length());
          }
          return result;
        });
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Call(@Nullable Scriptable self, Object[] arguments) {}

  private Call call(
      Evaluation evaluation, String path, @Nullable Scriptable self, Object[] arguments) {
    if (path.startsWith("String.")) {
      return plain(evaluation, path, self, arguments);
    }
    var ofArray = path.startsWith("static Array.");
    return new Call(ofArray ? arrayConstructor : self, arguments.clone());
  }

  /** Script code that makes text of an object runs here and not again inside the built-in. */
  private Call plain(
      Evaluation evaluation, String path, @Nullable Scriptable self, Object[] arguments) {
    if (self == null || Undefined.isUndefined(self)) {
      throw ScriptRuntime.typeError("a method of String was called on nothing");
    }
    var text = ScriptRuntime.toCharSequence(self);
    evaluation.budget().string(text.length());
    var plain = arguments.clone();
    for (var i = 0; i < plain.length; i++) {
      var keeps =
          MATCHERS.contains(path) && (i == 0 ? isPattern(plain[i]) : plain[i] instanceof Callable);
      if (plain[i] instanceof Scriptable object && !Undefined.isUndefined(object) && !keeps) {
        plain[i] = ScriptRuntime.toCharSequence(object);
      }
    }
    return new Call(ScriptRuntime.toObject(evaluation.globals(), text), plain);
  }

  /** A regular expression whose matching is Rhino's own, which counts, and not a script's. */
  private boolean isPattern(Object value) {
    return value instanceof ScriptableObject object
        && object.getClassName().equals("RegExp")
        && patternPrototype.equals(object.getPrototype())
        && !object.has("exec", object)
        && !object.has("constructor", object);
  }

  private void measure(Budget budget, String path, Call call) {
    refuseSealed(path, call);
    var first = Native.argument(call.arguments, 0);
    var needed = TAKE_FUNCTION.contains(path) && !Undefined.isUndefined(first);
    if ((needed || NEED_FUNCTION.contains(path)) && !(first instanceof Callable)) {
      throw ScriptRuntime.typeError(path + " needs a function");
    }
    var size = size(budget, call.self);
    var total = size;
    var longest = size;
    for (var argument : call.arguments) {
      var argumentSize = size(budget, argument);
      total += argumentSize;
      longest = Math.max(longest, argumentSize);
    }
    if (AMPLIFIERS.contains(path)) {
      budget.elements(longest);
    }
    if (SEARCHES.contains(path)) {
      comparisons(budget, call, size);
    }
    switch (path) {
      case "String.repeat" -> budget.string((long) (size * number(call, 0)));
      case "String.padStart", "String.padEnd" -> budget.string((long) number(call, 0));
      case "String.concat" -> budget.string(total);
      case "String.normalize", "String.localeCompare" -> budget.elements(100 * total);
      case "Array.concat" -> budget.elements(total);
      case "String.replace", "String.replaceAll" -> boundReplacement(budget, call, size);
      default -> {}
    }
  }

  /**
   * A seal keeps scripts from assigning to a built-in object, but not these functions from changing
   * it, nor one that a class of the script's own makes a built-in function fill.
   */
  private void refuseSealed(String path, Call call) {
    var group = path.substring(0, path.indexOf('.'));
    if (CHANGERS.contains(path)) {
      refuseSealed(Native.argument(call.arguments, 0));
      refuseSealed(Native.argument(call.arguments, RECEIVER));
    } else if (STATEFUL.contains(group)) {
      refuseSealed(call.self);
    }
    if (call.self instanceof NativeArray array
        && group.equals("Array")
        && (array.has("constructor", array) || !arrayPrototype.equals(array.getPrototype()))) {
      throw ScriptRuntime.typeError("an array of a class of its own");
    }
  }

  private static void refuseSealed(@Nullable Object value) {
    if (value instanceof ScriptableObject object && object.isSealed()) {
      throw ScriptRuntime.typeError("a built-in object cannot be changed");
    }
  }

  /** Looking for one long text in another, or in many, compares each place of it. */
  private static void comparisons(Budget budget, Call call, long size) {
    if (call.arguments.length > 0 && call.arguments[0] instanceof CharSequence text) {
      budget.spend(size * text.length() / COMPARED_PER_INSTRUCTION);
    }
  }

  /** The number is put back so that the built-in cannot read another one. */
  private static double number(Call call, int index) {
    if (index >= call.arguments.length) {
      return 0;
    }
    var number = ScriptRuntime.toNumber(call.arguments[index]);
    call.arguments[index] = number;
    return Double.isNaN(number) ? 0 : number;
  }

  /** Text is bounded at once; of a function each answer is counted as it comes. */
  private void boundReplacement(Budget budget, Call call, long size) {
    if (call.arguments.length < 2) {
      return;
    }
    if (call.arguments[1] instanceof Callable replacer) {
      call.arguments[1] = counted(replacer);
      return;
    }
    var replacement = ScriptRuntime.toString(call.arguments[1]);
    call.arguments[1] = replacement;
    var each = replacement.length() * (replacement.indexOf('$') < 0 ? 1.0 : size / 2.0 + 1);
    budget.string((long) ((size + 1) * each));
  }

  private Native counted(Callable replacer) {
    var made = new long[1];
    return new Native(
        realm.scope(),
        "",
        0,
        (evaluation, self, arguments) -> {
          var context = Context.getCurrentContext();
          var text =
              ScriptRuntime.toString(replacer.call(context, evaluation.globals(), self, arguments));
          made[0] += text.length();
          evaluation.budget().string(made[0]);
          return text;
        });
  }

  /** The length that a built-in will see; it is bounded here. */
  private static long size(Budget budget, @Nullable Object value) {
    return switch (value) {
      case CharSequence text -> {
        budget.string(text.length());
        yield text.length();
      }
      case NativeArray array -> {
        budget.elements(array.getLength());
        yield array.getLength();
      }
      case Callable _ -> 0;
      case ScriptableObject object -> lengthMember(budget, object);
      case null, default -> 0;
    };
  }

  /** A length that can differ from one reading to the next cannot be bounded. */
  private static long lengthMember(Budget budget, ScriptableObject object) {
    for (Scriptable holder = object; holder != null; holder = holder.getPrototype()) {
      if (holder.has("length", holder)) {
        var length = holder.get("length", holder);
        if (length instanceof Scriptable
            || (holder instanceof ScriptableObject plain && Native.isComputed(plain, "length"))) {
          throw ScriptRuntime.typeError("a built-in function needs a plain length");
        }
        var size = (long) ScriptRuntime.toNumber(length);
        if (object.getClassName().equals("String")) {
          budget.string(size);
        } else {
          budget.elements(size);
        }
        return size;
      }
    }
    return 0;
  }
}
