package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** As {@link InvariantQueries}, about the work of the scheduler and its leases. Thread-safe. */
public final class SchedulerInvariantQueries {
  private final Database database;
  private final SuspectReads reads;

  public SchedulerInvariantQueries(Database database) {
    this.database = database;
    this.reads = new SuspectReads(database);
  }

  private static final String HAS_NO_OCCURRENCE =
      """
      not paused
               and case when next_at is null
                        then (rule ->> 'dates') is null
                             and ((rule ->> 'endAt')::timestamptz < clock_timestamp()) is not true
                        else (select true from timers t
                               where t.id = p.id || '@' || floor(extract(epoch from p.next_at) * 1000)::bigint) is null
                   end\
      """;

  private static final String LACK =
      "case when next_at is null then 'no next occurrence' else 'no timer for ' || next_at end";

  static final String SCHEDULES =
      """
      with page as materialized (
        select id, revision, paused, next_at, updated_at, rule
          from schedules where id > $1 order by id limit $2
      ), judged as materialized (
        select id, revision, %s as detail,
               updated_at < clock_timestamp() - make_interval(secs => $3) and %s as bad
          from page p
      )
      select max(id), count(*), null::text,
             array_agg(id order by id) filter (where bad),
             array_agg(revision order by id) filter (where bad),
             array_agg(detail order by id) filter (where bad)
        from judged
      """
          .formatted(LACK, HAS_NO_OCCURRENCE);

  /**
   * Schedules that are not paused and have no next occurrence, or no timer for it. One whose rule
   * knows no other instant may be among them.
   */
  public Future<SuspectPage> schedules(String after, int max, Duration grace) {
    return reads.page(
        "scan schedules", SCHEDULES, Tuple.of(after, max, SuspectReads.seconds(grace)), max);
  }

  static final String SCHEDULES_AGAIN =
      """
      select p.id, p.revision, %s as detail
        from schedules p
       where p.id = any($1::text[]) and %s
      """
          .formatted(LACK, HAS_NO_OCCURRENCE);

  public Future<List<Suspect>> schedulesAgain(List<String> ids) {
    return reads.again(
        "look at schedules again", SCHEDULES_AGAIN, Tuple.of(SuspectReads.array(ids)));
  }

  /**
   * What a schedule takes for running has ended, or will not begin, and no notice of it is pending.
   */
  private static final String WAITS_FOR_NOBODY =
      """
      running_instance_id is not null
               and coalesce(
                 (select i.finished_at is not null from workflow_instances i
                   where i.id = p.running_instance_id),
                 (select false from timers t where t.id = 'run-' || p.running_instance_id),
                 true)
               and (select true from timers t where t.id = 'done-' || p.running_instance_id) is null\
      """;

  static final String RUNS =
      """
      with page as materialized (
        select id, revision, running_instance_id, updated_at
          from schedules where id > $1 order by id limit $2
      ), judged as materialized (
        select id, revision, running_instance_id,
               updated_at < clock_timestamp() - make_interval(secs => $3) and %s as bad
          from page p
      )
      select max(id), count(*), null::text,
             array_agg(id order by id) filter (where bad),
             array_agg(revision order by id) filter (where bad),
             array_agg(running_instance_id order by id) filter (where bad)
        from judged
      """
          .formatted(WAITS_FOR_NOBODY);

  /**
   * Schedules that wait for the end of an instance that has ended or was deleted; it is the detail.
   */
  public Future<SuspectPage> runs(String after, int max, Duration grace) {
    return reads.page(
        "scan runs of schedules", RUNS, Tuple.of(after, max, SuspectReads.seconds(grace)), max);
  }

  static final String RUNS_AGAIN =
      """
      select p.id, p.revision, p.running_instance_id as detail
        from schedules p
       where p.id = any($1::text[]) and %s
      """
          .formatted(WAITS_FOR_NOBODY);

  public Future<List<Suspect>> runsAgain(List<String> ids) {
    return reads.again(
        "look at runs of schedules again", RUNS_AGAIN, Tuple.of(SuspectReads.array(ids)));
  }

  static final String OVERDUE =
      """
      select id, due_at, attempts, kind from timers
       where due_at < (select clock_timestamp() - make_interval(secs => $1))
         and (due_at, id) > ($2::timestamptz, $3)
       order by due_at, id limit $4
      """;

  private static final String BEGINNING = "0001-01-01T00:00:00Z";

  /** Timers that are later than the bound, the latest first. */
  public Future<SuspectPage> overdue(String after, int max, Duration bound) {
    int bar = after.indexOf('|');
    var due = Database.timestamp(Instant.parse(bar < 0 ? BEGINNING : after.substring(0, bar)));
    var parameters = Tuple.of(SuspectReads.seconds(bound), due, after.substring(bar + 1), max);
    return database
        .run("scan overdue timers", OVERDUE, parameters)
        .map(rows -> {
          var found = new ArrayList<Suspect>();
          var next = (String) null;
          for (var row : rows) {
            found.add(late(row));
            next = Database.instant(row.getOffsetDateTime("due_at")) + "|" + row.getString("id");
          }
          return new SuspectPage(found, found.size() < max ? null : next, Map.of());
        });
  }

  private static Suspect late(Row row) {
    int attempts = row.getInteger("attempts");
    var cause = attempts == 0 ? "unattended" : "postponed after " + attempts + " failures";
    return new Suspect(
        row.getString("id"),
        0,
        row.getString("kind") + ", due at " + row.getOffsetDateTime("due_at") + ", " + cause);
  }

  static final String OVERDUE_AGAIN =
      """
      select id, due_at, attempts, kind from timers
       where id = any($1::text[])
         and due_at < (select clock_timestamp() - make_interval(secs => $2))
      """;

  public Future<List<Suspect>> overdueAgain(List<String> ids, Duration bound) {
    return database
        .run(
            "look at overdue timers again",
            OVERDUE_AGAIN,
            Tuple.of(SuspectReads.array(ids), SuspectReads.seconds(bound)))
        .map(rows -> {
          var found = new ArrayList<Suspect>();
          rows.forEach(row -> found.add(late(row)));
          return found;
        });
  }

  /** A holder that lives renews when a third of the time has passed. */
  static final String LEASES =
      """
      select id, 0::bigint as revision, detail
        from (select name as id, 'held by ' || holder as detail
                from leases
               where not (holder = any($2::text[]))
                 and case when expires_at > clock_timestamp()
                          then (expires_at - clock_timestamp()
                                > (expires_at - renewed_at) / 2) is not true end
               union all
              select 'node ' || id, 'checked in at ' || checked_in_at
                from scheduler_nodes
               where not (id = any($2::text[])) and expires_at > clock_timestamp()
                 and expires_at - clock_timestamp() < (expires_at - checked_in_at) / 2) as found
       where id > $1 collate "C" order by id collate "C" limit $3
      """;

  /** Leases that still run and nodes that still count, of nodes that are not among these. */
  public Future<SuspectPage> leases(String after, int max, List<String> alive) {
    return reads
        .again("scan leases", LEASES, Tuple.of(after, SuspectReads.array(alive), max))
        .map(found ->
            new SuspectPage(found, found.size() < max ? null : found.getLast().id(), Map.of()));
  }
}
