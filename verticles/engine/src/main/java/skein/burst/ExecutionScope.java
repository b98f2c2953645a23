package skein.burst;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.SearchText;
import skein.activities.VariableDeclaration;
import skein.activities.WorkflowActivity;
import skein.expressions.Expressions;
import skein.expressions.Scope;

/**
 * The values that are visible from one execution: its own variables, then those of its ancestors.
 */
final class ExecutionScope implements Scope {
  private final RunState state;
  private final Execution execution;

  ExecutionScope(RunState state, Execution execution) {
    this.state = state;
    this.execution = execution;
  }

  /**
   * Sets a variable from outside, the one of this id or name that is nearest to the root, unless
   * the value exceeds what the burst may hold; false when there is none.
   */
  static boolean modify(RunState state, String variableId, @Nullable Object value) {
    for (var execution : state.executions.all()) {
      if (new ExecutionScope(state, execution).setVariable(variableId, value)) {
        state.journal.add(execution, Journal.MODIFIED, variableId);
        return true;
      }
    }
    return false;
  }

  /** What {@link #modify} would set; null when there is no such variable. */
  static @Nullable Found nearestToRoot(RunState state, String idOrName) {
    for (var execution : state.executions.all()) {
      var found = new ExecutionScope(state, execution).find(idOrName);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** A variable, and the execution that has its value. */
  record Found(Execution owner, VariableDeclaration variable) {}

  private @Nullable Execution parent(Execution of) {
    return state.executions.get(of.parent);
  }

  /**
   * Variables of a used workflow are for what is in it, not for the one who says how it is used.
   */
  private List<VariableDeclaration> declared(Execution owner) {
    if (owner == execution && isUse(owner)) {
      return owner.parent == 0 ? state.graph.variables() : List.of();
    }
    if (owner.parent != 0) {
      return owner.node.variables();
    }
    if (owner.node.variables().isEmpty()) {
      return state.graph.variables();
    }
    var all = new ArrayList<>(owner.node.variables());
    all.addAll(state.graph.variables());
    return all;
  }

  /** The declared ones, then those that a parent gave when it scheduled the execution. */
  private List<VariableDeclaration> variablesOf(Execution owner) {
    var all = new ArrayList<>(declared(owner));
    Set<String> ids = new LinkedHashSet<>();
    all.forEach(variable -> ids.add(variable.id()));
    if (owner == execution && isUse(owner)) {
      owner.node.variables().forEach(variable -> ids.add(variable.id()));
    }
    for (var id : owner.variables.keySet()) {
      if (!ids.contains(id)) {
        all.add(new VariableDeclaration(id, id, "Object", null));
      }
    }
    return all;
  }

  private static boolean isUse(Execution owner) {
    return owner.node.activity() instanceof WorkflowActivity;
  }

  /** The innermost workflow that has it is meant; in that, an id is meant before any name. */
  private @Nullable Found find(String idOrName) {
    Execution from = execution;
    while (from != null) {
      var last = lastWithin(from);
      var found = find(idOrName, from, last);
      if (found != null) {
        return found;
      }
      from = parent(last);
    }
    return null;
  }

  /** The outermost execution of the same workflow: the use that it is, or the root. */
  private Execution lastWithin(Execution from) {
    var at = from;
    for (var next = parent(at);
        next != null && (at == execution || !isUse(at));
        next = parent(at)) {
      at = next;
    }
    return at;
  }

  private @Nullable Found find(String idOrName, Execution from, Execution last) {
    var end = parent(last);
    for (Execution at = from; at != null && at != end; at = parent(at)) {
      for (var variable : declared(at)) {
        if (variable.id().equals(idOrName)) {
          return new Found(at, variable);
        }
      }
    }
    for (Execution at = from; at != null && at != end; at = parent(at)) {
      for (var variable : variablesOf(at)) {
        if (variable.name().equals(idOrName)) {
          return new Found(at, variable);
        }
      }
    }
    return null;
  }

  /** All visible variables of that id or name, those that are hidden by others too. */
  List<Found> matching(String idOrName) {
    var matching = new ArrayList<Found>();
    for (Execution at = execution; at != null; at = parent(at)) {
      var ids = new HashSet<String>();
      for (var variable : variablesOf(at)) {
        if ((variable.id().equals(idOrName) || variable.name().equals(idOrName))
            && ids.add(variable.id())) {
          matching.add(new Found(at, variable));
        }
      }
    }
    return matching;
  }

  @Override
  public List<VariableInfo> variables() {
    var visible = new ArrayList<VariableInfo>();
    for (Execution at = execution; at != null; at = parent(at)) {
      for (var variable : variablesOf(at)) {
        visible.add(new VariableInfo(variable.id(), variable.name(), variable.typeName()));
      }
    }
    return visible;
  }

  @Override
  public @Nullable Object variable(String idOrName) {
    var found = find(idOrName);
    if (found == null) {
      return null;
    }
    var id = found.variable.id();
    var values = found.owner.variables;
    return values.containsKey(id) ? values.get(id) : found.variable.defaultValue();
  }

  @Override
  public boolean setVariable(String idOrName, @Nullable Object value) {
    var found = find(idOrName);
    if (found == null) {
      return false;
    }
    set(found, Expressions.convert(value, found.variable.typeName()));
    return true;
  }

  /**
   * Where an output goes: a variable, or else an output of the workflow; what the innermost
   * workflow has of either hides what is further out. An object or a list stays what it is in a
   * variable for text.
   */
  void bind(String target, @Nullable Object value) {
    var user = state.executions.user(execution);
    var declared =
        user != null
            && user.node.activity() instanceof WorkflowActivity use
            && use.hasOutput(target);
    var found = declared ? find(target, execution, lastWithin(execution)) : find(target);
    if (found == null) {
      workflowOutput(target, value);
    } else {
      restore(found, value);
    }
  }

  /** Sets it to a value that it had before. An object or a list in a text variable stays so. */
  void restore(Found found, @Nullable Object value) {
    var converted = Expressions.convert(value, found.variable.typeName());
    var structured = value instanceof Map || value instanceof List;
    set(found, structured && converted instanceof String ? value : converted);
  }

  /** Sets an output of the innermost workflow around this execution. */
  void workflowOutput(String name, @Nullable Object value) {
    if (!state.usage.mayHold(value)) {
      return;
    }
    var user = state.executions.user(execution);
    if (user == null) {
      state.instance.output.put(name, value);
    } else {
      WorkflowActivity.setOutput(user.memory, name, value);
    }
  }

  private void set(Found found, @Nullable Object value) {
    if (state.usage.mayHold(value)) {
      found.owner.variables.put(found.variable.id(), value);
      execution.noted().variables().put(found.variable.name(), value);
    }
  }

  @Override
  public Map<String, @Nullable Object> inputs() {
    var user = state.executions.user(execution);
    return user == null ? state.instance.input : WorkflowActivity.input(user.memory);
  }

  @Override
  public @Nullable Object outputFrom(String activityIdOrName, @Nullable String output) {
    var activity = state.graph.visible(execution.node.nodeId(), activityIdOrName);
    return activity == null
        ? null
        : state.instance.outputsOf(activity).get(output == null ? "Result" : output);
  }

  @Override
  public @Nullable Object lastResult() {
    return state.instance.lastResult();
  }

  @Override
  public WorkflowInfo workflow() {
    var ref = state.graph.ref();
    return new WorkflowInfo(
        state.id.value(),
        ref.definitionId(),
        ref.versionId(),
        ref.version(),
        state.instance.correlationId,
        state.instance.name);
  }

  @Override
  public void setCorrelationId(@Nullable String correlationId) {
    state.instance.correlationId = SearchText.optional("correlationId", correlationId);
  }

  @Override
  public void setName(@Nullable String name) {
    state.instance.name = SearchText.optional("name", name);
  }

  @Override
  public void setOutcomes(List<String> outcomes) {
    execution.outcomes = List.copyOf(outcomes);
  }

  @Override
  public Link eventLink(String eventName, @Nullable Object until) {
    return state.links.toEvent(eventName, until);
  }

  @Override
  public Link bookmarkLink(String bookmarkIdOrActivity, @Nullable Object until) {
    return state.links.toBookmark(state.links.find(bookmarkIdOrActivity, execution), until);
  }

  @Override
  public Instant now() {
    return state.in.now();
  }

  @Override
  public long random() {
    return state.random();
  }
}
