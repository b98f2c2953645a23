package skein.node.config;

import java.time.Duration;

/**
 * Of the console, and of what it follows; {@code recentMax}: instances of the overview; {@code
 * hub}: what Elsa's clients follow.
 */
public record ConsoleConfig(
    boolean enabled,
    Duration liveInterval,
    int readersMax,
    int topicsMax,
    Duration streamMax,
    int recentMax,
    HubConfig hub) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  static ConsoleConfig from(Settings s) {
    return new ConsoleConfig(
        s.flag("console.enabled", "false"),
        s.duration("live.interval", "1s", MS.multipliedBy(200)),
        s.integer("live.readers-max", "200", 1, 100_000),
        s.integer("live.topics-max", "50", 1, 10_000),
        s.duration("live.stream-max", "5m", SECOND),
        s.integer("live.overview-instances-max", "10000", 100, 1_000_000),
        HubConfig.from(s));
  }
}
