package skein.burst;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;
import skein.activities.ActivityNode;
import skein.activities.Child;
import skein.activities.Json;
import skein.model.ActivityStatus;

/**
 * Lets the parent of a failed scope continue: by the activity beside the scope that its {@code
 * onFault} names, which then stands for it, or by the outcome {@link ActivityDescriptor#FAULTED}.
 */
final class FaultHandlers {
  /** With the memory of a handler: what it stands for. */
  static final String INSTEAD = "$instead";

  private final RunState state;
  private final Lifecycle lifecycle;

  FaultHandlers(RunState state, Lifecycle lifecycle) {
    this.state = state;
    this.lifecycle = lifecycle;
  }

  static @Nullable ActivityNode handler(Execution scope, Execution parent) {
    var id = scope.node.policy().onFault();
    return id == null ? null : parent.node.childById(id);
  }

  /** Closes the scope and schedules its handler; continues by an outcome where there is none. */
  void handle(Execution scope, Failure failure) {
    var parent = state.executions.get(scope.parent);
    var handler = parent == null ? null : handler(scope, parent);
    if (handler == null) {
      goOn(scope);
      return;
    }
    lifecycle.close(scope, ActivityStatus.Faulted);
    var fault = failure.toJson();
    fault.put("activityId", scope.node.id());
    lifecycle.schedule(
        scope.parent,
        handler,
        null,
        Map.of("Fault", fault),
        Map.of(INSTEAD, Json.members("nodeId", scope.node.nodeId(), "tag", scope.tag)));
  }

  /** Closes the scope and notifies its parent of the failure. */
  void goOn(Execution scope) {
    lifecycle.close(scope, ActivityStatus.Faulted);
    state.agenda.add(
        new Agenda.Notice(scope.parent, scope.asChild(), List.of(ActivityDescriptor.FAULTED)));
  }

  /** The notice to the parent: a handler completes as the activity it stands for. */
  Agenda.Notice completion(Execution execution, List<String> outcomes) {
    var instead = Json.object(execution.memory.get(INSTEAD));
    var node = instead == null ? null : state.graph.node(String.valueOf(instead.get("nodeId")));
    if (instead == null || node == null) {
      return new Agenda.Notice(execution.parent, execution.asChild(), outcomes);
    }
    var child = new Child(execution.number, node, Json.text(instead, "tag"), false);
    return new Agenda.Notice(execution.parent, child, List.of(ActivityDescriptor.DONE));
  }
}
