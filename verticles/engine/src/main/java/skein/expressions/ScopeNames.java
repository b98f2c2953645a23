package skein.expressions;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.expressions.Scope.VariableInfo;

/** The meaning of names in a script. */
final class ScopeNames {
  private static final String FROM = "From";

  private final Scope scope;

  ScopeNames(Scope scope) {
    this.scope = scope;
  }

  /** The nearest variable of that name, else the one with that id. */
  @Nullable VariableInfo variable(String nameOrId) {
    VariableInfo byId = null;
    for (var variable : scope.variables()) {
      if (variable.name().equals(nameOrId)) {
        return variable;
      }
      if (byId == null && variable.id().equals(nameOrId)) {
        byId = variable;
      }
    }
    return byId;
  }

  /** Letter case does not matter where no input has exactly that name. */
  @Nullable Object input(String name) {
    var inputs = scope.inputs();
    if (inputs.containsKey(name)) {
      return inputs.get(name);
    }
    for (var input : inputs.entrySet()) {
      if (input.getKey().equalsIgnoreCase(name)) {
        return input.getValue();
      }
    }
    return null;
  }

  /**
   * The variable of {@code getCount} or {@code setCount}, given without the first three letters.
   */
  @Nullable VariableInfo variableOf(String subject) {
    for (var variable : scope.variables()) {
      if (matches(variable.name(), subject)) {
        return variable;
      }
    }
    return null;
  }

  /** An input hides a variable of that name. */
  Map.@Nullable Entry<String, @Nullable Object> inputOf(String subject) {
    for (var input : scope.inputs().entrySet()) {
      if (matches(input.getKey(), subject)) {
        return input;
      }
    }
    return null;
  }

  /** The name itself is tried first because it costs nothing. */
  private static boolean matches(String name, String subject) {
    return name.equals(subject)
        || (name.length() >= subject.length() && ScriptName.of(name).equals(subject));
  }

  /** Whatever else has "From" in it names an output. */
  static boolean isOutput(String subject) {
    return subject.indexOf(FROM) >= 1;
  }

  /** {@code ResultFromAdder}; "From" may also be part of either name. */
  @Nullable Object outputOf(String subject) {
    for (var at = subject.indexOf(FROM); at > 0; at = subject.indexOf(FROM, at + 1)) {
      var activity = subject.substring(at + FROM.length());
      var value = scope.outputFrom(activity, subject.substring(0, at));
      if (value != null) {
        return value;
      }
    }
    return null;
  }
}
