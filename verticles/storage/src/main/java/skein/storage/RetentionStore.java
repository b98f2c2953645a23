package skein.storage;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import skein.model.WorkflowStatus;

/**
 * Deletes rows that are older than their retention time, a slice at a time, on a connection of its
 * own with a deadline of its own. To be used by one at a time, and closed.
 *
 * <p>Why no instance is lost that is continued, whatever nodes, lanes and callers do at the same
 * time:
 *
 * <ol>
 *   <li>An instance is judged by its row: it has ended, so long ago. It is deleted only if its row,
 *       once it is locked, still holds the very state that was judged: its revision and the id of
 *       that state, which no other state of any instance ever has. That is the condition under
 *       which a commit writes, and the database evaluates both on the locked row.
 *   <li>A commit of the instance, such as the retry of one that had faulted, therefore comes wholly
 *       before or wholly after. Before: the row holds another state, or is locked by the commit and
 *       passed over. After: the commit finds no row and writes nothing at all, neither journal nor
 *       bookmarks nor timers, since all of its statement asks whether the row was written; the
 *       command is decided again and refused, since there is no such instance.
 *   <li>What is the instance's is deleted by the schema after its row, in statements that see all
 *       that was committed before the lock was had ({@code delete_what_instances_had}). Nothing can
 *       be added later, by 2. A new instance with the same id waits until the deletion has ended,
 *       and then brings its own.
 *   <li>A parent counts on its children while it lives, and a child's end is reported to it by a
 *       timer that is the parent's. So a child stays until its parent has ended, and a parent until
 *       its children have. Should the parent be retried between that look and the deletion, it has
 *       lost a child that had ended, and whose news is not among what is deleted.
 * </ol>
 *
 * <p>It does not wait for writers of an instance: rows that others have locked are passed over. So
 * it can be in no deadlock over instances; should it be in one over a timer, the slice fails, and
 * nothing of it is deleted.
 */
public final class RetentionStore implements AutoCloseable {
  private final PgConnection connection;
  private final Duration timeout;
  private volatile boolean closed;

  private RetentionStore(PgConnection connection, Duration timeout) {
    this.connection = connection;
    this.timeout = timeout;
  }

  /** {@code timeout}: of each statement. */
  public static Future<RetentionStore> open(Database database, Duration timeout) {
    var settings = Map.of("statement_timeout", String.valueOf(timeout.toMillis()));
    return database
        .connection(settings)
        .map(connection -> {
          var store = new RetentionStore(connection, timeout);
          connection.exceptionHandler(_ -> {});
          connection.closeHandler(_ -> store.closed = true);
          return store;
        });
  }

  /** Before all instances. */
  public static final Instant BEGINNING = Instant.parse("0001-01-01T00:00:00Z");

  /** Behind all instances. */
  public static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  /**
   * An instance as it was seen.
   *
   * @param stateId null: a node of an older version wrote it
   * @param ended how long ago it ended; null: it has not
   * @param isAttached whether its parent or one of its children has not ended
   */
  public record Candidate(
      String id,
      Instant createdAt,
      String definitionId,
      WorkflowStatus status,
      long revision,
      @Nullable UUID stateId,
      @Nullable Duration ended,
      boolean isAttached) {
    /** About as many rows are its own: it has one of the journal for each revision. */
    public long rows() {
      return revision + 1;
    }
  }

  private static final String ATTACHED =
      """
      ((select true from workflow_instances parent
         where parent.id = i.parent_id and parent.finished_at is null
           and parent.tenant_id = i.tenant_id) is not null
       or (select true from workflow_instances child
            where child.parent_id = i.id and child.finished_at is null
              and child.tenant_id = i.tenant_id limit 1) is not null)\
      """;

  static final String WALK =
      """
      select id, created_at, definition_id, status, revision, state_id,
             extract(epoch from now() - finished_at)::float8 as ended,
             finished_at is not null and {attached} as attached
        from workflow_instances i
       where created_at > $1 and created_at < now() - make_interval(secs => $2)
         and created_at <= coalesce(
               (select created_at from workflow_instances where created_at > $1
                 order by created_at offset $3 - 1 limit 1), 'infinity')
       order by created_at
      """
          .replace("{attached}", ATTACHED);

