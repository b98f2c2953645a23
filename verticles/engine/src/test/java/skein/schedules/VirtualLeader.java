package skein.schedules;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.Schedule;
import skein.model.Schedule.Run;
import skein.model.Timer;
import skein.model.Timetable;
import skein.schedules.ScheduleDecisions.FiringContext;

/** A leader and its database in memory, with a clock that only moves when it is told to. */
final class VirtualLeader {
  static final Duration THRESHOLD = Duration.ofSeconds(60);

  final ScheduleDecisions decisions = new ScheduleDecisions(THRESHOLD);
  final List<Run> started = new ArrayList<>();
  final List<InstanceId> cancelled = new ArrayList<>();
  final Set<InstanceId> unfinished = new LinkedHashSet<>();

  /** How late the leader is with everything. */
  Duration lateness = Duration.ZERO;

  /** Each decision is made once more from what was read before, as by a second leader. */
  boolean doubled;

  Instant now;
  private final Map<String, Timer> rows = new LinkedHashMap<>();
  private final Map<String, Schedule> schedules = new HashMap<>();

  VirtualLeader(Instant now) {
    this.now = now;
  }

  static Schedule schedule(String id, Timetable timetable, Instant now) {
    var target = new Schedule.Target("def", null, null, Map.of(), null);
    return ScheduleDecisions.first(id, Schedule.Origin.Api, timetable, target, now, now);
  }

  VirtualLeader add(String id, Timetable timetable) {
    var schedule = schedule(id, timetable, now);
    schedules.put(id, schedule);
    add(ScheduleTimers.occurrence(schedule));
    return this;
  }

  private void add(@Nullable Timer timer) {
    if (timer != null) {
      rows.putIfAbsent(timer.id(), timer);
    }
  }

  Schedule get(String id) {
    var found = schedules.get(id);
    if (found == null) {
      throw new IllegalStateException("No schedule " + id);
    }
    return found;
  }

  /** No node runs during it. */
  void outage(Instant until) {
    now = until;
  }

  /** Fires what is due, in due order, at the instant that it is due or at once. */
  void advanceTo(Instant end) {
    for (var due = next(end); due != null; due = next(end)) {
      var at = due.dueAt().plus(lateness);
      now = at.isAfter(now) ? at : now;
      fire(due);
    }
    now = end.isAfter(now) ? end : now;
  }

  private @Nullable Timer next(Instant end) {
    return rows.values().stream()
        .filter(timer -> !timer.dueAt().plus(lateness).isAfter(end))
        .min(Comparator.comparing(Timer::dueAt).thenComparing(Timer::id))
        .orElse(null);
  }

  private void fire(Timer timer) {
    var payload = (Map<?, ?>) timer.payload();
    var id = String.valueOf(payload == null ? null : payload.get("scheduleId"));
    var at = Instant.parse(String.valueOf(payload == null ? null : payload.get("at")));
    var read = get(id);
    var change = decisions.fire(read, at, context(read));
    if (doubled) {
      var again = decisions.fire(read, at, context(read));
      commit(read, change);
      commit(read, again);
      commit(get(id), decisions.fire(get(id), at, context(get(id))));
    } else {
      commit(read, change);
    }
    rows.remove(timer.id());
  }

  private FiringContext context(Schedule schedule) {
    var running = schedule.state().running();
    return new FiringContext(now, running != null && !unfinished.contains(running));
  }

  /** As the statement does it: nothing where another revision is stored. */
  ScheduleChange.@Nullable Verdict commit(Schedule read, @Nullable ScheduleChange change) {
    if (change == null || get(read.id()).revision() != change.next().revision() - 1) {
      return null;
    }
    schedules.put(read.id(), change.next());
    var written = ScheduleTimers.of(read, change, now, Duration.ZERO);
    written.done().forEach(rows::remove);
    written.made().stream().filter(timer -> timer.kind() == Timer.Kind.Schedule).forEach(this::add);
    change
        .starts()
        .forEach(run -> {
          started.add(run);
          unfinished.add(run.instanceId());
        });
    if (change.cancels() != null) {
      cancelled.add(change.cancels());
    }
    return change.verdict();
  }

  /** An instance ends, and the schedule is told, unless the news is lost. */
  void end(String scheduleId, InstanceId instance, boolean told) {
    unfinished.remove(instance);
    if (told) {
      var read = get(scheduleId);
      commit(read, decisions.ended(read, instance, false, now));
    }
  }

  List<Instant> startedAt() {
    return started.stream().map(Run::at).toList();
  }

  int pendingTimers() {
    return rows.size();
  }
}
