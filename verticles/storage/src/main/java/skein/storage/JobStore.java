package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.model.BookmarkId;
import skein.model.SkeinException;

/** The jobs in PostgreSQL: bookmarks with a queue, and a lease while a worker has them. */
public final class JobStore implements JobRows {
  private static final Logger log = LoggerFactory.getLogger(JobStore.class);

  /** Definitions of one type among which the turns are drawn. */
  private static final int QUEUES_MAX = 100;

  /** Jobs that are counted; more makes no difference to who reads it. */
  public static final int COUNT_MAX = 10_000;

  private final Database database;

  public JobStore(Database database) {
    this.database = database;
  }

  /**
   * {@code queues} walks the index from queue to queue. As many are drawn as jobs are wanted, and
   * of each is taken its share: so few rows are locked that are not leased. What others are leasing
   * at this moment is skipped. The timer makes the lease end.
   */
  static final String LEASE =
      """
      with room as materialized (
        select least($3::int8, greatest(0, $5::int8 - (
          select count(*) from (
            select from bookmarks where job_worker = $2 limit $5) as held))) as jobs
      ), queues as materialized (
        select found.job_queue
          from unnest($1::text[], $6::text[]) as types (low, high)
         cross join lateral (
           with recursive walk as (
             (select b.job_queue from bookmarks b
               where b.job_queue >= types.low and b.job_queue < types.high and b.job_worker is null
               order by b.job_queue limit 1)
             union all
             select (select b.job_queue from bookmarks b
                      where b.job_queue > walk.job_queue and b.job_queue < types.high
                        and b.job_worker is null
                      order by b.job_queue limit 1)
               from walk where walk.job_queue is not null)
           select job_queue from walk where job_queue is not null and %2$s limit %1$d) as found
         order by random() limit (select jobs from room)
      ), share as materialized (
        select ceil((select jobs from room)::float8 / greatest(count(*), 1))::int8 as jobs from queues
      ), picked as materialized (
        select oldest.id from queues q
         cross join lateral (
           select b.id from bookmarks b
            where b.job_queue = q.job_queue and b.job_worker is null
            order by b.created_at limit (select jobs from share)
              for update skip locked) as oldest
         limit (select jobs from room)
      ), leased as (
        update bookmarks b set job_worker = $2, job_lease = $7
         where b.id = any(array(select id from picked))
        returning b.id, b.workflow_instance_id, b.job_lease, b.job::text as job, b.job_queue,
          b.correlation_id, b.execution, b.created_at
      ), timed as (
        insert into timers (id, due_at, workflow_instance_id, kind)
        select id, clock_timestamp() + make_interval(secs => $4), workflow_instance_id, 'Bookmark'
          from leased
        on conflict (id) do update set due_at = excluded.due_at
        returning id, due_at
      )
      select l.id, l.job_lease, l.job, l.job_queue, l.correlation_id, l.execution, t.due_at
        from leased l join timed t on t.id = l.id
       order by l.created_at, l.id
      """
          .formatted(QUEUES_MAX, ofTenant(8));

  /** The jobs of one queue are of one definition, whose tenant theirs is. */
  private static String ofTenant(int parameter) {
    return """
    ($%1$d::text is null or exists (
      select from workflow_definitions d
       where d.definition_id = substr(job_queue, strpos(job_queue, '/') + 1)
         and d.tenant_id = $%1$d))\
    """
        .formatted(parameter);
  }

  /** Jobs that are leased together have one lease: it is looked up with the id of the job. */
  static Tuple leaseParameters(Order order) {
    return Tuple.of(
            order.types().stream().map(JobRow::from).toArray(String[]::new),
            order.holder(),
            (long) order.max(),
            seconds(order.leaseFor()),
            (long) order.leasedMax(),
            order.types().stream().map(JobRow::to).toArray(String[]::new))
        .addUUID(UUID.randomUUID())
        .addString(order.scope().tenant());
  }

  @Override
  public Future<List<Leased>> lease(Order order) {
    return database
        .run("lease jobs", LEASE, leaseParameters(order))
        .map(rows -> {
          var leased = new ArrayList<Leased>();
          for (var row : rows) {
            try {
              leased.add(leased(row));
            } catch (SkeinException e) { // Its lease expires, and the next attempt has a new row.
              log.atError()
                  .addKeyValue("bookmarkId", row.getString("id"))
                  .addKeyValue("cause", e.getMessage())
                  .log("job.unreadable");
            }
          }
          return leased;
        });
  }

  private Leased leased(Row row) {
    var id = BookmarkId.parse(row.getString("id"));
    return new Leased(
        id,
        row.getUUID("job_lease"),
        database.values().openObject(StoredValues.Place.job(id), row.getString("job")),
        JobRow.definitionId(row.getString("job_queue")),
        row.getString("correlation_id"),
        row.getInteger("execution"),
        row.getOffsetDateTime("due_at").toInstant());
  }

  static final String EXTEND =
      """
      update timers set due_at = clock_timestamp() + make_interval(secs => $3)
       where id = $1 and (select job_lease from bookmarks where id = $1) = $2
      returning due_at
      """;

  @Override
  public Future<@Nullable Instant> extend(BookmarkId id, UUID lease, Duration leaseFor) {
    return database
        .run("extend a lease", EXTEND, Tuple.of(id.toString(), lease, seconds(leaseFor)))
        .map(rows -> {
          for (var row : rows) {
            return row.getOffsetDateTime(0).toInstant();
          }
          return null;
        });
  }

  static final String HOLDER = "select job_lease from bookmarks where id = $1";

  @Override
  public Future<Holder> holder(BookmarkId id, UUID lease) {
    return database
        .run("look at a lease", HOLDER, Tuple.of(id.toString()))
        .map(rows -> {
          for (var row : rows) {
            return lease.equals(row.getUUID(0)) ? Holder.THIS : Holder.ANOTHER;
          }
          return Holder.NOBODY;
        });
  }

  @Override
  public Future<Void> giveUp(List<BookmarkId> ids) {
    var texts = ids.stream().map(BookmarkId::toString).toArray(String[]::new);
    return database
        .run("give up leases", TimerStore.EXTEND_DEADLINE, Tuple.of(texts, 0.0))
        .mapEmpty();
  }

  /**
   * The jobs of one type and definition.
   *
   * @param oldest when the one was offered that has waited longest; null when none waits
   */
  public record Queue(
      String type, String definitionId, long waiting, long leased, @Nullable Instant oldest) {}

  static final String QUEUES =
      """
      select job_queue, count(*) filter (where not taken), count(*) filter (where taken),
             min(created_at) filter (where not taken)
        from ((select job_queue, created_at, false as taken from bookmarks
                where job_queue is not null and job_worker is null and %1$s limit $1)
              union all
              (select job_queue, created_at, true from bookmarks
                where job_worker is not null and %1$s limit $1)) as jobs
       group by job_queue order by job_queue
      """
          .formatted(ofTenant(2));

  /** Counts at most {@link #COUNT_MAX} jobs that wait, and as many that are leased. */
  public Future<List<Queue>> queues(TenantScope scope) {
    return database
        .run("count jobs", QUEUES, Tuple.of(COUNT_MAX).addString(scope.tenant()))
        .map(rows -> {
          var queues = new ArrayList<Queue>();
          for (var row : rows) {
            var queue = row.getString(0);
            queues.add(
                new Queue(
                    JobRow.type(queue),
                    JobRow.definitionId(queue),
                    row.getLong(1),
                    row.getLong(2),
                    Database.instant(row.getOffsetDateTime(3))));
          }
          return queues;
        });
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
