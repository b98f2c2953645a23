package skein.node.config;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import skein.model.WorkflowStatus;

/**
 * How long instances and other rows are kept.
 *
 * @param period instances after their end
 * @param statuses in its place, by status; empty: for ever
 * @param definitions in place of both, by definition id; empty: for ever
 */
public record RetentionConfig(
    boolean enabled,
    Duration period,
    Map<WorkflowStatus, Optional<Duration>> statuses,
    Map<String, Optional<Duration>> definitions,
    Duration auditKeep,
    Duration alterationsKeep,
    Sweeps sweeps) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** So long may a command be on its way, whose repetition is known by the journal. */
  private static final Duration KEEP_MIN = Duration.ofHours(1);

  /** {@code sliceRows}: deleted in one transaction. */
  public record Sweeps(
      Duration interval,
      int sliceRows,
      Duration pause,
      Duration statementTimeout,
      Duration lockTimeout) {}

  static RetentionConfig from(Settings s) {
    return new RetentionConfig(
        s.flag("retention.enabled", "false"),
        s.duration("retention.period", "30d", KEEP_MIN),
        s.periods("retention.statuses", KEEP_MIN, RetentionConfig::ended),
        s.periods("retention.definitions", KEEP_MIN, id -> id),
        s.duration("retention.audit-keep", "90d", KEEP_MIN),
        s.duration("retention.alterations-keep", "90d", KEEP_MIN),
        new Sweeps(
            s.duration("retention.sweep-interval", "1h", SECOND),
            s.integer("retention.slice-rows", "1000", 1, 100_000),
            s.duration("retention.pause", "100ms", Duration.ZERO),
            s.duration("retention.statement-timeout", "30s", SECOND),
            s.duration("retention.lock-timeout", "100ms", MS)));
  }

  private static WorkflowStatus ended(String name) {
    for (var status : WorkflowStatus.values()) {
      if (status.finished() && status.name().equalsIgnoreCase(name)) {
        return status;
      }
    }
    throw new IllegalArgumentException("must name Completed, Faulted or Cancelled");
  }
}
