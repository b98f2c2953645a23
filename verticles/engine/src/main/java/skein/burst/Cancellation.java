package skein.burst;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.graph.Graph;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;
import skein.model.Bookmark;
import skein.model.Counters;
import skein.model.Incident;
import skein.model.InstanceRefusals;
import skein.model.JournalEntry;
import skein.model.Timing;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Ends an instance at its present state, without asking its activities. */
final class Cancellation {
  private Cancellation() {}

  static Transition of(@Nullable Graph graph, WorkflowInstance instance, BurstInputs in) {
    if (instance.status().finished()) {
      throw InstanceRefusals.instanceFinished(instance.id(), instance.status());
    }
    var journal = new ArrayList<JournalEntry>();
    var sequence = instance.counters().journal();
    for (var execution : instance.executions().reversed()) {
      if (execution.status() == ActivityStatus.Running) {
        journal.add(canceled(graph, execution, ++sequence, in));
      }
    }
    var root =
        instance.executions().stream()
            .filter(execution -> execution.number() == 1)
            .map(Cancellation::canceled)
            .toList();
    var counters = instance.counters();
    var next =
        new WorkflowInstance(
            instance.id(),
            instance.definition(),
            WorkflowStatus.Cancelled,
            instance.revision() + 1,
            instance.labels(),
            new Timing(instance.timing().createdAt(), in.now(), in.now()),
            new Counters(counters.executions(), counters.bookmarks(), sequence),
            null,
            instance.input(),
            instance.output(),
            instance.results(),
            root,
            List.of(),
            List.of(),
            instance.incidents(),
            instance.fingerprint());
    return ending(instance, next, journal, in);
  }

  /**
   * Executions stay as they are and bookmarks are shelved, so that a retry can continue from here.
   */
  static Transition failed(WorkflowInstance instance, String type, String message, BurstInputs in) {
    if (instance.status().finished()) {
      throw InstanceRefusals.instanceFinished(instance.id(), instance.status());
    }
    var counters = instance.counters();
    var incidents = new ArrayList<>(instance.incidents());
    incidents.add(
        new Incident("Workflow1", "Workflow1", "Elsa.Workflow", 0, type, null, message, in.now()));
    var journal = new Journal(in.now(), counters.journal(), JournalLimits.DEFAULT);
    journal.addForWorkflow(Journal.FAULTED, message);
    var next =
        new WorkflowInstance(
            instance.id(),
            instance.definition(),
            WorkflowStatus.Faulted,
            instance.revision() + 1,
            instance.labels(),
            new Timing(instance.timing().createdAt(), in.now(), in.now()),
            new Counters(counters.executions(), counters.bookmarks(), journal.sequence()),
            null,
            instance.input(),
            instance.output(),
            instance.results(),
            instance.executions(),
            List.of(),
            instance.bookmarks(),
            List.copyOf(incidents),
            instance.fingerprint());
    return ending(instance, next, journal.entries(), in);
  }

  private static Transition ending(
      WorkflowInstance instance,
      WorkflowInstance next,
      List<JournalEntry> journal,
      BurstInputs in) {
    var timersDone = new ArrayList<String>();
    if (instance.status() == WorkflowStatus.Pending) {
      timersDone.add(NewInstance.startTimer(instance.id()));
    }
    for (var bookmark : instance.bookmarks()) {
      if (bookmark.mayHaveTimer()) {
        timersDone.add(bookmark.id().toString());
      }
    }
    return new Transition(
        next,
        in.commitId(),
        Transition.Guard.NONE,
        List.of(),
        instance.bookmarks().stream().map(Bookmark::id).toList(),
        List.of(),
        List.copyOf(timersDone),
        List.copyOf(journal),
        List.of(),
        List.of());
  }

  private static ActivityExecution canceled(ActivityExecution root) {
    return new ActivityExecution(
        root.number(),
        root.parent(),
        root.nodeId(),
        root.status() == ActivityStatus.Running ? ActivityStatus.Canceled : root.status(),
        root.variables(),
        root.memory(),
        root.tag(),
        root.startedAt());
  }

  private static JournalEntry canceled(
      @Nullable Graph graph, ActivityExecution execution, long sequence, BurstInputs in) {
    var nodeId = execution.nodeId();
    var node = graph == null ? null : graph.node(nodeId);
    return new JournalEntry(
        sequence,
        in.now(),
        execution.number(),
        execution.parent(),
        node == null ? nodeId.substring(nodeId.lastIndexOf(':') + 1) : node.id(),
        nodeId,
        node == null ? "" : node.type(),
        node == null ? 1 : node.version(),
        node == null ? null : node.name(),
        Journal.CANCELED,
        null,
        Map.of());
  }
}
