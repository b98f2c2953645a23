package skein.node.bench;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;

/** Counters of PostgreSQL. */
final class DatabaseCounters {
  private static final List<String> TOLD =
      List.of(
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "shared_buffers",
          "wal_level",
          "wal_sync_method",
          "wal_compression",
          "wal_buffers",
          "max_wal_size",
          "checkpoint_timeout",
          "commit_delay",
          "track_commit_timestamp",
          "autovacuum");
  private static final String LOG_AND_IDS =
      """
      select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::int8 as wal,
             txid_snapshot_xmax(txid_current_snapshot()) as writes
      """;

  /** {@code pg_stat_database} is of the whole database, so nothing else should use it. */
  private static final String ROWS =
      """
      select (select xact_commit from pg_stat_database where datname = current_database()) as commits,
             (select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int8
                from pg_stat_user_tables where schemaname = $1) as changed
      """;

  /** Those of this program are left out. */
  private static final String SESSIONS =
      """
      select count(*) as sessions from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend'
         and application_name <> current_setting('application_name')
      """;

  private static final Duration STILL = Duration.ofMillis(400);
  private static final Duration STILL_MAX = Duration.ofSeconds(5);

  private final Sql sql;

  DatabaseCounters(Sql sql) {
    this.sql = sql;
  }

  /**
   * Exact at once.
   *
   * @param walBytes ever written to the log
   * @param writes transactions that were given a number, which those that only read are not
   */
  record Written(long walBytes, long writes) {}

  Written written() {
    var row = sql.row(LOG_AND_IDS);
    return new Written(row.getLong("wal"), row.getLong("writes"));
  }

  /** How many sessions other programs have at this database. */
  long sessions() {
    return sql.row(SESSIONS).getLong("sessions");
  }

  /**
   * Told by sessions some time afterwards.
   *
   * @param commits of the database, those that only read too
   * @param changed rows inserted, updated and deleted in the schema
   */
  record Counted(long commits, long changed) {
    Counted minus(Counted earlier) {
      return new Counted(commits - earlier.commits, changed - earlier.changed);
    }
  }

  /** Waits until the figures no longer change. */
  Counted counted() {
    long end = System.nanoTime() + STILL_MAX.toNanos();
    var last = countedNow();
    while (System.nanoTime() < end) {
      Pause.of(STILL);
      var now = countedNow();
      if (now.changed == last.changed) {
        return now;
      }
      last = now;
    }
    return last;
  }

  private Counted countedNow() {
    var row = sql.row(ROWS, sql.schema());
    return new Counted(row.getLong("commits"), row.getLong("changed"));
  }

  /** The settings that say what a commit is worth, by name. */
  JsonObject settings() {
    var settings = new JsonObject();
    var rows =
        sql.rows(
            "select name, current_setting(name) as value from pg_settings where name = any($1)",
            (Object) TOLD.toArray(String[]::new));
    for (var row : rows) {
      settings.put(row.getString("name"), row.getString("value"));
    }
    return settings;
  }

  String version() {
    return sql.row("select current_setting('server_version') as version").getString("version");
  }
}
