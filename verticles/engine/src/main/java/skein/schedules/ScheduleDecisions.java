package skein.schedules;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.model.DerivedIds;
import skein.model.InstanceId;
import skein.model.Schedule;
import skein.model.Schedule.Run;
import skein.model.Timetable;
import skein.model.Timetable.Overlap;
import skein.schedules.ScheduleChange.Verdict;

/**
 * Decides about a schedule: what an occurrence, a command or the end of an instance does to it.
 * Pure; null means that there is nothing to do, since it was done before.
 */
public final class ScheduleDecisions {
  private static final int MISSED_COUNT_MAX = 1_000;

  private final Duration misfireThreshold;

  public ScheduleDecisions(Duration misfireThreshold) {
    this.misfireThreshold = misfireThreshold;
  }

  /**
   * What a decision may use beside the schedule.
   *
   * @param runningEnded what the schedule takes for running has ended or never began, by its rows
   */
  public record FiringContext(Instant now, boolean runningEnded) {}

  /** The id that an occurrence gives its instance. */
  public static InstanceId instanceOf(Schedule schedule, Instant at) {
    return instanceOf(schedule, "@" + at.toEpochMilli());
  }

  /** The id of an instance that a request has asked for under a key. */
  public static InstanceId instanceOfKey(Schedule schedule, String key) {
    return instanceOf(schedule, "!" + key);
  }

  private static InstanceId instanceOf(Schedule schedule, String occurrence) {
    return DerivedIds.of(schedule.target().tenant(), schedule.id() + occurrence);
  }

  /** The occurrence that the schedule's timer stands for is due. */
  public @Nullable ScheduleChange fire(Schedule schedule, Instant at, FiringContext context) {
    var state = schedule.state();
    if (state.paused() || !at.equals(state.nextAt())) {
      return null;
    }
    var rules = ScheduleRules.of(schedule.timetable());
    var step = begin(schedule, context);
    var due = rules.dueAt(schedule.id(), at);
    if (isMissed(due, context.now())) {
      missed(step, schedule, rules, at, context.now());
    } else {
      occur(step, schedule, rules, at, at);
    }
    return step.change(due, context.now());
  }

  private boolean isMissed(Instant due, Instant now) {
    return Duration.between(due, now).compareTo(misfireThreshold) > 0;
  }

  /** Starts one and continues with the one after {@code last}. */
  private static void occur(
      Step step, Schedule schedule, ScheduleRules rules, Instant at, Instant last) {
    var run = new Run(at, instanceOf(schedule, at), null);
    step.admit(run, overlap(schedule));
    step.become(step.state().withNextAt(rules.after(last)));
  }

  private void missed(Step step, Schedule schedule, ScheduleRules rules, Instant at, Instant now) {
    switch (schedule.timetable().policies().misfire()) {
      case FireOnce -> {
        var latest = latestDue(schedule, rules, at, now);
        leaveOut(step, rules, at, latest);
        occur(step, schedule, rules, latest, latest);
      }
      case FireAll -> {
        var first = firstToCatchUp(schedule, rules, at, now);
        leaveOut(step, rules, at, first);
        occur(step, schedule, rules, first, first);
      }
      case Skip -> {
        var next = firstNotMissed(schedule, rules, at, now);
        var until = next == null ? now.plusMillis(1) : next;
        leaveOut(step, rules, at, until);
        step.become(step.state().withNextAt(next));
      }
    }
  }

  private static void leaveOut(Step step, ScheduleRules rules, Instant from, Instant before) {
    int count = rules.count(from, before, MISSED_COUNT_MAX);
    step.become(step.state().withCounts(step.state().counts().plusMissed(count)));
  }

  private static Instant latestDue(
      Schedule schedule, ScheduleRules rules, Instant at, Instant now) {
    var latest = rules.latest(at, now);
    if (!rules.dueAt(schedule.id(), latest).isAfter(now)) {
      return latest;
    }
    // Jitter has put it off, but no other one beyond it.
    return latestBefore(rules, at, latest);
  }

  /** Where more than may be caught up were missed, the first of the latest. */
  private static Instant firstToCatchUp(
      Schedule schedule, ScheduleRules rules, Instant at, Instant now) {
    int max = schedule.timetable().policies().catchUpMax();
    var until = now.plusMillis(1);
    if (rules.count(at, until, max + 1) <= max) {
      return at;
    }
    var first = rules.latest(at, now);
    for (int i = 1; i < max; i++) {
      first = rules.latest(at, first.minusMillis(1));
    }
    return first;
  }

  private @Nullable Instant firstNotMissed(
      Schedule schedule, ScheduleRules rules, Instant at, Instant now) {
    // No jitter goes beyond the next occurrence: what is before the latest of these was due by
    // then.
    Instant next = latestBefore(rules, at, now.minus(misfireThreshold));
    while (next != null && isMissed(rules.dueAt(schedule.id(), next), now)) {
      next = rules.after(next);
    }
    return next;
  }

