package skein.storage;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Tuple;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index by which each of several shards reads its own timers alone. One shard needs none, so it
 * costs nothing without shards.
 */
public final class ShardIndex {
  private static final Logger log = LoggerFactory.getLogger(ShardIndex.class);

  /** Any number that no other program uses for this database. */
  private static final long LOCK = 0x5AE1_0002L;

  private final Database database;

  public ShardIndex(Database database) {
    this.database = database;
  }

  /**
   * Makes the index for so many shards where it is missing, which blocks access to the timers for
   * about two seconds a million timers, and drops those that no node uses any more. May be
   * repeated, by any number of nodes.
   */
  public Future<Void> prepare(int shards) {
    return database
        .connection(Map.of("statement_timeout", "0"))
        .compose(connection ->
            prepare(connection, shards)
                .eventually(connection::close)
                .recover(e ->
                    Future.failedFuture(DatabaseErrors.explain("prepare the index of shards", e))));
  }

  private Future<Void> prepare(PgConnection connection, int shards) {
    return connection
        .begin()
        .compose(transaction ->
            connection
                .query("select pg_advisory_xact_lock(" + LOCK + ")")
                .execute()
                .compose(_ -> make(connection, shards))
                .compose(_ -> dropOthers(connection, shards))
                .compose(_ -> transaction.commit()));
  }

  static String name(int shards) {
    return "timers_shard_of_" + shards;
  }

  private static Future<?> make(PgConnection connection, int shards) {
    if (shards == 1) {
      return Future.succeededFuture();
    }
    return connection
        .query("select to_regclass('%s') is null".formatted(name(shards)))
        .execute()
        .compose(rows ->
            rows.iterator().next().getBoolean(0)
                ? connection.query(statements(shards)).execute()
                : Future.succeededFuture());
  }

  /**
   * The primary key is made again: where plans seem to cost the same the planner takes the newer
   * index, and that must be the one on ids (see 4.sql).
   */
  private static String statements(int shards) {
    return """
    lock table timers in access exclusive mode;
    create index %s on timers (%s, due_at, id);
    alter table timers drop constraint timers_pkey;
    alter table timers add primary key (id)
    """
        .formatted(name(shards), TimerShard.expression(shards));
  }

  private static final String UNUSED =
      """
      select indexname as name from pg_indexes
       where schemaname = current_schema() and tablename = 'timers'
         and indexname ~ '^timers_shard_of_[0-9]+$' and indexname <> $1
         and indexname not in (select 'timers_shard_of_' || shards from scheduler_nodes
                                where expires_at > clock_timestamp())
         and pg_has_role((select relowner from pg_class where oid = 'timers'::regclass), 'USAGE')
      """;

  private static Future<Void> dropOthers(PgConnection connection, int shards) {
    return connection
        .preparedQuery(UNUSED)
        .execute(Tuple.of(name(shards)))
        .compose(rows -> {
          Future<Void> done = Future.succeededFuture();
          for (var row : rows) {
            var unused = row.getString("name");
            done =
                done.compose(_ -> connection.query("drop index " + unused).execute())
                    .onSuccess(_ ->
                        log.atInfo().addKeyValue("index", unused).log("scheduler.index_dropped"))
                    .mapEmpty();
          }
          return done;
        });
  }
}
