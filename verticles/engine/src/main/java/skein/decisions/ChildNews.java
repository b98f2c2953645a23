package skein.decisions;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ChildOrder;
import skein.activities.Json;
import skein.burst.Burst;
import skein.model.InstanceId;
import skein.model.Parent;
import skein.model.Timer;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** The news to a parent about an instance that it has started; the payloads of both timers. */
public final class ChildNews {
  private ChildNews() {}

  /** The parent in a {@link Timer.Kind#Child}. */
  public static Parent parent(Timer child) {
    return new Parent(
        new InstanceId(Payloads.text(child, "parentId")),
        Payloads.number(child, "execution"),
        Parent.Notice.valueOf(Payloads.text(child, "notice")));
  }

  /** In a {@link Timer.Kind#Child}; 0 where an earlier version has made it. */
  static long childNumber(Timer child) {
    return Payloads.value(child, ChildOrder.NUMBER) instanceof Number number
        ? number.longValue()
        : 0;
  }

  /**
   * The news that a transition of a child makes, if any.
   *
   * @param before null when the child did not exist
   */
  static @Nullable Timer of(@Nullable WorkflowInstance before, WorkflowInstance next, Instant now) {
    var parent = next.labels().parent();
    if (parent == null) {
      return null;
    }
    var first = before == null || before.status() == WorkflowStatus.Pending;
    var ended = next.status().finished() && (before == null || !before.status().finished());
    var due =
        switch (parent.notice()) {
          case Never -> false;
          case AtRest -> first && next.status() != WorkflowStatus.Pending;
          case AtEnd -> ended;
        };
    if (!due) {
      return null;
    }
    return parent.isSchedule()
        ? ScheduleNews.ended(parent.id(), next.id(), now)
        : timer(next.id(), parent, outcome(next), next.definition().tenant(), now);
  }

  private static Map<String, @Nullable Object> outcome(WorkflowInstance child) {
    var outcome =
        Json.members(
            "workflowInstanceId",
            child.id().value(),
            "status",
            child.status().finished() ? "Finished" : "Running",
            ChildOrder.SUB_STATUS,
            child.status() == WorkflowStatus.Completed ? "Finished" : child.status().name(),
            "output",
            child.output());
    for (var execution : child.executions()) {
      if (execution.memory().get(Burst.CHILD_NUMBER) instanceof Number number) {
        outcome.put(ChildOrder.NUMBER, number.longValue());
      }
    }
    return outcome;
  }

  /** Null when the parent does not want to know. */
  public static @Nullable Timer notStarted(Timer child, String reason, Instant now) {
    var parent = parent(child);
    if (parent.notice() == Parent.Notice.Never) {
      return null;
    }
    var outcome =
        Json.members(
            "workflowInstanceId",
            null,
            "status",
            "Finished",
            ChildOrder.SUB_STATUS,
            ChildOrder.FAULTED,
            "output",
            Map.of(),
            "error",
            reason);
    var number = childNumber(child);
    if (number > 0) {
      outcome.put(ChildOrder.NUMBER, number);
    }
    return timer(child.instanceId(), parent, outcome, Payloads.tenant(child), now);
  }

  private static Timer timer(
      InstanceId child,
      Parent parent,
      Map<String, @Nullable Object> outcome,
      String tenant,
      Instant now) {
    var payload = Json.members("execution", (long) parent.execution(), ChildOrder.KEY, outcome);
    Payloads.putTenant(payload, tenant);
    return new Timer("done-" + child, now, parent.id(), Timer.Kind.ChildDone, payload);
  }

  /** The input in a {@link Timer.Kind#ChildDone}, with which the execution is resumed. */
  static Map<String, @Nullable Object> input(Timer news) {
    return Json.members(ChildOrder.KEY, Payloads.value(news, ChildOrder.KEY));
  }
}