  /** The latest occurrence before an instant, or else the one that is known. */
  private static Instant latestBefore(ScheduleRules rules, Instant known, Instant instant) {
    var until = instant.minusNanos(1);
    return until.isBefore(known) ? known : rules.latest(known, until);
  }

  /** An instance has ended, or could not begin. */
  public @Nullable ScheduleChange ended(
      Schedule schedule, InstanceId instance, boolean failed, Instant now) {
    var runs = instance.equals(schedule.state().running());
    if (!runs && !failed) {
      return null;
    }
    var step = new Step(schedule);
    if (failed) {
      step.become(step.state().withCounts(step.state().counts().plusFailed()));
    }
    if (runs) {
      step.settle();
    }
    return step.change(null, now);
  }

  /** Null when it is paused with that note. */
  public @Nullable ScheduleChange pause(Schedule schedule, @Nullable String note, Instant now) {
    var state = schedule.state();
    if (state.paused() && Objects.equals(note, state.note())) {
      return null;
    }
    var step = new Step(schedule);
    step.become(state.withPaused(true, note));
    return step.change(null, now);
  }

  /** Continues with the first occurrence after now; those of the pause are not misfires. */
  public @Nullable ScheduleChange resume(Schedule schedule, FiringContext context) {
    if (!schedule.state().paused()) {
      return null;
    }
    var step = begin(schedule, context);
    step.become(step.state().withPaused(false, null));
    var next = ScheduleRules.of(schedule.timetable()).after(context.now());
    step.become(step.state().withNextAt(next));
    step.release();
    return step.change(null, context.now());
  }

  /** Starts one now, paused or not, as the overlap policy lets it. */
  public ScheduleChange trigger(Schedule schedule, Run run, FiringContext context) {
    var step = begin(schedule, context);
    step.admit(run, overlap(schedule));
    return step.change(null, context.now());
  }

  /** The results of a backfill, occurrence by occurrence. */
  public record Backfilled(ScheduleChange change, Map<Instant, Verdict> verdicts) {}

  /**
   * Starts occurrences of the past in their order, as the overlap policy lets them.
   *
   * @param done instances that were started before: an occurrence starts one, however often
   */
  public Backfilled backfill(
      Schedule schedule, List<Instant> instants, Set<InstanceId> done, FiringContext context) {
    var step = begin(schedule, context);
    var verdicts = new LinkedHashMap<Instant, Verdict>();
    for (var at : instants) {
      var id = instanceOf(schedule, at);
      if (done.contains(id)) {
        verdicts.put(at, Verdict.None);
      } else {
        step.admit(new Run(at, id, null), overlap(schedule));
        verdicts.put(at, step.verdict());
      }
    }
    return new Backfilled(step.change(null, context.now()), verdicts);
  }

  /** Another rule or target: the next occurrence follows from now, its past stays. */
  public ScheduleChange update(
      Schedule schedule, Timetable timetable, Schedule.Target target, FiringContext context) {
    boolean sameRule = withPoliciesOf(timetable, schedule.timetable()).equals(timetable);
    var ruled = schedule.ruledBy(timetable, target);
    var step = begin(ruled, context);
    if (!sameRule && !step.state().paused()) {
      var next = ScheduleRules.of(timetable).after(context.now());
      step.become(step.state().withNextAt(next));
    }
    if (timetable.policies().overlap() == Overlap.Allow) {
      step.settle();
    }
    return step.change(null, context.now());
  }

  private static Timetable withPoliciesOf(Timetable from, Timetable rule) {
    return new Timetable(
        rule.recurrence(),
        rule.zone(),
        rule.startAt(),
        rule.endAt(),
        rule.jitter(),
        from.policies());
  }

  /** A new schedule; {@code state.nextAt} is null when it would never be due. */
  public static Schedule first(
      String id,
      Schedule.Origin origin,
      Timetable timetable,
      Schedule.Target target,
      Instant firstNotBefore,
      Instant now) {
    var next = ScheduleRules.of(timetable).atOrAfter(firstNotBefore);
    var state = Schedule.State.NEW.withNextAt(next);
    return new Schedule(id, origin, timetable, target, state, 1, now, now);
  }

  private static Step begin(Schedule schedule, FiringContext context) {
    var step = new Step(schedule);
    if (context.runningEnded()) {
      step.settle();
    }
    return step;
  }

  private static Overlap overlap(Schedule schedule) {
    return schedule.timetable().policies().overlap();
  }

  /** Ids of the instances that some occurrences would start. */
  public static List<InstanceId> instancesOf(Schedule schedule, List<Instant> instants) {
    var ids = new ArrayList<InstanceId>();
    instants.forEach(at -> ids.add(instanceOf(schedule, at)));
    return ids;
  }
}
