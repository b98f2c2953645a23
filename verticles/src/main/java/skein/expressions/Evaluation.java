package skein.expressions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;
import skein.expressions.Scope.VariableInfo;

/**
 * One evaluation: what it sees of the scope, and what it has asked to change. Changes reach the
 * scope when the script has ended well, so a script that fails changes nothing.
 */
final class Evaluation {
  private final Realm realm;
  private final Scope scope;
  private final Budget budget;
  private final Map<String, String> configuration;
  private final Globals globals;
  private final Map<String, Held> held = new LinkedHashMap<>();
  private @Nullable Pending<String> correlationId;
  private @Nullable Pending<String> name;
  private @Nullable List<String> outcomes;

  private record Pending<T>(@Nullable T value) {}

  /** A variable as the script holds it. */
  private static final class Held {
    final @Nullable Object original;
    @Nullable Object current;
    boolean assigned;

    Held(@Nullable Object original, @Nullable Object current) {
      this.original = original;
      this.current = current;
    }
  }

  Evaluation(Realm realm, Scope scope, Budget budget, Map<String, String> configuration) {
    this.realm = realm;
    this.scope = scope;
    this.budget = budget;
    this.configuration = configuration;
    this.globals = new Globals(realm, this);
  }

  Realm realm() {
    return realm;
  }

  Scope scope() {
    return scope;
  }

  Budget budget() {
    return budget;
  }

  /** Null where a script may not read it. */
  @Nullable String configured(String name) {
    return configuration.get(name);
  }

  Globals globals() {
    return globals;
  }

  /** The nearest variable of that name, else the one with that id. */
  @Nullable VariableInfo find(String nameOrId) {
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

  /** One object for one variable throughout, so that what a script does to it is seen again. */
  @Nullable Object get(VariableInfo variable) {
    return hold(variable).current;
  }

  void set(VariableInfo variable, @Nullable Object value) {
    var holder = hold(variable);
    holder.current = value;
    holder.assigned = true;
  }

  private Held hold(VariableInfo variable) {
    var known = held.get(variable.id());
    if (known != null) {
      return known;
    }
    var original = scope.variable(variable.id());
    var holder = new Held(original, in(original));
    held.put(variable.id(), holder);
    return holder;
  }

  @Nullable String correlationId() {
    return correlationId == null ? scope.workflow().correlationId() : correlationId.value;
  }

  @Nullable String name() {
    return name == null ? scope.workflow().name() : name.value;
  }

  void setCorrelationId(@Nullable String value) {
    correlationId = new Pending<>(value);
  }

  void setName(@Nullable String value) {
    name = new Pending<>(value);
  }

  void setOutcomes(List<String> value) {
    outcomes = List.copyOf(value);
  }

  @Nullable Object in(@Nullable Object value) {
    return new CopyIn(globals, budget).copy(value);
  }

  @Nullable Object out(Context context, @Nullable Object value) {
    return new CopyOut(context, this).copy(value);
  }

  /** Everything is converted before anything is set. */
  void commit(Context context) {
    var changes = new ArrayList<Runnable>();
    for (var entry : held.entrySet()) {
      var holder = entry.getValue();
      if (!holder.assigned && !(holder.current instanceof Scriptable)) {
        continue;
      }
      var value = out(context, holder.current);
      if (holder.assigned || !Numbers.sameJson(holder.original, value)) {
        changes.add(() -> set(entry.getKey(), value));
      }
    }
    changes.forEach(Runnable::run);
    if (correlationId != null) {
      scope.setCorrelationId(correlationId.value);
    }
    if (name != null) {
      scope.setName(name.value);
    }
    if (outcomes != null) {
      scope.setOutcomes(outcomes);
    }
  }

  private void set(String variableId, @Nullable Object value) {
    if (!scope.setVariable(variableId, value)) {
      throw new IllegalStateException(
          "a variable that the scope lists cannot be set: " + variableId);
    }
  }
}
