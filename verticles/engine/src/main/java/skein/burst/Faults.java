package skein.burst;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;
import skein.activities.ActivityNode;
import skein.activities.Json;
import skein.activities.Wait;
import skein.graph.Graph.IncidentStrategy;
import skein.model.ActivityStatus;
import skein.model.Incident;
import skein.model.StimulusHash;

/**
 * What becomes of a failure: another attempt, a handler of the definition, or an incident.
 *
 * <p>A handler is looked for from the failed execution upwards: an activity beside it that is named
 * by {@code onFault}, or a container that goes on after faults. Whatever the scope that ends there
 * has completed is compensated first.
 */
final class Faults {
  /** Entries of the journal, from the beginning. */
  private static final int KEPT_BEYOND_A_LIMIT = 500;

  static final String INCIDENT = "Skein.Incident";

  /** With the memory of a handler: what it stands for. */
  static final String INSTEAD = "$instead";

  private final Run run;

  Faults(Run run) {
    this.run = run;
  }

  void failed(Execution execution, Failure failure) {
    handle(execution, failure.within(run.limits().journal().valueMax()));
  }

  /** The burst has passed a limit: nothing that is queued happens. */
  void stopped(Failure limit) {
    run.agenda.clear();
    run.journal.keepFirst(KEPT_BEYOND_A_LIMIT);
    failed(limit.type(), limit.message());
  }

  /** A failure of the workflow itself rather than of one of its activities. */
  void failed(String type, String message) {
    run.fault();
    run.state.incident(
        new Incident(
            "Workflow1", "Workflow1", "Elsa.Workflow", 0, type, null, message, run.in().now()),
        run.limits().incidentsMax());
    run.journal.addForWorkflow(Journal.FAULTED, message);
  }

  private void handle(Execution execution, Failure failure) {
    if (execution.running() && run.attempts.retryLater(execution, failure)) {
      return;
    }
    for (Execution at = execution; at.parent != 0; ) {
      var parent = run.executions.get(at.parent);
      if (parent == null) {
        break;
      }
      var then = wayOut(at, parent);
      if (then != null) {
        run.journal.add(execution, Journal.FAULTED, failure.message());
        if (parent.node.activity() instanceof Compensation) {
          record(execution, failure);
        }
        run.undo.end(at, then, failure);
        return;
      }
      at = parent;
    }
    incident(execution, failure);
  }

  private Undo.@Nullable Then wayOut(Execution at, Execution parent) {
    var handler = at.node.policy().onFault();
    if (handler != null && parent.node.childById(handler) != null) {
      return Undo.Then.HANDLE;
    }
    var goesOn = parent.node.activity().continuesAfterFault(new Context(run, parent), at.asChild());
    return goesOn ? Undo.Then.GO_ON : null;
  }

  private void incident(Execution execution, Failure failure) {
    if (execution.running()) {
      execution.status = ActivityStatus.Faulted;
      run.bookmarks.burnAll(execution);
    }
    record(execution, failure);
    run.journal.add(execution, Journal.FAULTED, failure.message());
    if (run.graph().incidentStrategy() == IncidentStrategy.FAULT) {
      run.fault();
    } else if (run.graph().incidentStrategy() == IncidentStrategy.SUSPEND) {
      askOperator(execution, failure);
    }
  }

  void record(Execution execution, Failure failure) {
    var node = execution.node;
    run.state.incident(
        new Incident(
            node.id(),
            node.nodeId(),
            node.type(),
            execution.number,
            failure.type(),
            failure.code(),
            failure.message(),
            run.in().now()),
        run.limits().incidentsMax());
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
    run.bookmarks.make(execution, Wait.forStimulus(INCIDENT, hash, payload));
  }

  /** What the operator says: {@code retry} (also when silent), {@code skip} or {@code fault}. */
  void settle(Execution execution, String action) {
    if (!action.equals("fault")) {
      run.state.resolveIncidentsOf(execution.number);
    }
    switch (action) {
      case "skip" -> {
        execution.status = ActivityStatus.Running;
        run.complete(execution, List.of());
      }
      case "fault" -> run.fault();
      default -> {
        run.attempts.forgetLost(execution);
        run.again(execution);
      }
    }
  }

  /** The scope of a failure has ended; its parent goes on, by a handler or by an outcome. */
  void goOn(Execution at, Undo.Then then, Failure failure) {
    var handler = then == Undo.Then.HANDLE ? handler(at) : null;
    run.close(at, ActivityStatus.Faulted);
    if (handler == null) {
      run.agenda.add(
          new Agenda.Notice(at.parent, at.asChild(), List.of(ActivityDescriptor.FAULTED)));
      return;
    }
    var fault = failure.toJson();
    fault.put("activityId", at.node.id());
    run.schedule(
        at.parent,
        handler,
        null,
        Map.of("Fault", fault),
        Map.of(INSTEAD, Json.members("nodeId", at.node.nodeId(), "tag", at.tag)));
  }

  private @Nullable ActivityNode handler(Execution at) {
    var parent = run.executions.get(at.parent);
    var id = at.node.policy().onFault();
    return parent == null || id == null ? null : parent.node.childById(id);
  }

  /** What the parent hears: a handler completes as the activity it stands for. */
  Agenda.Notice completion(Execution execution, List<String> outcomes) {
    var instead = Json.object(execution.memory.get(INSTEAD));
    var node = instead == null ? null : run.graph().node(String.valueOf(instead.get("nodeId")));
    if (instead == null || node == null) {
      return new Agenda.Notice(execution.parent, execution.asChild(), outcomes);
    }
    var child =
        new skein.activities.Child(execution.number, node, Json.text(instead, "tag"), false);
    return new Agenda.Notice(execution.parent, child, List.of(ActivityDescriptor.DONE));
  }
}
