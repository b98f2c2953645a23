package skein.schedules;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.Schedule;
import skein.model.Timer;
import skein.model.Timetable.Overlap;

/** The timers of a schedule, as rows that the leader fires. */
public final class ScheduleTimers {
  private ScheduleTimers() {}

  /**
   * Rows that are written and removed with a change.
   *
   * @param starts of the rows that are made: those that start an instance, in order
   */
  public record Rows(List<Timer> made, List<String> done, List<Timer> starts) {}

  /**
   * @param grace until the leader starts what the node that decided has not
   */
  public static Rows of(Schedule before, ScheduleChange change, Instant now, Duration grace) {
    var made = new ArrayList<Timer>();
    var done = new ArrayList<String>();
    var was = before.state().nextAt();
    var next = occurrence(change.next());
    if (was != null && !was.equals(change.next().state().nextAt())) {
      done.add(id(before.id(), was));
    }
    if (next != null && !next.id().equals(was == null ? null : id(before.id(), was))) {
      made.add(next);
    }
    var starts =
        change.starts().stream().map(r -> start(change.next(), r, now.plus(grace))).toList();
    made.addAll(starts);
    if (change.cancels() != null) {
      made.add(cancel(change.cancels(), now.plus(grace)));
    }
    return new Rows(made, done, starts);
  }

  /** The timer of the next occurrence; null when there is none. */
  public static @Nullable Timer occurrence(Schedule schedule) {
    var at = schedule.state().nextAt();
    if (at == null) {
      return null;
    }
    var payload = new LinkedHashMap<String, @Nullable Object>();
    payload.put("scheduleId", schedule.id());
    payload.put("at", at.toString());
    return new Timer(
        id(schedule.id(), at),
        ScheduleRules.of(schedule.timetable()).dueAt(schedule.id(), at),
        Schedule.laneOf(schedule.id()),
        Timer.Kind.Schedule,
        payload);
  }

  private static String id(String scheduleId, Instant at) {
    return scheduleId + "@" + at.toEpochMilli();
  }

  private static Timer start(Schedule schedule, Schedule.Run run, Instant dueAt) {
    var target = schedule.target();
    var payload = new LinkedHashMap<String, @Nullable Object>();
    payload.put("scheduleId", schedule.id());
    payload.put("at", run.at().toString());
    payload.put("definitionId", target.definitionId());
    payload.put("versionId", target.versionId());
    payload.put("activityId", target.activityId());
    payload.put("input", run.input() == null ? target.input() : run.input());
    payload.put("correlationId", target.correlationId());
    payload.put("notice", schedule.timetable().policies().overlap() != Overlap.Allow);
    if (!target.tenant().isEmpty()) {
      payload.put("tenant", target.tenant());
    }
    return new Timer(
        startId(run.instanceId()), dueAt, run.instanceId(), Timer.Kind.ScheduleStart, payload);
  }

  /** The id of the row that starts an instance. */
  public static String startId(InstanceId instance) {
    return "run-" + instance;
  }

  private static Timer cancel(InstanceId instance, Instant dueAt) {
    return new Timer("cancel-" + instance, dueAt, instance, Timer.Kind.Cancel, null);
  }
}
