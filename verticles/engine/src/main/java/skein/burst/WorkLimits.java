package skein.burst;

import java.time.Duration;

/**
 * The limits of work outside.
 *
 * @param lease how long work outside counts as lost when the node that does it falls silent
 * @param lostMax nodes that may be lost over one piece of work before it fails
 * @param jobLeasesLostMax leases of one job that may expire before it fails
 * @param jobPayloadCharsMax characters of the payload of a job as JSON
 */
public record WorkLimits(
    Duration lease, int lostMax, int jobLeasesLostMax, int jobPayloadCharsMax) {
  public static final WorkLimits DEFAULT = new WorkLimits(Duration.ofSeconds(10), 3, 5, 65_536);

  /** With the default limits of jobs. */
  public WorkLimits(Duration lease, int lostMax) {
    this(lease, lostMax, DEFAULT.jobLeasesLostMax, DEFAULT.jobPayloadCharsMax);
  }

  public WorkLimits {
    if (lostMax < 1 || jobLeasesLostMax < 1 || jobPayloadCharsMax < 1) {
      throw new IllegalArgumentException("Limits of work outside start at 1");
    }
  }
}
