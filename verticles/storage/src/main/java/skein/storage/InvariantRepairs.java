package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.concurrent.TimeUnit;
import skein.model.Timer;

/**
 * Mends rows that contradict each other, one at a time so that no commit can be in a deadlock with
 * it. Each looks once more, under a lock, whether there is something to repair. Thread-safe.
 */
public final class InvariantRepairs {
  private final Database database;

  public InvariantRepairs(Database database) {
    this.database = database;
  }

  private static final String ADD_START =
      """
      insert into timers (id, due_at, workflow_instance_id, kind)
      select 'start-' || id, clock_timestamp(), id, 'Start' from workflow_instances
       where id = $1 and revision = $2 and status = 'Pending'
      on conflict (id) do nothing
      """;

  /**
   * Makes a pending instance start. A timer more than needed finds the instance started and goes.
   */
  public Future<Boolean> start(String instanceId, long revision) {
    return changed("make a start for " + instanceId, ADD_START, Tuple.of(instanceId, revision));
  }

  private static final String ADD_TIMER =
      """
      insert into timers (id, due_at, workflow_instance_id, kind, payload)
      select $1, $2, $3, $4, $5::text::json from workflow_instances
       where id = $3 and revision = $6 and finished_at is null
      on conflict (id) do nothing
      """;

  /** Makes the timer of a bookmark, as the state says; one that comes too late finds it burnt. */
  public Future<Boolean> timer(Timer timer, long revision) {
    return changed("make timer " + timer.id(), ADD_TIMER, parameters(timer).addLong(revision));
  }

  private Tuple parameters(Timer timer) {
    return Tuple.of(
        timer.id(),
        Database.timestamp(timer.dueAt()),
        timer.instanceId().value(),
        timer.kind().name(),
        TimerStore.payload(timer, database.values()));
  }

  private static final String LOCK_BOOKMARK =
      "select workflow_instance_id from bookmarks where id = $1 for update";

  private static final String DELETE_BOOKMARK =
      """
      delete from bookmarks b
       where b.id = $1
         and (select true from workflow_instances i
               where i.id = b.workflow_instance_id and i.finished_at is null) is null
      """;

  /**
   * Deletes a bookmark of an instance that is finished or gone. The lock comes first: a commit that
   * writes the same bookmark either is seen by the second statement, or comes after it.
   */
  public Future<Boolean> dropBookmark(String id) {
    return afterLock("drop bookmark " + id, LOCK_BOOKMARK, DELETE_BOOKMARK, id);
  }

  private static final String LOCK_INSTANCE =
      """
      select id from workflow_instances
       where id = (select workflow_instance_id from timers where id = $1) for update
      """;

  private static final String DELETE_TIMER =
      """
      delete from timers t
       where t.id = $1 and t.kind = 'Bookmark'
         and (select true from workflow_instances i
               where i.id = t.workflow_instance_id and i.finished_at is null) is null
      """;

  /**
   * Deletes a timer of a bookmark of an instance that is finished or missing. Nothing can be locked
   * of one that is missing: should it come at this very moment, a later pass makes the timer again.
   */
  public Future<Boolean> dropTimer(String id) {
    return afterLock("drop timer " + id, LOCK_INSTANCE, DELETE_TIMER, id);
  }

  private Future<Boolean> afterLock(String what, String lock, String delete, String id) {
    return database
        .loggedIn(() ->
            database
                .pool()
                .withTransaction(connection ->
                    execute(connection, lock, id).compose(_ -> execute(connection, delete, id))))
        .timeout(database.options().timeouts().statement().toMillis(), TimeUnit.MILLISECONDS)
        .map(count -> count > 0)
        .recover(e -> Future.failedFuture(DatabaseErrors.explain(what, e)));
  }

  private static Future<Integer> execute(SqlConnection connection, String sql, String id) {
    return connection.preparedQuery(sql).execute(Tuple.of(id)).map(rows -> rows.rowCount());
  }

  private static final String END_LEASE =
      """
      with gone as (
        delete from scheduler_nodes where 'node ' || id = $1 and not (id = any($2::text[]))
        returning id
      ), ended as (
        update leases set expires_at = '-infinity'
         where name = $1 and not (holder = any($2::text[])) and expires_at > clock_timestamp()
        returning name
      )
      select from gone union all select from ended
      """;

  /**
   * Ends a lease unless one of these holds it, or forgets a node of the scheduler unless it is one
   * of these.
   */
  public Future<Boolean> endLease(String id, List<String> alive) {
    return database
        .run("end " + id, END_LEASE, Tuple.of(id, (Object) alive.toArray(String[]::new)))
        .map(rows -> rows.size() > 0);
  }

  private Future<Boolean> changed(String what, String sql, Tuple parameters) {
    return database.run(what, sql, parameters).map(rows -> rows.rowCount() > 0);
  }
}
