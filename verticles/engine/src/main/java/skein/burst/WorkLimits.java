package skein.burst;

import java.time.Duration;

/**
 * How long work outside is waited for.
 *
 * @param lease how long it counts as lost when the node that does it falls silent
 * @param lostMax nodes that may be lost over one piece of work before it fails; 1 or more
 */
public record WorkLimits(Duration lease, int lostMax) {
  public static final WorkLimits DEFAULT = new WorkLimits(Duration.ofSeconds(10), 3);

  public WorkLimits {
    if (lostMax < 1) {
      throw new IllegalArgumentException("lostMax is " + lostMax + ", not 1 or more");
    }
  }
}
