package skein.schedules;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression in a time zone, as instants. Between two changes of the offset both run alike;
 * at a change, as Vixie cron and Cronos have it:
 *
 * <ul>
 *   <li>Clocks go forward: times of the day that do not exist, of an expression whose hours are
 *       single numbers, fire once for all of them at the first instant after the gap. Any other
 *       expression goes by the times that exist.
 *   <li>Clocks go back: an expression whose seconds, minutes and hours are single numbers fires the
 *       first time only. Any other fires both times, so that its rhythm continues.
 * </ul>
 */
public final class ZonedCron implements Occurrences {
  private final CronExpression cron;
  private final ZoneRules rules;

  public ZonedCron(CronExpression cron, ZoneId zone) {
    this.cron = cron;
    this.rules = zone.getRules();
  }

  @Override
  public @Nullable Instant after(Instant instant) {
    var at = instant.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    while (true) {
      var before = rules.previousTransition(at.plusNanos(1));
      if (before != null && before.getInstant().equals(at) && fillsGap(before)) {
        return at;
      }
      var local = LocalDateTime.ofEpochSecond(at.getEpochSecond(), 0, rules.getOffset(at));
      var found = cron.atOrAfter(before == null ? local : unrepeated(before, local));
      if (found == null) {
        return null;
      }
      var next = rules.nextTransition(at);
      var candidate = found.toInstant(offset(before, at));
      if (next == null || candidate.isBefore(next.getInstant())) {
        return candidate;
      }
      at = next.getInstant();
    }
  }

  private ZoneOffset offset(@Nullable ZoneOffsetTransition before, Instant at) {
    return before == null ? rules.getOffset(at) : before.getOffsetAfter();
  }

  private boolean fillsGap(ZoneOffsetTransition change) {
    if (!change.isGap() || !cron.hasFixedHours()) {
      return false;
    }
    var skipped = cron.atOrAfter(change.getDateTimeBefore());
    return skipped != null && skipped.isBefore(change.getDateTimeAfter());
  }

  /** Where to continue from: a fixed time is over when the clock shows it again. */
  private LocalDateTime unrepeated(ZoneOffsetTransition before, LocalDateTime local) {
    return before.isOverlap() && cron.isFixed() && local.isBefore(before.getDateTimeBefore())
        ? before.getDateTimeBefore()
        : local;
  }
}
