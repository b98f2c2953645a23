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
   */
  public record Firing(
      int inFlightMax, Duration retryDelay, Duration retryDelayMax, Payloads payloads) {}

  /**
   * Payloads of more than 1 KiB.
   *
   * @param bytesMax in bytes of memory
   * @param batchMax read by one statement
   * @param retryDelay until one is read again that could not be read; doubles each time
   * @param retriesMax 0: it is postponed after it was read alone once
   */
  public record Payloads(long bytesMax, int batchMax, Duration retryDelay, int retriesMax) {}

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
            new Payloads(
                s.bytes("timers.payload-bytes-max", "16MiB", 1 << 10, 1L << 30),
                s.integer("timers.payload-batch-max", "50", 1, 1_000),
                s.duration("timers.payload-retry-delay", "20ms", MS),
                s.integer("timers.payload-retries-max", "3", 0, 10))));
  }

  /** Rules over more than one key. */
  void check(Settings s) {
    s.require(
        leaseDuration.compareTo(pollInterval.multipliedBy(2)) >= 0,
        "timers.lease-duration: must be at least twice timers.poll-interval");
  }
}
