package skein.burst;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Wait;
import skein.graph.Graph.IncidentStrategy;
import skein.model.ActivityStatus;
import skein.model.Incident;
import skein.model.StimulusHash;

/**
 * How a failure is handled: another attempt, a handler of the definition, or an incident.
 *
 * <p>A handler is looked for from the failed execution upwards: an activity beside it that is named
 * by {@code onFault}, or a container that continues after faults. Whatever the scope that ends
 * there has completed is compensated first.
 */
final class Faults {
  /** Entries of the journal, from the beginning. */
  private static final int KEPT_BEYOND_A_LIMIT = 500;

  static final String INCIDENT = "Skein.Incident";

  private final RunState state;
  private final ActivityServices services;
  private final Attempts attempts;
  private final Undo undo;

  Faults(ActivityServices services, Attempts attempts, Undo undo) {
    this.state = services.state();
    this.services = services;
    this.attempts = attempts;
    this.undo = undo;
  }

  void failed(Execution execution, Failure failure) {
    handle(execution, failure.within(state.limits.journal().valueMax()));
  }

  /** The burst has passed a limit: nothing that is queued happens. */
  void stopped(Failure limit) {
    state.agenda.clear();
    state.journal.keepFirst(KEPT_BEYOND_A_LIMIT);
    failed(limit.type(), limit.message());
  }

  /** A failure of the workflow itself rather than of one of its activities. */
  void failed(String type, String message) {
    state.ending.fault();
    state.instance.incident(
        new Incident(
            "Workflow1", "Workflow1", "Elsa.Workflow", 0, type, null, message, state.in.now()),
        state.limits.incidentsMax());
    state.journal.addForWorkflow(Journal.FAULTED, message);
  }

  private void handle(Execution execution, Failure failure) {
    if (execution.running() && attempts.retryLater(execution, failure)) {
      return;
    }
    for (Execution at = execution; at.parent != 0; ) {
      var parent = state.executions.get(at.parent);
      if (parent == null) {
        break;
      }
      var then = wayOut(at, parent);
      if (then != null) {
        state.journal.add(execution, Journal.FAULTED, failure.message());
        if (parent.node.activity() instanceof Compensation) {
          record(execution, failure);
        }
        undo.end(at, then, failure);
        return;
      }
      at = parent;
    }
    incident(execution, failure);
  }

  private Undo.@Nullable Then wayOut(Execution at, Execution parent) {
    if (FaultHandlers.handler(at, parent) != null) {
      return Undo.Then.HANDLE;
    }
    var context = new Context(services, parent);
    var goesOn = parent.node.activity().continuesAfterFault(context, at.asChild());
    return goesOn ? Undo.Then.GO_ON : null;
  }

  private void incident(Execution execution, Failure failure) {
    if (execution.running()) {
      execution.status = ActivityStatus.Faulted;
      state.bookmarks.burnAll(execution);
    }
    record(execution, failure);
    state.journal.add(execution, Journal.FAULTED, failure.message());
    if (state.graph.incidentStrategy() == IncidentStrategy.FAULT) {
      state.ending.fault();
    } else if (state.graph.incidentStrategy() == IncidentStrategy.SUSPEND) {
      askOperator(execution, failure);
    }
  }

  private void record(Execution execution, Failure failure) {
    var node = execution.node;
    state.instance.incident(
        new Incident(
            node.id(),
            node.nodeId(),
            node.type(),
            execution.number,
            failure.type(),
            failure.code(),
            failure.message(),
            state.in.now()),
        state.limits.incidentsMax());
  }

  private void askOperator(Execution execution, Failure failure) {
    var hash = StimulusHash.of(INCIDENT, execution.node.id(), Integer.toString(execution.number));
    var payload =
        Map.<String, Object>of(
            "activityId",
            execution.node.id(),
            "type",
            failure.type(),
            "message",
            failure.message());
    state.bookmarks.make(execution, Wait.forStimulus(INCIDENT, hash, payload));
  }
}
