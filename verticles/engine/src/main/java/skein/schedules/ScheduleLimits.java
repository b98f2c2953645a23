package skein.schedules;

import java.time.Duration;

/**
 * Bounds of schedules.
 *
 * @param misfireThreshold an occurrence that is later than this was missed
 * @param datesMax dates of one schedule
 * @param jitterMax longest jitter
 * @param catchUpMax late occurrences that one schedule may still start
 * @param backfillMax occurrences that one request starts again
 * @param previewMax instants that one request lists
 */
public record ScheduleLimits(
    Duration misfireThreshold,
    int datesMax,
    Duration jitterMax,
    int catchUpMax,
    int backfillMax,
    int previewMax) {
  public static final ScheduleLimits DEFAULT =
      new ScheduleLimits(Duration.ofSeconds(60), 1_000, Duration.ofDays(1), 1_000, 1_000, 1_000);
}
