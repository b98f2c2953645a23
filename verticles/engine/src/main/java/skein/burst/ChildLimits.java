package skein.burst;

import java.time.Duration;

/**
 * How many other instances an instance may start.
 *
 * @param perBurstMax in one burst
 * @param waitingMax instances that wait for one another, one above the other
 * @param causesMax instances of which each started the next, see {@link Ancestry}
 * @param startGrace how long a dispatched start may take before its timer runs it
 */
public record ChildLimits(int perBurstMax, int waitingMax, int causesMax, Duration startGrace) {
  public static final ChildLimits DEFAULT =
      new ChildLimits(20_000, 64, 10_000, Duration.ofSeconds(10));

  public ChildLimits {
    if (perBurstMax < 1 || waitingMax < 1 || causesMax < 1) {
      throw new IllegalArgumentException(
          "Limits of children start at 1: " + perBurstMax + ", " + waitingMax + ", " + causesMax);
    }
  }

  /** The same with another time for starts. */
  public ChildLimits withStartGrace(Duration next) {
    return new ChildLimits(perBurstMax, waitingMax, causesMax, next);
  }
}
