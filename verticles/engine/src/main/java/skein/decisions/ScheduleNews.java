package skein.decisions;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.model.InstanceId;
import skein.model.Schedule;
import skein.model.Timer;

/** The news to a schedule about instances that it has started. */
public final class ScheduleNews {
  private ScheduleNews() {}

  /** The instance has ended. */
  public static Timer ended(InstanceId lane, InstanceId instance, Instant now) {
    return timer(lane, instance, null, now);
  }

  /** The news for a {@link Timer.Kind#ScheduleStart} that starts nothing. */
  public static Timer notStarted(Timer start, String reason, Instant now) {
    var lane = Schedule.laneOf(Payloads.text(start, "scheduleId"));
    return timer(lane, start.instanceId(), reason, now);
  }

  private static Timer timer(
      InstanceId lane, InstanceId instance, @Nullable String failed, Instant now) {
    return new Timer(
        "done-" + instance,
        now,
        lane,
        Timer.Kind.ScheduleDone,
        Json.members("instanceId", instance.value(), "failed", failed));
  }
}
