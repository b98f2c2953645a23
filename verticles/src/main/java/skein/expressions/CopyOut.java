package skein.expressions;

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
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;

/**
 * Script values to JSON values. {@code undefined}, NaN and the infinities become null, a date its
 * ISO-8601 text; functions and symbols are left out of objects and are null elsewhere. Getters run,
 * on the evaluation's budget; {@code toJSON}, {@code toString} and {@code valueOf} are not asked.
 */
final class CopyOut {
  private static final int OTHER_CHARS = 8;

  private final Context context;
  private final Evaluation evaluation;
  private final Set<Object> path = Collections.newSetFromMap(new IdentityHashMap<>());
  private long chars;

  CopyOut(Context context, Evaluation evaluation) {
    this.context = context;
    this.evaluation = evaluation;
  }

  @Nullable Object copy(@Nullable Object value) {
    charge(OTHER_CHARS);
    return switch (value) {
      case null -> null;
      case Boolean bool -> bool;
      case Number number -> Numbers.out(number.doubleValue());
      case CharSequence text -> text(text);
      case Symbol _ -> null;
      case Function _ -> null;
      case NativeArray array -> nested(array);
      case Scriptable object -> object(object);
      default -> Undefined.isUndefined(value) ? null : unknown(value);
    };
  }

  private @Nullable Object object(Scriptable object) {
    return switch (object.getClassName()) {
      case "Date" -> evaluation.realm().isoText(context, evaluation.globals(), object);
      case "String" -> text(ScriptRuntime.toCharSequence(object));
      case "Number", "Boolean" ->
          copy(evaluation.realm().unboxed(context, evaluation.globals(), object));
      default -> Undefined.isUndefined(object) ? null : nested(object);
    };
  }

  private Object nested(Scriptable object) {
    if (!path.add(object)) {
      throw ScriptRuntime.typeError("a cyclic value cannot leave a script");
    }
    if (path.size() > CopyIn.DEPTH_MAX) {
      throw new Budget.Exceeded("a value nested deeper than " + CopyIn.DEPTH_MAX + " levels");
    }
    var copy = object instanceof NativeArray array ? list(array) : map(object);
    path.remove(object);
    return copy;
  }

  private List<@Nullable Object> list(NativeArray array) {
    var length = array.getLength();
    evaluation.budget().elements(length);
    var list = new ArrayList<@Nullable Object>((int) length);
    for (var i = 0; i < length; i++) {
      var item = array.get(i, array);
      list.add(Native.isAbsent(item) ? null : copy(item));
    }
    return list;
  }

  private Map<String, @Nullable Object> map(Scriptable object) {
    var map = new LinkedHashMap<String, @Nullable Object>();
    for (var id : object.getIds()) {
      if (!(id instanceof String || id instanceof Number)) {
        continue;
      }
      var value =
          id instanceof String name
              ? object.get(name, object)
              : object.get(((Number) id).intValue(), object);
      if (Native.isAbsent(value) || value instanceof Function || value instanceof Symbol) {
        continue;
      }
      map.put(text(id.toString()), copy(value));
    }
    return map;
  }

  private String text(CharSequence text) {
    charge(text.length());
    return text.toString();
  }

  private void charge(int more) {
    evaluation.budget().spend(1);
    chars += more;
    var max = evaluation.budget().limits().resultCharsMax();
    if (chars > max) {
      throw new Budget.Exceeded(
          "a value of more than " + max + " characters (expressions.result-chars-max)");
    }
  }

  private static Object unknown(Object value) {
    throw new IllegalStateException("a script made a " + value.getClass().getName());
  }
}
