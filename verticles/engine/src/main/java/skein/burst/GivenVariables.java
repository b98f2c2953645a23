package skein.burst;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.VariableDeclaration;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Values that the caller who starts a workflow gives to its variables, by name. */
final class GivenVariables {
  private final Map<String, VariableDeclaration> declared = new LinkedHashMap<>();

  GivenVariables(Graph graph) {
    var all = new ArrayList<>(graph.variables());
    all.addAll(graph.root().variables());
    all.forEach(variable -> declared.put(variable.name(), variable));
  }

  /** As an execution keeps them. What nothing declares is kept by its name. */
  Map<String, @Nullable Object> byId(Map<String, @Nullable Object> byName) {
    var byId = new LinkedHashMap<String, @Nullable Object>();
    byName.forEach((name, value) -> {
      var variable = declared.get(name);
      byId.put(variable == null ? name : variable.id(), converted(variable, value));
    });
    return byId;
  }

  private static @Nullable Object converted(
      @Nullable VariableDeclaration variable, @Nullable Object value) {
    if (variable == null) {
      return value;
    }
    try {
      return Expressions.convert(value, variable.typeName());
    } catch (ExpressionException e) {
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST,
          "Variable "
              + variable.name()
              + " is not a "
              + variable.typeName()
              + ": "
              + e.getMessage());
    }
  }
}