  /**
   * The next instances that were made after an instant, ended or not, in the order in which they
   * were made; none at the end of the walk. Walked by when they were made, which has an index: when
   * they ended has none, for which every commit would pay.
   *
   * @param age what is younger cannot have ended so long ago
   * @param max more are those that were made at one instant
   */
  public Future<List<Candidate>> walk(Instant after, Duration age, int max) {
    return run(LOOKING, WALK, from(after, age, max)).map(RetentionStore::candidates);
  }

  /** As {@link #walk}, among the other statements of a node. */
  public static Future<List<Candidate>> look(
      Database database, Instant after, Duration age, int max) {
    return database.run(LOOKING, WALK, from(after, age, max)).map(RetentionStore::candidates);
  }

  private static final String LOOKING = "look for old instances";

  private static Tuple from(Instant after, Duration age, int max) {
    return Tuple.of(Database.timestamp(after), seconds(age), max);
  }

  private static List<Candidate> candidates(RowSet<Row> rows) {
    var found = new ArrayList<Candidate>();
    rows.forEach(row -> found.add(candidate(row)));
    return found;
  }

  private static Candidate candidate(Row row) {
    var ended = row.getDouble("ended");
    return new Candidate(
        row.getString("id"),
        row.getOffsetDateTime("created_at").toInstant(),
        row.getString("definition_id"),
        WorkflowStatus.valueOf(row.getString("status")),
        row.getLong("revision"),
        row.getUUID("state_id"),
        ended == null ? null : Duration.ofMillis((long) (ended * 1_000)),
        row.getBoolean("attached"));
  }

  static final String DELETE =
      """
      delete from workflow_instances
       where id = any (array(
         select i.id from workflow_instances i
          where i.id = any ($1::text[])
            and i.revision = ($2::int8[])[array_position($1, i.id)]
            and i.state_id is not distinct from ($3::uuid[])[array_position($1, i.id)]
            and i.finished_at is not null and not {attached}
            for update skip locked))
      returning id
      """
          .replace("{attached}", ATTACHED);

  /**
   * Deletes those that are as they were seen, with all that is theirs, in one transaction. The ids
   * of those that were deleted: others are locked, have changed, or belong to a family that lives.
   */
  public Future<Set<String>> delete(List<Candidate> slice) {
    var parameters =
        Tuple.tuple()
            .addValue(slice.stream().map(Candidate::id).toArray(String[]::new))
            .addValue(slice.stream().map(Candidate::revision).toArray(Long[]::new))
            .addValue(slice.stream().map(Candidate::stateId).toArray(UUID[]::new));
    return run("delete old instances", DELETE, parameters)
        .map(rows -> {
          var ids = new LinkedHashSet<String>();
          rows.forEach(row -> ids.add(row.getString(0)));
          return ids;
        });
  }

  /** The rows that are bounded by their age alone, in the order in which they are deleted. */
  public enum Aged {
    /** Lines of the audit log. */
    AUDIT(
        """
        delete from audit_log
         where ctid = any (array(
           select ctid from audit_log
            where at < now() - make_interval(secs => $1) order by at limit $2))
        """),
    /** The outcome of each instance of a plan; while a timer is to alter it, it stays. */
    ALTERATION_JOBS(
        """
        delete from alteration_jobs
         where id = any (array(
           select j.id
             from alteration_plans p join alteration_jobs j on j.plan_id = p.id
            where p.created_at < now() - make_interval(secs => $1)
              and (select true from timers t where t.id = 'alter-' || j.id) is null
            limit $2))
        """),
    /** Plans of which nothing is left. */
    ALTERATION_PLANS(
        """
        delete from alteration_plans
         where id = any (array(
           select p.id from alteration_plans p
            where p.created_at < now() - make_interval(secs => $1)
              and (select true from alteration_jobs j where j.plan_id = p.id limit 1) is null
            limit $2))
        """);

