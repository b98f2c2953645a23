package skein.graph;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.activities.Input;
import skein.activities.Json;
import skein.activities.Output;
import skein.activities.VariableDeclaration;
import skein.activities.WorkflowActivity;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.graph.Graph.ActivationStrategy;
import skein.graph.Graph.IncidentStrategy;
import skein.graph.Graph.InputDeclaration;
import skein.model.WorkflowDefinition;

/**
 * Reads what a workflow or a container declares: variables, inputs, outputs, outcomes, strategies.
 */
final class Declarations {
  private final Consumer<String> problem;

  /** {@code problem}: takes a sentence for each thing that is wrong. */
  Declarations(Consumer<String> problem) {
    this.problem = problem;
  }

  /**
   * Those without a name are {@code Variable1}, {@code Variable2} and so on, as in Elsa.
   *
   * @param where what a sentence about a variable begins with
   */
  List<VariableDeclaration> variables(Map<String, @Nullable Object> json, String where) {
    var declared = new ArrayList<VariableDeclaration>();
    var unnamed = 0;
    for (var item : Json.list(json.get("variables"))) {
      var variable = Json.object(item);
      if (variable == null) {
        continue;
      }
      var given = Json.text(variable, "name");
      var name = given == null || given.isBlank() ? "Variable" + ++unnamed : given;
      var id = Json.text(variable, "id");
      var type = typeName(variable, "typeName");
      declared.add(
          new VariableDeclaration(
              id == null ? name : id,
              name,
              type,
              value(variable.get("value"), type, where + " variable " + name)));
    }
    return declared;
  }

  List<InputDeclaration> inputs(WorkflowDefinition definition) {
    var declared = new ArrayList<InputDeclaration>();
    var seen = new HashSet<String>();
    var twice = new LinkedHashSet<String>();
    for (var item : Json.list(definition.json().get("inputs"))) {
      var input = Json.object(item);
      var name = input == null ? null : Json.text(input, "name");
      if (input == null || name == null) {
        continue;
      }
      if (!seen.add(name)) {
        twice.add(name);
        continue;
      }
      var type = typeName(input, "type");
      declared.add(
          new InputDeclaration(
              name, type, value(input.get("defaultValue"), type, "The workflow input " + name)));
    }
    if (!twice.isEmpty()) {
      problem.accept(
          "The following inputs are defined more than once: " + String.join(", ", twice));
    }
    return declared;
  }

  /** The definition as an activity. */
  WorkflowActivity activity(WorkflowDefinition definition, String typeName) {
    var inputs =
        inputs(definition).stream()
            .map(input -> Input.declared(input.name(), input.typeName(), input.defaultValue()))
            .toList();
    var outputs = new ArrayList<Output>();
    for (var item : Json.list(definition.json().get("outputs"))) {
      var output = Json.object(item);
      var name = output == null ? null : Json.text(output, "name");
      if (output != null && name != null) {
        outputs.add(new Output(name, typeName(output, "type")));
      }
    }
    var outcomes = new ArrayList<String>();
    for (var item : Json.list(definition.json().get("outcomes"))) {
      if (item instanceof String outcome && !outcome.isBlank()) {
        outcomes.add(outcome);
      }
    }
    return new WorkflowActivity(definition, typeName, inputs, outputs, outcomes);
  }

  /** Elsa writes the name of a class: {@code …SingletonStrategy, Elsa.Workflows.Runtime}. */
  static ActivationStrategy activationStrategy(WorkflowDefinition definition) {
    var name = option(definition, "activationStrategyType");
    if (name == null) {
      return ActivationStrategy.ALLOW_ALWAYS;
    }
    if (name.contains("CorrelatedSingleton")) {
      return ActivationStrategy.CORRELATED_SINGLETON;
    }
    if (name.contains("Singleton")) {
      return ActivationStrategy.SINGLETON;
    }
    return name.contains("Correlation")
        ? ActivationStrategy.CORRELATION
        : ActivationStrategy.ALLOW_ALWAYS;
  }

  private static @Nullable String option(WorkflowDefinition definition, String member) {
    var options = Json.object(definition.json().get("options"));
    return options == null ? null : Json.text(options, member);
  }

  static IncidentStrategy incidentStrategy(WorkflowDefinition definition) {
    var name = option(definition, "incidentStrategyType");
    if (name == null) {
      return IncidentStrategy.FAULT;
    }
    if (name.contains("ContinueWithIncidents")) {
      return IncidentStrategy.CONTINUE;
    }
    return name.contains("Suspend") ? IncidentStrategy.SUSPEND : IncidentStrategy.FAULT;
  }

  private static String typeName(Map<String, @Nullable Object> json, String member) {
    var type = Json.text(json, member);
    var element = type == null ? "Object" : type;
    var array = Boolean.TRUE.equals(json.get("isArray")) && !element.endsWith("[]");
    return array ? element + "[]" : element;
  }

  /** A default may be wrapped as an expression in newer files; only literals make sense there. */
  private @Nullable Object value(@Nullable Object given, String type, String where) {
    var wrapped = Json.object(given);
    var value = wrapped != null && wrapped.containsKey("expression") ? literal(wrapped) : given;
    try {
      return Expressions.convert(value, type);
    } catch (ExpressionException e) {
      problem.accept(where + " has a wrong default: " + e.quoting());
      return null;
    }
  }

  private static @Nullable Object literal(Map<String, @Nullable Object> wrapped) {
    var expression = Json.object(wrapped.get("expression"));
    return expression == null ? null : expression.get("value");
  }
}
