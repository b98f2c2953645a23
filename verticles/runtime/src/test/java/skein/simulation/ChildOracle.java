package skein.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import skein.burst.Burst;
import skein.cluster.Order;
import skein.messages.Command;
import skein.model.ActivityExecution;
import skein.model.DerivedIds;
import skein.model.InstanceId;
import skein.model.StimulusHash;
import skein.model.Timer;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;
import skein.storage.SimulatedTables;
import skein.storage.SimulatedTables.JournalRow;

/**
 * Whether all children of instances are started, and an activity that starts several completes only
 * when each of them has ended: those of its last attempt, and whether or not some have gone on
 * since.
 */
final class ChildOracle {
  private static final String BULK = "Elsa.BulkDispatchWorkflows";

  private final SimulatedTables tables;
  private final Map<UUID, Order> orders;
  private final List<String> violations = new ArrayList<>();

  ChildOracle(SimulatedTables tables, Map<UUID, Order> orders) {
    this.tables = tables;
    this.orders = orders;
  }

  List<String> violations() {
    allHaveBegun();
    allAreAwaited();
    return violations;
  }

  /** Those of instances that were cancelled need not. */
  private void allHaveBegun() {
    var begun = new HashSet<InstanceId>();
    tables.journal().forEach(row -> begun.add(row.instanceId()));
    tables
        .instances()
        .forEach((id, row) -> {
          if (row.status() != WorkflowStatus.Cancelled) {
            var instance = row.decoded();
            var missing =
                LongStream.rangeClosed(1, started(instance.executions()))
                    .filter(number -> !begun.contains(child(instance, number)))
                    .boxed()
                    .toList();
            if (!missing.isEmpty()) {
              violations.add("Children " + missing + " of " + id + " were never started");
            }
          }
        });
  }

  private void allAreAwaited() {
    var ended = new HashSet<InstanceId>();
    for (var row : tables.journal()) {
      if (row.status().finished()) {
        ended.add(row.instanceId());
      }
      if (isCompletedByNews(row)) {
        long last = started(row.executions());
        var parent = tables.instances().get(row.instanceId()).decoded();
        var missing =
            LongStream.rangeClosed(last - Workflows.ITEMS + 1, last)
                .filter(number -> !ended.contains(child(parent, number)))
                .boxed()
                .toList();
        if (!missing.isEmpty()) {
          violations.add(
              "Instance %s completes at revision %d what waits for its children %s"
                  .formatted(row.instanceId(), row.revision(), missing));
        }
      }
    }
  }

  private boolean isCompletedByNews(JournalRow row) {
    var order = orders.get(row.commandId());
    return order != null
        && order.command() instanceof Command.Fire(Timer timer)
        && timer.kind() == Timer.Kind.ChildDone
        && row.entries().stream()
            .anyMatch(
                entry -> entry.activityType().equals(BULK) && entry.event().equals("Completed"));
  }

  /** None by one that is pending, which executes nothing yet. */
  private static long started(List<ActivityExecution> executions) {
    return !executions.isEmpty()
            && executions.getFirst().memory().get(Burst.CHILDREN_STARTED) instanceof Long number
        ? number
        : 0;
  }

  private static InstanceId child(WorkflowInstance parent, long number) {
    var tenant = parent.definition().tenant();
    var cause = parent.id() + "@" + parent.timing().createdAt() + ":" + number;
    return tenant.isEmpty()
        ? new InstanceId(StimulusHash.sha256(cause).substring(0, 26))
        : DerivedIds.of(tenant, cause);
  }
}
