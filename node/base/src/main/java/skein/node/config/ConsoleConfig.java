package skein.node.config;

import java.time.Duration;

/**
 * The console, and the states that it follows; {@code tour}: a guided tour, in which nodes may be
 * killed; {@code hub}: what Elsa's clients follow.
 */
public record ConsoleConfig(boolean enabled, boolean tour, Live live, HubConfig hub) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** States that are followed; {@code recentMax}: instances of the overview. */
  public record Live(
      Duration interval,
      int readersMax,
      int topicsMax,
      Duration streamMax,
      int recentMax,
      Search search) {}

  /**
   * What one search of the data of instances may cost.
   *
   * @param instancesMax instances that are read
   * @param timeMax for how long they are read
   * @param concurrentMax searches that one event loop answers at a time
   */
  public record Search(int instancesMax, Duration timeMax, int concurrentMax) {}

  static ConsoleConfig from(Settings s) {
    return new ConsoleConfig(
        s.flag("console.enabled", "false"),
        s.flag("console.tour", "false"),
        new Live(
            s.duration("live.interval", "1s", MS.multipliedBy(200)),
            s.integer("live.readers-max", "200", 1, 100_000),
            s.integer("live.topics-max", "50", 1, 10_000),
            s.duration("live.stream-max", "5m", SECOND),
            s.integer("live.overview-instances-max", "10000", 100, 1_000_000),
            new Search(
                s.integer("live.search-instances-max", "10000", 100, 1_000_000),
                s.duration("live.search-time-max", "2s", MS.multipliedBy(100)),
                s.integer("live.search-concurrent-max", "2", 1, 1_000))),
        HubConfig.from(s));
  }
}
