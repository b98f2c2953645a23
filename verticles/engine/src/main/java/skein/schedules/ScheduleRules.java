package skein.schedules;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.Recurrence;
import skein.model.StimulusHash;
import skein.model.Timetable;

/** The instants of a timetable. Each follows from the one before it, never from the clock. */
public final class ScheduleRules {
  private final Timetable timetable;
  private final Occurrences all;

  private ScheduleRules(Timetable timetable, Occurrences all) {
    this.timetable = timetable;
    this.all = all;
  }

  /** Throws {@link IllegalArgumentException} where its cron expression or a date is none. */
  public static ScheduleRules of(Timetable timetable) {
    return new ScheduleRules(timetable, occurrences(timetable));
  }

  private static Occurrences occurrences(Timetable timetable) {
    return switch (timetable.recurrence()) {
      case Recurrence.Cron(var expression) ->
          new ZonedCron(CronExpression.parse(expression), timetable.zone());
      case Recurrence.Interval(var every, var anchor) -> after -> grid(every, anchor, after);
      case Recurrence.Dates(var dates) -> {
        var instants = dates.stream().map(d -> DateTexts.instant(d, timetable.zone())).toList();
        yield after -> dates(instants, after);
      }
    };
  }

  private static Instant grid(Duration every, Instant anchor, Instant after) {
    if (after.isBefore(anchor)) {
      return anchor;
    }
    long step = every.toMillis();
    long passed = after.toEpochMilli() - anchor.toEpochMilli();
    return anchor.plusMillis((passed / step + 1) * step);
  }

  private static @Nullable Instant dates(List<Instant> instants, Instant after) {
    for (var instant : instants) {
      if (instant.isAfter(after)) {
        return instant;
      }
    }
    return null;
  }

  /** The first occurrence after an instant; null when there is none. */
  public @Nullable Instant after(Instant instant) {
    var start = timetable.startAt();
    var from = start != null && instant.isBefore(start) ? start.minusMillis(1) : instant;
    var found = all.after(from);
    var end = timetable.endAt();
    return found == null || (end != null && found.isAfter(end)) ? null : found;
  }

  /** The first occurrence at an instant or after it. */
  public @Nullable Instant atOrAfter(Instant instant) {
    return after(instant.minusMillis(1));
  }

  /** The first so many at an instant or after it. */
  public List<Instant> list(Instant from, @Nullable Instant until, int max) {
    var found = new ArrayList<Instant>();
    for (var at = atOrAfter(from);
        at != null && found.size() < max && (until == null || !at.isAfter(until));
        at = after(at)) {
      found.add(at);
    }
    return found;
  }

  /** The latest occurrence that is not after an instant, from one that is not. */
  Instant latest(Instant from, Instant until) {
    Occurrences bounded = this::after;
    return bounded.latest(from, until);
  }

  /** Occurrences from one on, before an instant; counts no further than {@code max}. */
  int count(Instant from, Instant before, int max) {
    Occurrences bounded = this::after;
    return bounded.count(from, before, max);
  }

  /**
   * When an occurrence is due: put off by its jitter, which is always the same and never beyond the
   * next occurrence.
   */
  public Instant dueAt(String scheduleId, Instant at) {
    long max = timetable.jitter().toMillis();
    if (max == 0) {
      return at;
    }
    var next = after(at);
    if (next != null) {
      max = Math.min(max, next.toEpochMilli() - at.toEpochMilli());
    }
    var hash = StimulusHash.id(scheduleId + "@" + at.toEpochMilli());
    long drawn = Long.parseUnsignedLong(hash.substring(0, 15), 16);
    return at.plusMillis(drawn % (max + 1));
  }
}
