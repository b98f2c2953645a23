package skein.node.config;

import java.time.Duration;

/**
 * @param countsInterval from one count of instances and timers to the next
 * @param countsTimeMax one count may take
 * @param countsBusyMax percent of the time that counting may take the database
 * @param definitionsMax definitions whose instances are counted by themselves
 * @param tenantsMax tenants whose instances are counted by themselves
 */
public record MetricsConfig(
    boolean enabled,
    Duration countsInterval,
    Duration countsTimeMax,
    int countsBusyMax,
    int definitionsMax,
    int tenantsMax) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  static MetricsConfig from(Settings s) {
    return new MetricsConfig(
        s.flag("metrics.enabled", "true"),
        s.duration("metrics.counts-interval", "8s", MS.multipliedBy(100)),
        s.duration("metrics.counts-time-max", "60s", SECOND),
        s.integer("metrics.counts-busy-max", "2", 1, 100),
        s.integer("metrics.definitions-max", "200", 0, 100_000),
        s.integer("metrics.tenants-max", "100", 0, 10_000));
  }
}
