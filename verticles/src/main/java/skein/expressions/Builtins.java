package skein.expressions;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * Built-in functions of our own: those that would read a clock or a random source, and those whose
 * result cannot be bounded from outside.
 */
final class Builtins {
  private static final int CASE_CHARS = 64;

  private Builtins() {}

  static void install(Realm realm) {
    CountedCompiler.install(realm);
    installDate(realm);
    realm.define(
        realm.member("Math"),
        "random",
        0,
        (evaluation, _, _) -> (evaluation.scope().random() >>> 11) * 0x1.0p-53);
    var array = realm.member("Array", "prototype");
    realm.define(array, "join", 1, Builtins::join);
    realm.define(array, "toString", 0, (run, self, _) -> join(run, self, new Object[0]));
    realm.define(array, "toLocaleString", 0, (run, self, _) -> join(run, self, new Object[0]));
    realm.define(array, "flat", 0, Builtins::flat);
    installSort(realm, array);
    realm.define(realm.member("JSON"), "stringify", 3, Stringify::call);
    realm.define(realm.member("JSON"), "parse", 2, JsonParse::call);
    var string = realm.member("String", "prototype");
    for (var name : List.of("toUpperCase", "toLocaleUpperCase")) {
      realm.define(string, name, 0, (run, self, _) -> upperCase(run.budget(), text(run, self)));
    }
    for (var name : List.of("toLowerCase", "toLocaleLowerCase")) {
      realm.define(string, name, 0, (run, self, _) -> lowerCase(text(run, self)));
    }
  }

  private static void installDate(Realm realm) {
    var original = (BaseFunction) realm.member("Date");
    var date = new Dates(realm.scope(), original);
    for (var name : new String[] {"parse", "UTC"}) {
      date.defineProperty(name, original.get(name, original), ScriptableObject.DONTENUM);
    }
    realm.define(date, "now", 0, (evaluation, _, _) -> now(evaluation));
    realm
        .member("Date", "prototype")
        .defineProperty("constructor", date, ScriptableObject.DONTENUM);
    realm.scope().defineProperty("Date", date, ScriptableObject.DONTENUM);
  }

  static double now(Evaluation evaluation) {
    return evaluation.scope().now().toEpochMilli();
  }

  /** The constructor Date with the burst's clock. */
  private static final class Dates extends BaseFunction {
    private final BaseFunction original;

    Dates(Scriptable scope, BaseFunction original) {
      super(scope, original.getPrototype());
      this.original = original;
      setImmunePrototypeProperty(original.getPrototypeProperty());
    }

    @Override
    public Object call(Context context, Scriptable scope, Scriptable self, Object[] arguments) {
      return ScriptRuntime.toString(construct(context, scope, ScriptRuntime.emptyArgs));
    }

    @Override
    public Scriptable construct(Context context, Scriptable scope, Object[] arguments) {
      var evaluation = Sandbox.evaluation(context);
      if (arguments.length > 0 || evaluation == null) {
        return original.construct(context, scope, arguments);
      }
      return original.construct(context, scope, new Object[] {now(evaluation)});
    }

    @Override
    public String getFunctionName() {
      return "Date";
    }

    @Override
    public int getLength() {
      return 7;
    }
  }

  /** Without a comparator the texts of the elements are compared, here where it is counted. */
  private static void installSort(Realm realm, ScriptableObject array) {
    var original = (Function) array.get("sort", array);
    var byText =
        new Native(
            realm.scope(),
            "",
            2,
            (run, _, arguments) ->
                text(run, Native.argument(arguments, 0))
                    .compareTo(text(run, Native.argument(arguments, 1))));
    realm.define(
        array,
        "sort",
        1,
        (run, self, arguments) -> {
          var given = Native.argument(arguments, 0);
          return original.call(
              Context.getCurrentContext(),
              run.globals(),
              self,
              new Object[] {Undefined.isUndefined(given) ? byText : given});
        });
  }

  private static String text(Evaluation evaluation, @Nullable Object value) {
    var text = ScriptRuntime.toCharSequence(value == null ? Undefined.instance : value);
    evaluation.budget().string(text.length());
    return text.toString();
  }

  /** In pieces, because the JDK copies the whole text for each letter that becomes two. */
  private static String upperCase(Budget budget, String text) {
    var upper = new StringBuilder(text.length());
    for (var start = 0; start < text.length(); ) {
      var end = Math.min(text.length(), start + CASE_CHARS);
      if (end < text.length() && Character.isLowSurrogate(text.charAt(end))) {
        end++;
      }
      upper.append(text.substring(start, end).toUpperCase(Locale.ROOT));
      start = end;
      budget.spend(CASE_CHARS);
    }
    return upper.toString();
  }

  /** The one letter that becomes two goes first, for the same reason. */
  private static String lowerCase(String text) {
    return text.replace("\u0130", "i\u0307").toLowerCase(Locale.ROOT);
  }

  /** Nested arrays come back here through toString, so a cycle ends at the depth of calls. */
  private static Object join(Evaluation evaluation, @Nullable Scriptable self, Object[] arguments) {
    if (!(self instanceof NativeArray array)) {
      throw ScriptRuntime.typeError("join needs an array");
    }
    var given = Native.argument(arguments, 0);
    var separator = Undefined.isUndefined(given) ? "," : ScriptRuntime.toString(given);
    var budget = evaluation.budget();
    budget.elements(array.getLength());
    var text = new StringBuilder();
    for (var i = 0; i < array.getLength(); i++) {
      var item = array.get(i, array);
      if (i > 0) {
        text.append(separator);
      }
      if (item != null && !Native.isAbsent(item) && !Undefined.isUndefined(item)) {
        text.append(ScriptRuntime.toCharSequence(item));
      }
      budget.spend(1);
      if (text.length() > budget.stringMax()) {
        budget.string(text.length());
      }
    }
    budget.string(text.length());
    return text.toString();
  }

  private static Object flat(Evaluation evaluation, @Nullable Scriptable self, Object[] arguments) {
    if (!(self instanceof NativeArray array)) {
      throw ScriptRuntime.typeError("flat needs an array");
    }
    var given = Native.argument(arguments, 0);
    var depth = Undefined.isUndefined(given) ? 1 : ScriptRuntime.toNumber(given);
    var items = new ArrayList<@Nullable Object>();
    Set<Object> path = Collections.newSetFromMap(new IdentityHashMap<>());
    flatten(evaluation.budget(), array, depth, items, path);
    return Context.getCurrentContext().newArray(evaluation.globals(), items.toArray());
  }

  private static void flatten(
      Budget budget,
      NativeArray array,
      double depth,
      List<@Nullable Object> items,
      Set<Object> path) {
    budget.elements(array.getLength());
    if (!path.add(array) || path.size() > CopyIn.DEPTH_MAX) {
      throw new Budget.Exceeded("an array nested too deep");
    }
    for (var i = 0; i < array.getLength(); i++) {
      var item = array.get(i, array);
      if (item instanceof NativeArray nested && depth >= 1) {
        flatten(budget, nested, depth - 1, items, path);
      } else if (!Native.isAbsent(item)) {
        items.add(item);
      }
    }
    budget.elements(items.size() / 16);
    path.remove(array);
  }
}
