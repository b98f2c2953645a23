package skein.jobs;

import java.time.Duration;

/**
 * The limits of workers' requests.
 *
 * @param leaseDefault of a worker that does not say for how long it leases
 * @param leaseMax that a worker may ask for
 * @param batchMax jobs of one request
 * @param leasedMax jobs that workers of one name have at one time
 * @param waitMax that a request may wait for jobs
 * @param pollsMax requests that wait on one node
 * @param pollInterval between two looks of a node for jobs of which it was not notified
 */
public record JobOptions(
    Duration leaseDefault,
    Duration leaseMax,
    int batchMax,
    int leasedMax,
    Duration waitMax,
    int pollsMax,
    Duration pollInterval) {
  /** 30 s, at most 1 h; 100 jobs, 1,000 of one worker; 20 s, 1,000 requests, 1 s. */
  public static final JobOptions DEFAULT =
      new JobOptions(
          Duration.ofSeconds(30),
          Duration.ofHours(1),
          100,
          1_000,
          Duration.ofSeconds(20),
          1_000,
          Duration.ofSeconds(1));

  public JobOptions {
    if (batchMax < 1 || leasedMax < 1 || pollsMax < 1) {
      throw new IllegalArgumentException(
          "batchMax %d, leasedMax %d, pollsMax %d: 1 or more"
              .formatted(batchMax, leasedMax, pollsMax));
    }
    if (pollInterval.toMillis() < 1) {
      throw new IllegalArgumentException("pollInterval " + pollInterval + ": 1 ms or more");
    }
  }
}
