package skein.burst;

import java.util.function.Consumer;
import skein.activities.ActivityNode;
import skein.activities.Resumption;
import skein.activities.TriggerActivity;
import skein.activities.UnknownActivity;
import skein.model.SkeinException;

/** Calls the activities, one call at a time; what one throws becomes a fault of its execution. */
final class ActivityCalls {
  private final RunState state;
  private final ActivityServices services;
  private final Attempts attempts;
  private final Faults faults;

  ActivityCalls(ActivityServices services, Attempts attempts, Faults faults) {
    this.state = services.state();
    this.services = services;
    this.attempts = attempts;
    this.faults = faults;
  }

  void begin(Execution execution) {
    guarded(
        execution,
        context -> {
          attempts.limit(execution);
          if (state.usage.mayHold(execution.variables)) {
            begin(context, execution);
            state.usage.mayHold(execution.memory);
          }
        });
  }

  private void begin(Context context, Execution execution) {
    var node = execution.node;
    try {
      context.evaluateInputs();
    } finally {
      state.journal.started(execution, state.graph.ref().versionId());
    }
    var start = state.cause.trigger();
    if (start != null
        && node.id().equals(start.triggerActivityId())
        && state.graph.user(node.nodeId()) == null
        && node.activity() instanceof TriggerActivity activity) {
      state.cause.triggerTaken();
      var input = activity.startInput(start.stimulus());
      state.cause.answerable(Cause.isHttp(input));
      activity.resume(context, new Resumption(null, input));
    } else {
      node.activity().execute(context);
    }
    if (execution.running() && state.bookmarks.hasAny(execution)) {
      state.journal.add(execution, Journal.SUSPENDED, null);
    }
  }

  void resume(Execution execution, Resumption resumption) {
    guarded(
        execution,
        context -> {
          state.journal.add(execution, Journal.RESUMED, null);
          execution.node.activity().resume(context, resumption);
        });
  }

  void childCompleted(Execution parent, Agenda.Notice notice) {
    guarded(
        parent,
        context ->
            parent.node.activity().childCompleted(context, notice.child(), notice.outcomes()));
  }

  private void guarded(Execution execution, Consumer<Context> call) {
    leaveToNodesThatKnow(execution.node);
    try {
      call.accept(new Context(services, execution));
    } catch (RuntimeException e) {
      if (state.ending.refusal() == null && !state.usage.limitPassed()) {
        faults.failed(execution, Failure.of(e));
      }
    } catch (StackOverflowError | LinkageError e) {
      // Of an activity's own code: it must not take the node with it.
      faults.failed(execution, new Failure(e.getClass().getSimpleName(), null, e.toString()));
    }
    var refusal = state.ending.refusal();
    if (refusal != null) {
      throw refusal;
    }
  }

  /**
   * Neither a fault nor an attempt is counted for a type that other nodes know.
   *
   * @throws SkeinException {@code ACTIVITY_ELSEWHERE}
   */
  void leaveToNodesThatKnow(ActivityNode node) {
    if (node.activity() instanceof UnknownActivity unknown && unknown.isKnownElsewhere()) {
      throw state.ending.refuse(SkeinException.activityElsewhere(node.type(), node.nodeId()));
    }
  }
}
