package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;

/** Fills the timers of a test by SQL. */
public final class TimerRows {
  private TimerRows() {}

  /**
   * Timers of instances of their own.
   *
   * @param prefix the ids are {@code {prefix}1}, {@code {prefix}2} and so on
   * @param due SQL, may use the number {@code n}
   */
  public static void add(Database database, String prefix, int count, String due) {
    add(database, prefix, count, due, "'" + prefix + "' || n");
  }

  /** Timers of one instance. */
  public static void addOf(
      Database database, String instance, String prefix, int count, String due) {
    add(database, prefix, count, due, "'" + instance + "'");
  }

  private static void add(
      Database database, String prefix, int count, String due, String instance) {
    var sql =
        """
        insert into timers (id, due_at, workflow_instance_id, kind)
        select '%s' || n, %s, %s, 'Bookmark' from generate_series(1, %d) n
        """
            .formatted(prefix, due, instance, count);
    database.run("add timers", sql, Tuple.tuple()).await();
  }

  /** So many random characters for each, which cannot be compressed. */
  public static void makeLarge(Database database, int chars) {
    database
        .run(
            "make large",
            """
            update timers set payload = json_build_object('x',
                left((select string_agg(md5(timers.id || i), '')
                        from generate_series(0, $1 / 32) i), $1))
            """,
            Tuple.of(chars))
        .await();
  }

  /** A row for the instance of each timer; its definition is the id without digits. */
  public static void makeInstances(Database database) {
    database
        .run(
            "make instances",
            """
            insert into workflow_instances (id, definition_id, definition_version_id, version,
                status, incident_count, created_at, updated_at, revision, state)
            select distinct workflow_instance_id, translate(workflow_instance_id, '0123456789', ''),
                   'v1', 1, 'Suspended', 0, now(), now(), 1, ''::bytea
              from timers
            """,
            Tuple.tuple())
        .await();
  }

  /** As a commit does it: whether the timer was there and due, and is gone now. */
  public static Future<Boolean> consume(Database database, String id) {
    return database
        .run(
            "consume",
            "delete from timers where id = $1 and due_at <= clock_timestamp()",
            Tuple.of(id))
        .map(rows -> rows.rowCount() == 1);
  }

  public static long count(Database database) {
    var rows = database.run("count", "select count(*) from timers", Tuple.tuple()).await();
    return rows.iterator().next().getLong(0);
  }

  /** Failures that make the next rest longer, of all timers. */
  public static long attempts(Database database) {
    var sql = "select coalesce(sum(attempts), 0)::bigint from timers";
    return database.run("sum attempts", sql, Tuple.tuple()).await().iterator().next().getLong(0);
  }
}
