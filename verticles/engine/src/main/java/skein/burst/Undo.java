package skein.burst;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;

/**
 * Remembers what would undo the activities that a scope has completed, and ends scopes by running
 * it backwards.
 *
 * <p>The list lives in the memory of the scope's execution. When a scope completes, its list moves
 * up to its parent; unless something undoes the scope as a whole, which then stands for it.
 */
final class Undo {
  static final String LIST = "$undo";
  private static final String ENDING = "$ending";

  private final RunState state;
  private final Lifecycle lifecycle;
  private final FaultHandlers handlers;

  /** The continuation after a scope has been undone. */
  enum Then {
    HANDLE,
    GO_ON,
    FAULT,
    CANCEL
  }

  private record Step(long at, String nodeId) {}

  Undo(RunState state, Lifecycle lifecycle, FaultHandlers handlers) {
    this.state = state;
    this.lifecycle = lifecycle;
    this.handlers = handlers;
  }

  /** To be called before the execution is closed. */
  void completed(Execution execution) {
    var parent = state.executions.get(execution.parent);
    var by = execution.node.policy().compensatedBy();
    if (parent == null) {
      return;
    }
    var undoing = by == null ? null : parent.node.childById(by);
    var steps =
        undoing == null
            ? steps(execution)
            : List.of(new Step(state.journal.sequence(), undoing.nodeId()));
    if (!steps.isEmpty()) {
      var all = new ArrayList<@Nullable Object>(Json.list(parent.memory.get(LIST)));
      all.addAll(toJson(steps));
      parent.memory.put(LIST, all);
    }
  }

  private static List<Step> steps(Execution execution) {
    if (!execution.memory.containsKey(LIST)) {
      return List.of();
    }
    var steps = new ArrayList<Step>();
    for (var item : Json.list(execution.memory.get(LIST))) {
      var json = Json.object(item);
      if (json != null
          && json.get("at") instanceof Number at
          && json.get("node") instanceof String nodeId) {
        steps.add(new Step(at.longValue(), nodeId));
      }
    }
    return steps;
  }

  /** What was completed below the scope is remembered by the scope itself, which outlives it. */
  void gather(Execution scope) {
    var steps = collect(scope);
    if (!steps.isEmpty()) {
      scope.memory.put(LIST, toJson(steps));
    }
  }

  private static List<@Nullable Object> toJson(List<Step> steps) {
    var json = new ArrayList<@Nullable Object>();
    steps.forEach(step -> json.add(Map.of("at", step.at, "node", step.nodeId)));
    return json;
  }

  /** Whether anything would have to be undone if the scope ended now. */
  boolean hasSteps(Execution scope) {
    return !collect(scope).isEmpty();
  }

  private List<Step> collect(Execution scope) {
    var steps = new ArrayList<>(steps(scope));
    state.executions.below(scope).forEach(execution -> steps.addAll(steps(execution)));
    steps.sort(Comparator.comparingLong(Step::at));
    return steps;
  }

  /** Cancels what still runs in the scope, undoes what it has completed, then continues. */
  void end(Execution scope, Then then, Failure failure) {
    var steps = collect(scope);
    lifecycle.cancelChildren(scope);
    state.bookmarks.burnAll(scope);
    scope.memory.remove(LIST);
    if (steps.isEmpty()) {
      after(scope, then, failure);
      return;
    }
    var ending = Json.members("then", then.name(), "failure", failure.toJson());
    state.usage.mayHold(ending);
    scope.memory.put(ENDING, ending);
    lifecycle.schedule(
        scope.number,
        Compensation.nodeBelow(scope.node.nodeId(), state.graph),
        null,
        Map.of(),
        Map.of(
            Compensation.LEFT,
            new ArrayList<@Nullable Object>(steps.stream().map(Step::nodeId).toList())));
  }

  boolean isEnding(@Nullable Execution scope) {
    return scope != null && scope.memory.containsKey(ENDING);
  }

  /** The compensation below the scope is over. */
  void compensated(Execution scope) {
    var ending = Json.object(scope.memory.remove(ENDING));
    if (ending != null) {
      var then = Then.valueOf(String.valueOf(ending.get("then")));
      after(scope, then, Failure.read(ending.get("failure")));
    }
  }

  private void after(Execution scope, Then then, Failure failure) {
    switch (then) {
      case HANDLE -> handlers.handle(scope, failure);
      case GO_ON -> handlers.goOn(scope);
      case FAULT -> state.ending.fault();
      case CANCEL -> lifecycle.cancelInstance();
    }
  }
}
