package skein.expressions;

import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The view of templates on a scope: {@code Variables}, {@code Input}, {@code Output} and the ids of
 * the workflow, by Elsa's names. It is read-only.
 */
final class LiquidScope {
  private final Scope scope;
  private final Map<String, String> configuration;

  LiquidScope(Scope scope, Map<String, String> configuration) {
    this.scope = scope;
    this.configuration = configuration;
  }

  Scope scope() {
    return scope;
  }

  /** Null where a template may not name it. */
  @Nullable Object root(String name) {
    var workflow = scope.workflow();
    return switch (name) {
      case "Variables" -> new Members(this::variable, this::variables);
      case "Input" -> new Members(new ScopeNames(scope)::input, scope::inputs);
      case "Output" -> new Members(activity -> new Outputs(scope, activity), LiquidScope::none);
      case "Configuration" -> new Members(this::configured, LiquidScope::none);
      case "LastResult" -> scope.lastResult();
      case "CorrelationId" -> workflow.correlationId();
      case "WorkflowInstanceId" -> workflow.instanceId();
      case "WorkflowInstanceName" -> workflow.name();
      case "WorkflowDefinitionId" -> workflow.definitionId();
      case "WorkflowDefinitionVersionId" -> workflow.versionId();
      case "WorkflowDefinitionVersion" -> (long) workflow.version();
      default -> null;
    };
  }

  private @Nullable Object variable(String name) {
    for (var variable : scope.variables()) {
      if (variable.name().equals(name)) {
        return scope.variable(variable.id());
      }
    }
    return null;
  }

  private Map<String, @Nullable Object> variables() {
    var all = new LinkedHashMap<String, @Nullable Object>();
    for (var variable : scope.variables()) {
      all.putIfAbsent(variable.name(), scope.variable(variable.id()));
    }
    return all;
  }

  /** A name that is not allowed is an error and not an empty text, which would go unseen. */
  private String configured(String name) {
    var value = configuration.get(name);
    if (value == null) {
      throw new IllegalArgumentException(Evaluation.notConfigured(name));
    }
    return value;
  }

  private static Map<String, @Nullable Object> none() {
    return new LinkedHashMap<>();
  }

  interface ByName {
    @Nullable Object get(String name);
  }

  interface All {
    Map<String, @Nullable Object> get();
  }

  /** Looks one name up without copying the others. */
  static class Members extends AbstractMap<String, @Nullable Object> {
    private final ByName byName;
    private final All all;

    Members(ByName byName, All all) {
      this.byName = byName;
      this.all = all;
    }

    @Override
    public @Nullable Object get(@Nullable Object name) {
      return byName.get(String.valueOf(name));
    }

    @Override
    public Set<Entry<String, @Nullable Object>> entrySet() {
      return all.get().entrySet();
    }
  }

  /** The outputs of one activity; by itself it stands for its result. */
  static final class Outputs extends Members {
    private final Scope scope;
    private final String activity;

    Outputs(Scope scope, String activity) {
      super(output -> scope.outputFrom(activity, output), LiquidScope::none);
      this.scope = scope;
      this.activity = activity;
    }

    @Nullable Object result() {
      return scope.outputFrom(activity, null);
    }
  }
}
