package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;

/** Figures of PostgreSQL that the engine cannot count. Thread-safe. */
public final class ServerMetrics {
  private final Database database;

  public ServerMetrics(Database database) {
    this.database = database;
  }

  /**
   * @param deadlocks in this database since its statistics were reset
   * @param lockWaits locks that a session waits for now
   * @param longestLockWait of those
   */
  public record Locking(long deadlocks, long lockWaits, Duration longestLockWait) {
    public static final Locking NONE = new Locking(0, 0, Duration.ZERO);
  }

  /** PostgreSQL 12 and 13 do not say since when a session waits. */
  private static final String LOCKING =
      """
      select coalesce((select deadlocks from pg_stat_database
                        where datname = current_database()), 0),
             count(*),
             coalesce(extract(epoch from clock_timestamp()
                 - min((to_json(waiting) ->> 'waitstart')::timestamptz)), 0)::float8
        from pg_locks waiting where not granted
      """;

  public Future<Locking> locking() {
    return database
        .run("look at locks", LOCKING, Tuple.tuple())
        .map(rows -> {
          var row = rows.iterator().next();
          long millis = (long) (row.getDouble(2) * 1000);
          return new Locking(row.getLong(0), row.getLong(1), Duration.ofMillis(millis));
        });
  }
}
