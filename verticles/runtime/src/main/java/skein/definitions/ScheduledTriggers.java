package skein.definitions;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import skein.model.Trigger;
import skein.schedules.ScheduleTimers;
import skein.schedules.TriggerSchedules;
import skein.storage.ScheduledTrigger;

/** The rows of triggers that fire by themselves. */
final class ScheduledTriggers {
  private ScheduledTriggers() {}

  static List<ScheduledTrigger> of(List<Trigger> triggers, Instant now) {
    var schedules = new ArrayList<ScheduledTrigger>();
    for (var trigger : triggers) {
      var schedule = TriggerSchedules.of(trigger, now);
      if (schedule != null) {
        schedules.add(new ScheduledTrigger(schedule, ScheduleTimers.occurrence(schedule)));
      }
    }
    return schedules;
  }
}
