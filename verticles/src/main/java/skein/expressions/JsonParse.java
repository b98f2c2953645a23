package skein.expressions;

import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/** {@code JSON.parse}, which makes of a text what {@link CopyIn} makes of its value. */
final class JsonParse {
  private final Evaluation evaluation;
  private final Callable reviver;
  private int depth;

  private JsonParse(Evaluation evaluation, Callable reviver) {
    this.evaluation = evaluation;
    this.reviver = reviver;
  }

  static @Nullable Object call(
      Evaluation evaluation, @Nullable Scriptable self, Object[] arguments) {
    var text = ScriptRuntime.toCharSequence(Native.argument(arguments, 0));
    evaluation.budget().elements(text.length());
    var value = evaluation.in(parsed(text.toString()));
    if (!(Native.argument(arguments, 1) instanceof Callable reviver)) {
      return value;
    }
    var root = Context.getCurrentContext().newObject(evaluation.globals());
    root.put("", root, value);
    return new JsonParse(evaluation, reviver).revived(root, "", value);
  }

  private static @Nullable Object parsed(String text) {
    try {
      return JsonText.parse(text);
    } catch (IllegalArgumentException e) {
      throw ScriptRuntime.constructError("SyntaxError", String.valueOf(e.getMessage()));
    }
  }

  private @Nullable Object revived(Scriptable holder, String name, @Nullable Object value) {
    if (++depth > CopyIn.DEPTH_MAX) {
      throw new Budget.Exceeded("a value nested deeper than " + CopyIn.DEPTH_MAX + " levels");
    }
    switch (value) {
      case NativeArray array -> items(array);
      case Scriptable object when !Undefined.isUndefined(object) -> members(object);
      case null, default -> {}
    }
    depth--;
    return reviver.call(
        Context.getCurrentContext(), evaluation.globals(), holder, new Object[] {name, value});
  }

  private void items(NativeArray array) {
    evaluation.budget().elements(array.getLength());
    for (var i = 0; i < array.getLength(); i++) {
      array.put(i, array, revived(array, Integer.toString(i), array.get(i, array)));
    }
  }

  private void members(Scriptable object) {
    for (var id : object.getIds()) {
      var name = id.toString();
      var value = revived(object, name, ScriptableObject.getProperty(object, name));
      if (Undefined.isUndefined(value)) {
        ScriptableObject.deleteProperty(object, name);
      } else {
        ScriptableObject.putProperty(object, name, value);
      }
    }
  }
}