    final String sql;

    Aged(String sql) {
      this.sql = sql;
    }
  }

  /** How many were deleted, {@code max} at most. */
  public Future<Integer> delete(Aged kind, Duration age, int max) {
    return run("delete old rows of " + kind, kind.sql, Tuple.of(seconds(age), max))
        .map(RowSet::rowCount);
  }

  /** Days that may be looked at: what is younger can still be written. */
  private static final String DAYS =
      """
      select c.relname
        from pg_inherits h join pg_class c on c.oid = h.inhrelid
       where h.inhparent = 'journal'::regclass and c.relname ~ '^journal_[0-9]{8}$'
         and c.relname < 'journal_' || to_char(now() at time zone 'UTC' - interval '2 days', 'YYYYMMDD')
         and pg_relation_size(c.oid) <= $1
         and pg_has_role(c.relowner, 'USAGE')
       order by c.relname
      """;

  /**
   * A partition of the journal with more bytes than these is not looked into: it is empty for us
   * when it has been vacuumed.
   */
  private static final long SMALL = 1 << 20;

  /** Days of the journal, as names of tables that this role may drop, of which little is left. */
  public Future<List<String>> smallDays() {
    return run("look for old days of the journal", DAYS, Tuple.of(SMALL))
        .map(rows -> {
          var names = new ArrayList<String>();
          rows.forEach(row -> names.add(row.getString(0)));
          return names;
        });
  }

  /**
   * Drops a day of the journal if it is empty. Commits are held up while it waits for the journal,
   * as long as {@code patience} at most, and for the moment of the drop; whether there is anything
   * in the day is asked under the lock, of a few pages.
   *
   * @param day as {@link #smallDays} names it
   * @return false when it is not empty, or others used the journal for all of that time
   */
  public Future<Boolean> dropDay(String day, Duration patience) {
    var isEmpty =
        "select case when pg_relation_size('%1$s') <= %2$d then not exists (select from %1$s) end"
            .formatted(day, SMALL);
    return connection
        .begin()
        .compose(transaction ->
            simple("set local lock_timeout = " + Math.max(1, patience.toMillis()))
                .compose(_ -> simple("lock table only journal in access exclusive mode"))
                .compose(_ -> simple("lock table " + day + " in access exclusive mode"))
                .compose(_ -> simple(isEmpty))
                .compose(rows ->
                    Boolean.TRUE.equals(rows.iterator().next().getBoolean(0))
                        ? simple("drop table " + day).map(true)
                        : Future.succeededFuture(false))
                .compose(dropped -> transaction.commit().map(dropped))
                .recover(e -> transaction.rollback().transform(_ -> Future.failedFuture(e))))
        .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .recover(e ->
            isLockTimeout(e)
                ? Future.succeededFuture(false)
                : Future.failedFuture(DatabaseErrors.explain("drop " + day, e)));
  }

  private Future<RowSet<Row>> simple(String sql) {
    return connection.query(sql).execute();
  }

  private static boolean isLockTimeout(Throwable e) {
    return e instanceof PgException refused && "55P03".equals(refused.getSqlState());
  }

  private Future<RowSet<Row>> run(String what, String sql, Tuple parameters) {
    return connection
        .preparedQuery(sql)
        .execute(parameters)
        .timeout(timeout.toMillis() + GRACE_MILLIS, TimeUnit.MILLISECONDS)
        .recover(e -> {
          if (DatabaseErrors.isOutcomeUnknown(e)) {
            close();
          }
          return Future.failedFuture(DatabaseErrors.explain(what, e));
        });
  }

  /** The database's own deadline comes first, so that the connection can be used again. */
  private static final long GRACE_MILLIS = 2_000;

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  /** Whether a statement that failed has left the connection as it was. */
  public boolean isUsable() {
    return !closed;
  }

  /** Gives up the connection. */
  @Override
  public void close() {
    closed = true;
    connection.close();
  }
}
