package skein.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import skein.decisions.Payloads;
import skein.model.InstanceId;
import skein.model.Schedule;
import skein.model.Timer;
import skein.model.Trigger;
import skein.schedules.ScheduleDecisions;
import skein.schedules.ScheduleLimits;
import skein.schedules.ScheduleTimers;
import skein.schedules.TriggerSchedules;

/**
 * The schedules of the triggers that are armed: decides about their timers as a real node does, and
 * starts nothing itself.
 */
final class Schedules {
  private final ScheduleDecisions decisions =
      new ScheduleDecisions(ScheduleLimits.DEFAULT.misfireThreshold());
  private final Stored stored;

  /** By lane. */
  private final Map<InstanceId, Schedule> schedules = new HashMap<>();

  Schedules(Stored stored) {
    this.stored = stored;
  }

  /** Does nothing for a trigger that no schedule fires. */
  void arm(Trigger trigger, Instant now) {
    var schedule = TriggerSchedules.of(trigger, now);
    if (schedule == null) {
      return;
    }
    schedules.put(Schedule.laneOf(schedule.id()), schedule);
    var occurrence = ScheduleTimers.occurrence(schedule);
    if (occurrence != null) {
      stored.add(occurrence);
    }
  }

  /** An occurrence is due, or an instance that one started has ended. */
  void decide(Timer timer, Instant now) {
    stored.remove(timer);
    var schedule = schedules.get(timer.instanceId());
    if (schedule == null) {
      return;
    }
    var running = schedule.state().running();
    var instance = running == null ? null : stored.find(running);
    var ended = instance != null && instance.status().finished();
    var change =
        timer.kind() == Timer.Kind.Schedule
            ? decisions.fire(
                schedule,
                Instant.parse(Payloads.text(timer, "at")),
                new ScheduleDecisions.FiringContext(now, ended))
            : decisions.ended(
                schedule,
                new InstanceId(Payloads.text(timer, "instanceId")),
                Payloads.value(timer, "failed") != null,
                now);
    if (change != null) {
      schedules.put(timer.instanceId(), change.next());
      ScheduleTimers.of(schedule, change, now, Duration.ZERO).made().forEach(stored::add);
    }
  }
}
