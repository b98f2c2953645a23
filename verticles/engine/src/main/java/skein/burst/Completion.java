package skein.burst;

import java.util.List;
import skein.activities.ActivityDescriptor;
import skein.model.ActivityStatus;

/** Completes executions, up to the whole instance, and queues what their parents hear of it. */
final class Completion {
  private final RunState state;
  private final Lifecycle lifecycle;
  private final FaultHandlers handlers;
  private final Undo undo;

  Completion(RunState state, Lifecycle lifecycle, FaultHandlers handlers, Undo undo) {
    this.state = state;
    this.lifecycle = lifecycle;
    this.handlers = handlers;
    this.undo = undo;
  }

  /** Without effect on an execution that does not run; {@code outcomes}: none means Done. */
  void complete(Execution execution, List<String> outcomes) {
    if (!execution.running()) {
      return;
    }
    var named = outcomes.isEmpty() ? List.of(ActivityDescriptor.DONE) : outcomes;
    lifecycle.cancelChildren(execution);
    undo.completed(execution);
    var parent = state.executions.get(execution.parent);
    lifecycle.close(execution, ActivityStatus.Completed);
    state.journal.add(execution, Journal.COMPLETED, null, named);
    if (parent == null) {
      return;
    }
    if (execution.node.activity() instanceof Compensation && undo.isEnding(parent)) {
      undo.compensated(parent);
    } else {
      state.agenda.add(handlers.completion(execution, named));
    }
  }

  /** Completes the instance, from this execution upwards; {@code outcomes}: of the root. */
  void finish(Execution execution, List<String> outcomes) {
    complete(execution, execution.parent == 0 ? outcomes : List.of());
    for (var above : state.executions.above(execution)) {
      complete(above, above.parent == 0 ? outcomes : List.of());
    }
    state.agenda.clear();
    state.bookmarks.burnAll();
    state.ending.stop();
  }
}
