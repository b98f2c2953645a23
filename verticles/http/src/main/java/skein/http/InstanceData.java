package skein.http;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.VariableDeclaration;
import skein.graph.Graph;
import skein.model.WorkflowInstance;

/**
 * A condition on the data of an instance: a variable or an input that has a value.
 *
 * @param name of the variable or input; what follows a dot is a member of its value
 * @param value as text: a text as it is, a number in any notation, {@code true}, {@code false} or
 *     {@code null}; a list has it when one of its items is it
 * @param number the value as a number; null: it is none
 */
record InstanceData(String name, String value, @Nullable BigDecimal number) {
  static final int NAME_CHARS_MAX = 255;
  static final int VALUE_CHARS_MAX = 1_000;

  /** Each may end the name of a variable or of a member, so all ways to split are tried. */
  static final int DOTS_MAX = 8;

  /** Numbers with more digits, before or behind the point, are compared as no number. */
  private static final int SCALE_MAX = 1_000;

  /** Throws {@code INVALID_REQUEST} for a name or a value that is too long. */
  static InstanceData of(String name, String value) {
    if (name.length() > NAME_CHARS_MAX || name.chars().filter(c -> c == '.').count() > DOTS_MAX) {
      throw BadRequest.of(
          "name has more than %d characters or %d dots".formatted(NAME_CHARS_MAX, DOTS_MAX));
    }
    if (value.length() > VALUE_CHARS_MAX) {
      throw BadRequest.of("value has more than %d characters".formatted(VALUE_CHARS_MAX));
    }
    return new InstanceData(name, value, number(value));
  }

  /** Where a value was found. */
  enum Place {
    VARIABLE,
    INPUT
  }

  /**
   * Where the instance has the value; null: it has not.
   *
   * @param graph names the variables; null: the definition is gone, and ids stand for names
   */
  @Nullable Place find(WorkflowInstance instance, @Nullable Graph graph) {
    for (var execution : instance.executions()) {
      if (!execution.variables().isEmpty()) {
        var names = names(graph, execution.nodeId());
        var named = new HashMap<String, @Nullable Object>();
        execution.variables().forEach((id, held) -> named.put(names.getOrDefault(id, id), held));
        if (has(named, name)) {
          return Place.VARIABLE;
        }
      }
    }
    return has(instance.input(), name) ? Place.INPUT : null;
  }

  /** Names of variables by their ids. */
  private static Map<String, String> names(@Nullable Graph graph, String nodeId) {
    var names = new HashMap<String, String>();
    if (graph != null) {
      add(graph.variables(), names);
      var node = graph.node(nodeId);
      if (node != null) {
        add(node.variables(), names);
      }
    }
    return names;
  }

  private static void add(List<VariableDeclaration> declared, Map<String, String> names) {
    declared.forEach(variable -> names.put(variable.id(), variable.name()));
  }

  private boolean has(Map<?, ?> values, String path) {
    if (values.containsKey(path) && isValue(values.get(path))) {
      return true;
    }
    for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
      if (values.get(path.substring(0, dot)) instanceof Map<?, ?> inner
          && has(inner, path.substring(dot + 1))) {
        return true;
      }
    }
    return false;
  }

  private boolean isValue(@Nullable Object held) {
    return held instanceof List<?> list ? list.stream().anyMatch(this::isScalar) : isScalar(held);
  }

  private boolean isScalar(@Nullable Object held) {
    return switch (held) {
      case null -> value.equals("null");
      case String text -> value.equals(text);
      case Boolean flag -> value.equals(flag.toString());
      case Number number -> isNumber(number);
      default -> false;
    };
  }

  private boolean isNumber(Number held) {
    if (number == null) {
      return false;
    }
    var other = number(held.toString());
    return other != null && other.compareTo(number) == 0;
  }

  private static @Nullable BigDecimal number(String text) {
    try {
      var number = new BigDecimal(text);
      return Math.abs((long) number.scale()) > SCALE_MAX ? null : number;
    } catch (NumberFormatException _) {
      return null;
    }
  }
}
