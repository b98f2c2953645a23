package skein.node.config;

import java.time.Duration;

/**
 * Jobs of workers outside the cluster.
 *
 * @param payloadCharsMax characters of the payload of one job as JSON
 * @param batchMax jobs of one request
 */
public record JobsConfig(Leases leases, Polls polls, int payloadCharsMax, int batchMax) {
  private static final Duration MS = Duration.ofMillis(1);

  /**
   * @param byDefault of a worker that does not say for how long it leases
   * @param max that a worker may ask for
   * @param lostMax leases of one job that may expire before its activity fails
   * @param perWorkerMax jobs that workers of one name have at one time
   */
  public record Leases(Duration byDefault, Duration max, int lostMax, int perWorkerMax) {}

  /**
   * Requests that wait for jobs.
   *
   * @param waitMax that one may wait
   * @param max of one node at one time
   * @param interval between two looks of a node for jobs of which it was not notified
   */
  public record Polls(Duration waitMax, int max, Duration interval) {}

  static JobsConfig from(Settings s) {
    return new JobsConfig(
        new Leases(
            s.duration("jobs.lease-default", "30s", MS),
            s.duration("jobs.lease-max", "1h", MS),
            s.integer("jobs.leases-lost-max", "5", 1, 1000),
            s.integer("jobs.leased-max", "1000", 1, 10_000)),
        new Polls(
            s.duration("jobs.wait-max", "20s", MS),
            s.integer("jobs.polls-max", "1000", 1, 1_000_000),
            s.duration("jobs.poll-interval", "1s", MS)),
        s.integer("jobs.payload-chars-max", "65536", 1, 10_000_000),
        s.integer("jobs.batch-max", "100", 1, 1000));
  }
}
