package skein.burst;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.model.ActivityStatus;

/** Queues executions, closes them, and cancels them with all below; asks no activity. */
final class Lifecycle {
  private final RunState state;

  Lifecycle(RunState state) {
    this.state = state;
  }

  /** {@code memory}: what the engine wants remembered with the new execution. */
  void schedule(
      int parent,
      ActivityNode child,
      @Nullable String tag,
      Map<String, @Nullable Object> variables,
      Map<String, @Nullable Object> memory) {
    var owner = state.executions.get(parent);
    if (owner != null && state.usage.mayQueue(state.agenda.size())) {
      owner.queued++;
      state.agenda.add(new Agenda.Work.Perform(child, parent, tag, variables, memory));
    }
  }

  void close(Execution execution, ActivityStatus status) {
    state.executions.close(execution, status);
    state.bookmarks.burnAll(execution);
  }

  void cancel(Execution execution) {
    cancelChildren(execution);
    close(execution, ActivityStatus.Canceled);
    state.journal.add(execution, Journal.CANCELED, null);
  }

  void cancelChildren(Execution execution) {
    for (var child : state.executions.below(execution)) {
      var wasRunning = child.running();
      close(child, wasRunning ? ActivityStatus.Canceled : child.status);
      if (wasRunning) {
        state.journal.add(child, Journal.CANCELED, null);
      }
    }
  }

  /** Ends the instance as cancelled. */
  void cancelInstance() {
    var root = state.executions.root();
    if (root != null) {
      cancelChildren(root);
      root.status = ActivityStatus.Canceled;
      state.journal.add(root, Journal.CANCELED, null);
    }
    state.agenda.clear();
    state.ending.cancel();
  }
}
