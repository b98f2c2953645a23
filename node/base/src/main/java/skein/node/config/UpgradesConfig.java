package skein.node.config;

import java.time.Duration;

/**
 * Nodes of two versions on one database.
 *
 * @param rollbackWindow nothing is stored that a node that was there within it could not read
 * @param lookInterval between two looks at what the other nodes read and which definitions changed
 * @param migrationLockTimeout how long a migration lets others wait behind it
 * @param migrationRetriesMax how often one is tried again that has not had its locks
 */
public record UpgradesConfig(
    Duration rollbackWindow,
    Duration lookInterval,
    Duration migrationLockTimeout,
    int migrationRetriesMax) {
  private static final Duration MS = Duration.ofMillis(1);

  static UpgradesConfig from(Settings s) {
    return new UpgradesConfig(
        s.duration("upgrades.rollback-window", "1d", Duration.ZERO),
        s.duration("upgrades.look-interval", "2s", MS),
        s.duration("upgrades.migration-lock-timeout", "1s", MS),
        s.integer("upgrades.migration-retries-max", "300", 0, 1_000_000));
  }
}
