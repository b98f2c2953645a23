package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import org.jspecify.annotations.Nullable;
import skein.model.RuntimePause;

/** Whether the runtime is paused, for all nodes on this database. Thread-safe. */
public final class PauseStore {
  private final Database database;

  public PauseStore(Database database) {
    this.database = database;
  }

  static final String READ = "select paused_at, reason, requested_by from runtime_pause";

  /** Null: it is not paused. */
  public Future<@Nullable RuntimePause> read() {
    return database.run("look for a pause", READ, Tuple.tuple()).map(PauseStore::pause);
  }

  /** Of several concurrent ones, one makes the row, and the others read it. */
  static final String PAUSE =
      """
      insert into runtime_pause (reason, requested_by) values ($1, $2)
      on conflict (single) do update set single = true
      returning paused_at, reason, requested_by
      """;

  /** The pause from now on; that of before, where it is paused already. */
  public Future<@Nullable RuntimePause> pause(@Nullable String reason, @Nullable String by) {
    return database.run("pause the runtime", PAUSE, Tuple.of(reason, by)).map(PauseStore::pause);
  }

  /** Without effect where it is not paused. */
  public Future<Void> resume() {
    return database
        .run("resume the runtime", "delete from runtime_pause", Tuple.tuple())
        .mapEmpty();
  }

  private static @Nullable RuntimePause pause(RowSet<Row> rows) {
    for (var row : rows) {
      return new RuntimePause(
          row.getOffsetDateTime("paused_at").toInstant(),
          row.getString("reason"),
          row.getString("requested_by"));
    }
    return null;
  }
}
