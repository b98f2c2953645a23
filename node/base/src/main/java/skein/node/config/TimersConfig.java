package skein.node.config;

import java.time.Duration;

/**
 * Reading and firing timers.
 *
 * @param batchMax timers read at once
 */
public record TimersConfig(
    Duration leaseDuration, Duration pollInterval, Duration horizon, int batchMax, Firing firing) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /**
   * @param inFlightMax unanswered ones, for each node that executes
   * @param payloadBytesMax of large payloads, in bytes of memory
   */
  public record Firing(
      int inFlightMax, Duration retryDelay, Duration retryDelayMax, long payloadBytesMax) {}

  static TimersConfig from(Settings s) {
    return new TimersConfig(
        s.duration("timers.lease-duration", "10s", SECOND),
        s.duration("timers.poll-interval", "500ms", Duration.ofMillis(10)),
        s.duration("timers.horizon", "5s", MS),
        s.integer("timers.batch-max", "1000", 1, 100_000),
        new Firing(
            s.integer("timers.in-flight-max", "64", 1, 1_000_000),
            s.duration("timers.retry-delay", "2s", MS),
            s.duration("timers.retry-delay-max", "30s", MS),
            s.bytes("timers.payload-bytes-max", "16MiB", 1 << 10, 1L << 30)));
  }

  /** Rules over more than one key. */
  void check(Settings s) {
    s.require(
        leaseDuration.compareTo(pollInterval.multipliedBy(2)) >= 0,
        "timers.lease-duration: must be at least twice timers.poll-interval");
  }
}
