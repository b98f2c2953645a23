package skein.expressions;

import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.EcmaError;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.TopLevel;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.UniqueTag;

/** A function of ours that scripts may call; not a constructor. */
final class Native extends BaseFunction {
  /** Runs inside an evaluation; arguments that were not given are not in the array. */
  interface Body {
    @Nullable Object call(Evaluation evaluation, @Nullable Scriptable self, Object[] arguments);
  }

  private final String name;
  private final int arity;
  private final transient Body body;

  Native(Scriptable scope, String name, int arity, Body body) {
    super(
        scope,
        TopLevel.getBuiltinPrototype(
            ScriptableObject.getTopLevelScope(scope), TopLevel.Builtins.Function));
    this.name = name;
    this.arity = arity;
    this.body = body;
  }

  @Override
  public @Nullable Object call(
      Context context, Scriptable scope, Scriptable self, Object[] arguments) {
    var evaluation = Sandbox.evaluation(context);
    if (evaluation == null) {
      throw new IllegalStateException(name + " was called outside an evaluation");
    }
    evaluation.budget().enterNative();
    try {
      return body.call(evaluation, self, arguments);
    } finally {
      evaluation.budget().leaveNative();
    }
  }

  @Override
  public Scriptable construct(Context context, Scriptable scope, Object[] arguments) {
    throw ScriptRuntime.typeError(name + " is not a constructor");
  }

  @Override
  public String getFunctionName() {
    return name;
  }

  @Override
  public int getLength() {
    return arity;
  }

  @Override
  public int getArity() {
    return arity;
  }

  /** Whether a look-up found nothing, which is not the same as finding undefined. */
  static boolean isAbsent(@Nullable Object value) {
    return value == UniqueTag.NOT_FOUND;
  }

  /** Whether reading the member would run a function. */
  static boolean isComputed(ScriptableObject object, String name) {
    var getter = object.getGetterOrSetter(name, 0, object, false);
    return getter != null && !Undefined.isUndefined(getter);
  }

  /** The member's value; null where it is a getter, of a script or of Rhino's own. */
  static @Nullable Object data(ScriptableObject object, String name) {
    if (isComputed(object, name)) {
      return null;
    }
    try {
      return object.get(name, object);
    } catch (EcmaError _) { // a getter for instances was asked on their prototype
      return null;
    }
  }

  static Object argument(Object[] arguments, int index) {
    return index < arguments.length ? arguments[index] : Undefined.instance;
  }
}
