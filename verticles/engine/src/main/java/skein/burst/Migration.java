package skein.burst;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.graph.Graph;
import skein.model.ActivityExecution;
import skein.model.Alteration;
import skein.model.Bookmark;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;

/**
 * Moves an instance to another version of its definition, without executing anything: what runs,
 * waits or is faulted stands at the activity with the same id, or the one that the caller names.
 */
final class Migration {
  private final Graph from;
  private final Graph to;
  private final Map<String, String> activities;
  private final List<String> missing = new ArrayList<>();

  private Migration(Graph from, Graph to, Map<String, String> activities) {
    this.from = from;
    this.to = to;
    this.activities = activities;
  }

  /** Refuses with the ids of the activities that are under way and not in the target. */
  static WorkflowInstance of(
      WorkflowInstance instance, Graph from, Graph to, Alteration.Migrate migrate) {
    return new Migration(from, to, migrate.activities()).move(instance);
  }

  private WorkflowInstance move(WorkflowInstance instance) {
    var executions = instance.executions().stream().map(this::moved).toList();
    var bookmarks = instance.bookmarks().stream().map(this::moved).toList();
    var shelved = instance.shelved().stream().map(this::moved).toList();
    if (!missing.isEmpty()) {
      throw new SkeinException(
          ErrorCode.ALTERATION_REFUSED,
          "Version "
              + to.ref().version()
              + " lacks activities that are under way; map them in \"activities\"",
          missing.stream().distinct().toList(),
          null);
    }
    return new WorkflowInstance(
        instance.id(),
        to.ref(),
        instance.status(),
        instance.revision(),
        instance.labels(),
        instance.timing(),
        instance.counters(),
        instance.pending(),
        instance.input(),
        instance.output(),
        instance.results(),
        executions,
        bookmarks,
        shelved,
        instance.incidents(),
        instance.fingerprint());
  }

  private ActivityExecution moved(ActivityExecution execution) {
    var target = target(execution.nodeId());
    if (target == null) {
      return execution;
    }
    var memory = JsonCopy.changeable(execution.memory());
    var source = from.node(execution.nodeId());
    if (source != null) {
      target.activity().migrate(source, target, activities, memory);
    }
    return new ActivityExecution(
        execution.number(),
        execution.parent(),
        target.nodeId(),
        execution.status(),
        execution.variables(),
        JsonCopy.fixed(memory),
        execution.tag(),
        execution.startedAt());
  }

  private Bookmark moved(Bookmark bookmark) {
    var target = target(bookmark.nodeId());
    if (target == null) {
      return bookmark;
    }
    return new Bookmark(
        bookmark.id(),
        bookmark.name(),
        bookmark.hash(),
        bookmark.payload(),
        target.id(),
        target.nodeId(),
        bookmark.execution(),
        bookmark.createdAt(),
        bookmark.dueAt(),
        bookmark.token(),
        bookmark.tag());
  }

  /** The root stands for the root; the engine's own nodes hang below those of the definition. */
  private @Nullable ActivityNode target(String nodeId) {
    if (nodeId.equals(from.root().nodeId())) {
      return to.root();
    }
    var compensation = Compensation.nodeOf(nodeId, from);
    if (compensation != null) {
      var scope = target(nodeId.substring(0, nodeId.lastIndexOf(':')));
      return scope == null ? null : Compensation.nodeBelow(scope.nodeId(), to);
    }
    var id = nodeId.substring(nodeId.lastIndexOf(':') + 1);
    var same = activities.containsKey(id) ? null : to.node(nodeId);
    var found =
        same == null && from.user(nodeId) == null
            ? to.activity(activities.getOrDefault(id, id))
            : same;
    if (found == null) {
      missing.add(id);
    }
    return found;
  }
}
