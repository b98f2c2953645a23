package skein.node.config;

import java.time.Duration;

/** How commands are executed, and the limits of one instance. */
public record ExecutionConfig(
    int lanes,
    int queueMax,
    int queuePerInstanceMax,
    int followersMax,
    Duration lockTimeout,
    Duration lockExpiry,
    Duration lockHandover,
    Duration lockAnswerMax,
    int databaseLocksMax,
    Duration lockRetryDelay,
    Duration lockRetryDelayMax,
    int conflictRetries,
    Commits commits,
    int cacheInstancesMax,
    PerInstance perInstance,
    Duration commandTimeout,
    Duration answerTimeout,
    FlowchartMode flowchartMode,
    Scripts scripts,
    Starts starts) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int MANY = 1_000_000_000;

  /** How flowcharts run that do not say it themselves. */
  public enum FlowchartMode {
    COUNTER,
    TOKEN
  }

  /** Where the number is not set: each has a connection of its own. */
  private static final int LANES_MAX = 8;

  /**
   * Threads for bursts with scripts.
   *
   * @param perDefinitionMax bursts that wait for one
   * @param longTime who takes longer leaves a thread to others
   * @param heavyShare percent of the processors that heavy work may take together
   * @param heavyAfter work that takes no longer is not heavy
   */
  public record Scripts(
      int threads, int perDefinitionMax, Duration longTime, int heavyShare, Duration heavyAfter) {}

  /** How a lane commits. */
  public record Commits(
      int batchMax,
      int flightsMax,
      int overlapMin,
      int statementUsesMax,
      int attemptsMax,
      Duration retryDelay,
      Duration waitMax) {}

  /**
   * What one instance may use up; past it, it faults.
   *
   * @param bookmarkExpiry how long it waits for an external caller; zero: for ever
   */
  public record PerInstance(
      int stepsPerBurstMax,
      int activitiesMax,
      int bookmarksMax,
      Duration bookmarkExpiry,
      int incidentsMax,
      int childrenPerBurstMax,
      int waitingParentsMax,
      int causesMax,
      int journalValueMax,
      int journalCharsPerBurstMax,
      int journalEntriesPerBurstMax,
      int stateBytesMax) {}

  /**
   * How many instances there may be.
   *
   * @param innerPerSecondMax of one definition, on a node, that other instances want
   * @param innerInFlightMax of a lane that are decided and committed at one time
   * @param instancesPerDefinitionMax unfinished ones in the cluster; 0: any number
   */
  public record Starts(
      int innerPerSecondMax, int innerInFlightMax, int instancesPerDefinitionMax) {}

  static ExecutionConfig from(Settings s) {
    return new ExecutionConfig(
        lanes(s.integer("execution.lanes", "0", 0, 256)),
        s.integer("execution.queue-max", "10000", 1, MANY),
        s.integer("execution.queue-per-instance-max", "2000", 1, MANY),
        s.integer("execution.followers-max", "100", 1, MANY),
        s.duration("execution.lock-timeout", "30s", MS),
        s.duration("execution.lock-expiry", "30s", SECOND),
        s.duration("execution.lock-handover", "250ms", MS),
        s.duration("execution.lock-answer-max", "2s", MS),
        s.integer("execution.database-locks-max", "1000", 1, MANY),
        s.duration("execution.lock-retry-delay", "50ms", MS),
        s.duration("execution.lock-retry-delay-max", "500ms", MS),
        s.integer("execution.conflict-retries", "5", 0, 1000),
        new Commits(
            s.integer("execution.batch-max", "200", 1, 10_000),
            s.integer("execution.commits-in-flight-max", "2", 1, 16),
            s.integer("execution.commit-overlap-min", "24", 1, 10_000),
            s.integer("execution.commit-statement-uses-max", "200", 1, MANY),
            s.integer("execution.commit-attempts-max", "5", 1, 1000),
            s.duration("execution.commit-retry-delay", "100ms", MS),
            s.duration("execution.commit-wait-max", "5s", MS)),
        s.integer("execution.cache-instances-max", "100000", 0, MANY),
        new PerInstance(
            s.integer("execution.steps-per-burst-max", "100000", 1, MANY),
            s.integer("execution.activities-max", "10000", 1, MANY),
            s.integer("execution.bookmarks-max", "1000", 1, MANY),
            s.duration("execution.bookmark-expiry", "0s", Duration.ZERO),
            s.integer("execution.incidents-max", "100", 1, MANY),
            s.integer("execution.children-per-burst-max", "20000", 1, MANY),
            s.integer("execution.waiting-parents-max", "64", 1, 10_000),
            s.integer("execution.causes-max", "10000", 1, MANY),
            s.integer("execution.journal-value-max", "65536", 100, MANY),
            s.integer("execution.journal-chars-per-burst-max", "1048576", 100, MANY),
            s.integer("execution.journal-entries-per-burst-max", "10000", 10, MANY),
            s.integer("execution.state-bytes-max", "8388608", 10_000, MANY)),
        s.duration("execution.command-timeout", "10s", MS),
        s.duration("execution.answer-timeout", "0s", Duration.ZERO),
        s.choice("execution.flowchart-mode", FlowchartMode.COUNTER),
        new Scripts(
            s.integer("execution.script-threads", "2", 1, 1000),
            s.integer("execution.scripts-per-definition-max", "5000", 1, MANY),
            s.duration("execution.script-long-time", "250ms", MS),
            s.integer("execution.heavy-share", "25", 1, 100),
            s.duration("execution.heavy-after", "10ms", Duration.ZERO)),
        new Starts(
            s.integer("execution.inner-starts-per-second-max", "1000", 1, 1_000_000),
            s.integer("execution.inner-starts-in-flight-max", "16", 1, MANY),
            s.integer("execution.instances-per-definition-max", "1000000", 0, MANY)));
  }

  /** One is enough for two processors: fewer lanes make larger commits. */
  private static int lanes(int number) {
    return number > 0
        ? number
        : Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, LANES_MAX);
  }
}
