package skein.node.config;

import java.time.Duration;

/** {@code nextMax}: instants that one request lists. */
public record SchedulesConfig(
    int datesMax, Duration jitterMax, int catchUpMax, int backfillMax, int nextMax) {
  static SchedulesConfig from(Settings s) {
    return new SchedulesConfig(
        s.integer("schedules.dates-max", "1000", 1, 100_000),
        s.duration("schedules.jitter-max", "1d", Duration.ZERO),
        s.integer("schedules.catch-up-max", "1000", 1, 100_000),
        s.integer("schedules.backfill-max", "1000", 1, 100_000),
        s.integer("schedules.next-max", "1000", 1, 100_000));
  }
}
