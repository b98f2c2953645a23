package skein.burst;

import java.time.Duration;

/**
 * What one instance may use up. Whoever goes past a limit faults; nothing is cut off silently.
 *
 * @param stepsMax activities executed or resumed in one burst
 * @param executionsMax executions of an instance that are not over
 * @param bookmarksMax open bookmarks of an instance
 * @param incidentsMax incidents that are kept; later ones are only in the journal
 * @param startGrace how long a dispatched start may take before its timer runs it
 */
public record BurstLimits(
    int stepsMax, int executionsMax, int bookmarksMax, int incidentsMax, Duration startGrace) {
  public static final BurstLimits DEFAULT =
      new BurstLimits(10_000, 10_000, 1_000, 100, Duration.ofSeconds(10));

  public BurstLimits {
    if (stepsMax < 1 || executionsMax < 1 || bookmarksMax < 1 || incidentsMax < 1) {
      throw new IllegalArgumentException(
          "Limits of a burst start at 1: "
              + stepsMax
              + ", "
              + executionsMax
              + ", "
              + bookmarksMax
              + ", "
              + incidentsMax);
    }
  }
}
