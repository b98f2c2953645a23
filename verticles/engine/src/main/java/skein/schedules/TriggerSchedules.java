package skein.schedules;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.Recurrence;
import skein.model.Schedule;
import skein.model.Trigger;

/** The schedules of triggers that fire by themselves. */
public final class TriggerSchedules {
  private TriggerSchedules() {}

  /**
   * Null for a trigger that waits for a stimulus. An instant that has passed when it is published
   * is due at once: its instance has an id that follows from it, so it starts one, however often it
   * is published.
   */
  public static @Nullable Schedule of(Trigger trigger, Instant now) {
    var timetable = trigger.timetable();
    if (timetable == null) {
      return null;
    }
    var target =
        new Schedule.Target(
            trigger.definition().definitionId(),
            null,
            trigger.activityId(),
            Map.of(),
            null,
            trigger.definition().tenant());
    var first = timetable.recurrence() instanceof Recurrence.Dates ? Instant.EPOCH : now;
    return ScheduleDecisions.first(
        trigger.id(), Schedule.Origin.Trigger, timetable, target, first, now);
  }
}
