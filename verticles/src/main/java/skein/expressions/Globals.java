package skein.expressions;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.TopLevel;
import org.mozilla.javascript.Undefined;
import skein.expressions.Scope.VariableInfo;

/**
 * The global object of one evaluation. What it does not have itself it finds in the sealed realm;
 * the getters and setters that Elsa makes for each variable, input and output are made here when a
 * script first names them.
 */
final class Globals extends TopLevel {
  private static final String FROM = "From";

  private final transient Realm realm;
  private final transient Evaluation evaluation;

  Globals(Realm realm, Evaluation evaluation) {
    this.realm = realm;
    this.evaluation = evaluation;
    setPrototype(realm.scope());
  }

  @Override
  public BaseFunction getBuiltinCtor(TopLevel.Builtins type) {
    return realm.scope().getBuiltinCtor(type);
  }

  @Override
  public Object get(String name, Scriptable start) {
    var own = super.get(name, start);
    return Native.isAbsent(own) ? made(name) : own;
  }

  @Override
  public boolean has(String name, Scriptable start) {
    return super.has(name, start) || !Native.isAbsent(made(name));
  }

  private Object made(String name) {
    return switch (name) {
      case "variables" -> keep(name, new Variables(evaluation, this));
      case "args" -> keep(name, evaluation.in(evaluation.scope().inputs()));
      case "globalThis" -> this;
      default -> accessor(name);
    };
  }

  private Object keep(String name, @Nullable Object value) {
    defineProperty(name, value, ScriptableObject.DONTENUM);
    return value == null ? Undefined.instance : value;
  }

  private Object accessor(String name) {
    if (name.length() < 4 || name.charAt(1) != 'e' || name.charAt(2) != 't') {
      return Scriptable.NOT_FOUND;
    }
    var subject = name.substring(3);
    return switch (name.charAt(0)) {
      case 'g' -> getter(name, subject);
      case 's' -> setter(name, subject);
      default -> Scriptable.NOT_FOUND;
    };
  }

  private Object setter(String name, String subject) {
    var variable = variable(subject);
    if (variable == null) {
      return Scriptable.NOT_FOUND;
    }
    return keep(
        name,
        new Native(
            this,
            name,
            1,
            (run, _, arguments) -> {
              run.set(variable, Native.argument(arguments, 0));
              return Undefined.instance;
            }));
  }

  /** An input hides a variable of that name; whatever else has "From" in it names an output. */
  private Object getter(String name, String subject) {
    var input = input(subject);
    if (input != null) {
      return keep(name, new Native(this, name, 0, (run, _, _) -> run.in(input.getValue())));
    }
    var variable = variable(subject);
    if (variable != null) {
      return keep(name, new Native(this, name, 0, (run, _, _) -> run.get(variable)));
    }
    if (subject.indexOf(FROM) < 1 || realm.scope().has(name, realm.scope())) {
      return Scriptable.NOT_FOUND;
    }
    return keep(name, new Native(this, name, 0, (run, _, _) -> run.in(output(subject))));
  }

  private @Nullable VariableInfo variable(String subject) {
    for (var variable : evaluation.scope().variables()) {
      if (matches(variable.name(), subject)) {
        return variable;
      }
    }
    return null;
  }

  private Map.@Nullable Entry<String, @Nullable Object> input(String subject) {
    for (var input : evaluation.scope().inputs().entrySet()) {
      if (matches(input.getKey(), subject)) {
        return input;
      }
    }
    return null;
  }

  /** The name itself is tried first because it costs nothing. */
  private static boolean matches(String name, String subject) {
    return name.equals(subject)
        || (name.length() >= subject.length() && Expressions.pascal(name).equals(subject));
  }

  /** {@code ResultFromAdder}; "From" may also be part of either name. */
  private @Nullable Object output(String subject) {
    for (var at = subject.indexOf(FROM); at > 0; at = subject.indexOf(FROM, at + 1)) {
      var activity = subject.substring(at + FROM.length());
      var value = evaluation.scope().outputFrom(activity, subject.substring(0, at));
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  @Override
  public String getClassName() {
    return "global";
  }
}
