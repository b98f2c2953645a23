package skein.storage;

/** Others did not let a migration have its locks, however often it was tried. */
public final class SchemaLockedException extends RuntimeException {
  SchemaLockedException(int version, int attempts, Throwable last) {
    super(
        "Version "
            + version
            + " of the schema was tried "
            + attempts
            + " times and did not get its locks: end the transactions that stay open"
            + " (pg_stat_activity has their xact_start, pg_blocking_pids who waits for whom), or"
            + " raise upgrades.migration-retries-max, and start this node again",
        last);
  }
}
