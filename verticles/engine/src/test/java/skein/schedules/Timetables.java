package skein.schedules;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import skein.model.Recurrence;
import skein.model.Timetable;
import skein.model.Timetable.Misfire;
import skein.model.Timetable.Overlap;
import skein.model.Timetable.Policies;

/** Timetables for tests. */
final class Timetables {
  private Timetables() {}

  static Timetable cron(String expression, String zone) {
    return of(new Recurrence.Cron(expression), zone, Policies.DEFAULT);
  }

  static Timetable every(Duration interval, Instant anchor) {
    return of(new Recurrence.Interval(interval, anchor), "UTC", Policies.DEFAULT);
  }

  static Timetable dates(String... dates) {
    return of(new Recurrence.Dates(List.of(dates)), "UTC", Policies.DEFAULT);
  }

  static Timetable of(Recurrence recurrence, String zone, Policies policies) {
    return new Timetable(recurrence, ZoneId.of(zone), null, null, Duration.ZERO, policies);
  }

  static Timetable with(Timetable base, Misfire misfire, int catchUpMax) {
    return with(base, new Policies(misfire, catchUpMax, base.policies().overlap()));
  }

  static Timetable with(Timetable base, Overlap overlap) {
    var policies = base.policies();
    return with(base, new Policies(policies.misfire(), policies.catchUpMax(), overlap));
  }

  private static Timetable with(Timetable base, Policies policies) {
    return new Timetable(
        base.recurrence(), base.zone(), base.startAt(), base.endAt(), base.jitter(), policies);
  }

  static Timetable jittered(Timetable base, Duration jitter) {
    return new Timetable(
        base.recurrence(), base.zone(), base.startAt(), base.endAt(), jitter, base.policies());
  }

  static Timetable between(Timetable base, Instant startAt, Instant endAt) {
    return new Timetable(
        base.recurrence(), base.zone(), startAt, endAt, base.jitter(), base.policies());
  }
}
