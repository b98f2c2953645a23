package skein.decisions;

import java.time.Instant;
import skein.activities.Json;
import skein.burst.Burst;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.WorkflowInstance;

/** Makes and reads the timers that cancel what a cancelled instance has started. */
public final class CancelChildren {
  private CancelChildren() {}

  static boolean mayBeNeeded(WorkflowInstance instance) {
    return instance.executions().stream()
        .anyMatch(execution -> execution.memory().containsKey(Burst.CHILDREN_STARTED));
  }

  static Timer first(InstanceId parent, Instant now) {
    return timer(parent, now, 0);
  }

  /** Looks once more, at a later instant, for what was under way. */
  public static Timer again(Timer timer, Instant due) {
    return timer(timer.instanceId(), due, round(timer) + 1L);
  }

  /** 0 the first time. */
  public static int round(Timer timer) {
    return Payloads.number(timer, "round");
  }

  private static Timer timer(InstanceId parent, Instant due, long round) {
    var id = "cancel-children-" + parent + "-" + round;
    return new Timer(id, due, parent, Timer.Kind.CancelChildren, Json.members("round", round));
  }
}
