package skein.definitions;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import skein.model.Trigger;
import skein.schedules.ScheduleTimers;
import skein.schedules.TriggerSchedules;
import skein.storage.PublicationStore.Scheduled;

/** What is stored of triggers that fire by themselves. */
final class ScheduledTriggers {
  private ScheduledTriggers() {}

  static List<Scheduled> of(List<Trigger> triggers, Instant now) {
    var schedules = new ArrayList<Scheduled>();
    for (var trigger : triggers) {
      var schedule = TriggerSchedules.of(trigger, now);
      if (schedule != null) {
        schedules.add(new Scheduled(schedule, ScheduleTimers.occurrence(schedule)));
      }
    }
    return schedules;
  }
}
