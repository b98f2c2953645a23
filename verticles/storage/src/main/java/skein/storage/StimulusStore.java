package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Cursor;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;

/** Finds who waits for a stimulus, and hands events to many of them durably. Thread-safe. */
public final class StimulusStore implements StimulusRows {
  /** Bookmarks that are read with one statement; more are fetched so many at a time. */
  private static final int PORTION = 1_001;

  private final Database database;
  private final DeliveryInserts inserts;

  public StimulusStore(Database database) {
    this.database = database;
    this.inserts = new DeliveryInserts(database);
  }

  /** Reads in the order of the index, so that no more are read than are wanted. */
  static final String WAITING =
      "select id from bookmarks where hash = $1 order by correlation_id limit $2";

  static final String WAITING_CORRELATED =
      "select id from bookmarks where hash = $1 and correlation_id = $2 limit $3";

  /**
   * The ids of an instance's bookmarks begin with its own and a dash; behind it comes the dot. The
   * hash is hidden from its index, in which a million others may wait.
   */
  static final String WAITING_IN_INSTANCE =
      """
      select id from bookmarks
       where id >= $2::text || '-' and id < $2 || '.' and workflow_instance_id = $2
         and hash || '' = $1 and ($3::text is null or correlation_id = $3)
       limit $4
      """;

  static final String FIRST_WAITING = first("true");

  static final String FIRST_CORRELATED = first("b.correlation_id = $3");

  /** Each hash by the index, so that what waits for others is not read. */
  private static String first(String condition) {
    return """
    select h.place, w.id
      from unnest($1::text[]) with ordinality as h (hash, place)
     cross join lateral (
       select b.id from bookmarks b where b.hash = h.hash and %s
        order by b.correlation_id limit $2) w
     order by h.place limit $2
    """
        .formatted(condition);
  }

  static final String FIRST_IN_INSTANCE =
      """
      select array_position($1::text[], hash)::bigint as place, id from bookmarks
       where id >= $3::text || '-' and id < $3 || '.' and workflow_instance_id = $3
         and hash || '' = any($1::text[]) and ($4::text is null or correlation_id = $4)
       order by place limit $2
      """;

  @Override
  public Future<First> firstWaiting(
      List<String> hashes,
      @Nullable String correlationId,
      @Nullable InstanceId instanceId,
      int max) {
    var parameters = Tuple.tuple().addValue(hashes.toArray(String[]::new)).addInteger(max);
    String sql;
    if (instanceId != null) {
      sql = FIRST_IN_INSTANCE;
      parameters.addString(instanceId.value()).addString(correlationId);
    } else if (correlationId != null) {
      sql = FIRST_CORRELATED;
      parameters.addString(correlationId);
    } else {
      sql = FIRST_WAITING;
    }
    return database
        .run("look for bookmarks", sql, parameters)
        .map(rows -> {
          long place = 1;
          var ids = new ArrayList<String>();
          for (var row : rows) {
            place = ids.isEmpty() ? row.getLong(0) : place;
            if (row.getLong(0) == place) {
              ids.add(row.getString(1));
            }
          }
          return new First((int) place - 1, ids.stream().sorted().map(BookmarkId::parse).toList());
        });
  }

  /**
   * Bookmarks that wait for a stimulus, in order of their ids.
   *
   * @param correlationId null means any
   * @param instanceId null means any
   * @param max more than so many are left out, whichever they are
   */
  @Override
  public Future<List<BookmarkId>> waiting(
      String hash, @Nullable String correlationId, @Nullable InstanceId instanceId, int max) {
    var what = "look for bookmarks";
    var sql =
        instanceId != null
            ? WAITING_IN_INSTANCE
            : correlationId == null ? WAITING : WAITING_CORRELATED;
    var parameters =
        instanceId != null
            ? Tuple.of(hash, instanceId.value(), correlationId, max)
            : correlationId == null ? Tuple.of(hash, max) : Tuple.of(hash, correlationId, max);
    if (max > PORTION) {
      return inPortions(what, "select id from (" + sql + ") as waiting " + ORDER, parameters);
    }
    return database
        .run(what, sql, parameters)
        .map(rows -> {
          var ids = new ArrayList<String>();
          rows.forEach(row -> ids.add(row.getString(0)));
          return ids.stream().sorted().map(BookmarkId::parse).toList();
        });
  }

  /** As strings of Java are compared, but for those beyond the Basic Multilingual Plane. */
  private static final String ORDER = "order by id collate \"C\"";

  /** Sorted by the database, and never more of them read at once than an event loop reads fast. */
  private Future<List<BookmarkId>> inPortions(String what, String sql, Tuple parameters) {
    var found = new ArrayList<BookmarkId>();
    return database.inTransaction(
        what,
        connection ->
            connection
                .prepare(sql)
                .compose(statement -> {
                  var cursor = statement.cursor(parameters);
                  return read(cursor, found)
                      .eventually(() -> cursor.close())
                      .eventually(() -> statement.close());
                })
                .map(_ -> List.copyOf(found)));
  }

  private Future<Void> read(Cursor cursor, List<BookmarkId> found) {
    return database
        .timed(() -> cursor.read(PORTION))
        .compose(rows -> {
          rows.forEach(row -> found.add(BookmarkId.parse(row.getString(0))));
          return cursor.hasMore() ? read(cursor, found) : Future.succeededFuture();
        });
  }

  static final String TRIGGERS =
      """
      select id, workflow_definition_id, workflow_definition_version_id, activity_id
        from triggers where hash = $1 order by id
      """;

  @Override
  public Future<List<Match>> triggers(String hash) {
    return database
        .run("look for triggers", TRIGGERS, Tuple.of(hash))
        .map(rows -> {
          var found = new ArrayList<Match>();
          for (Row row : rows) {
            found.add(
                new Match(row.getString(0), row.getString(1), row.getString(2), row.getString(3)));
          }
          return found;
        });
  }

  @Override
  public Future<Boolean> deliverOnce(
      Transition.Kept kept, UUID claim, List<Timer> deliveries, Buffer list, double graceSeconds) {
    return inserts.withKey(kept, claim, deliveries, list, graceSeconds);
  }

  @Override
  public Future<Void> deliver(String eventTimerId, List<Timer> deliveries, double graceSeconds) {
    return inserts.ofEvent(eventTimerId, deliveries, graceSeconds);
  }
}
