package skein.expressions;

import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.TopLevel;

/** The object {@code variables}: a member per variable in scope; members cannot be added. */
final class Variables extends ScriptableObject {
  private final transient Evaluation evaluation;

  Variables(Evaluation evaluation, Scriptable scope) {
    super(scope, TopLevel.getBuiltinPrototype(scope, TopLevel.Builtins.Object));
    this.evaluation = evaluation;
  }

  @Override
  public @Nullable Object get(String name, Scriptable start) {
    var variable = evaluation.find(name);
    return variable == null ? super.get(name, start) : evaluation.get(variable);
  }

  @Override
  public boolean has(String name, Scriptable start) {
    return evaluation.find(name) != null || super.has(name, start);
  }

  @Override
  public void put(String name, Scriptable start, Object value) {
    var variable = evaluation.find(name);
    if (variable == null) {
      throw ScriptRuntime.constructError("ReferenceError", "there is no variable " + name);
    }
    evaluation.set(variable, value);
  }

  @Override
  public void delete(String name) {
    if (evaluation.find(name) != null) {
      throw ScriptRuntime.typeError("the variable " + name + " cannot be deleted");
    }
    super.delete(name);
  }

  @Override
  public Object[] getIds() {
    return evaluation.scope().variables().stream()
        .map(Scope.VariableInfo::name)
        .distinct()
        .toArray();
  }

  @Override
  public String getClassName() {
    return "Object";
  }
}
