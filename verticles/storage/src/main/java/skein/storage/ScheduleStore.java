package skein.storage;

import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.codecs.ScheduleJson;
import skein.model.InstanceId;
import skein.model.Schedule;
import skein.model.SkeinException;
import skein.model.Timer;

/**
 * Schedules, each change of one in a statement that is fenced by its revision. Reads and writes of
 * different schedules share statements. Thread-safe.
 */
public final class ScheduleStore {
  private final Database database;
  private final QueryBatches<InstanceId, Optional<Found>> reads = new QueryBatches<>(this::readAll);
  private final QueryBatches<ScheduleWrite, Boolean> writes = new QueryBatches<>(this::writeAll);

  private final ReadLimit limit;

  public ScheduleStore(Database database) {
    this(database, ReadLimit.OF_HEAP);
  }

  ScheduleStore(Database database, ReadLimit limit) {
    this.database = database;
    this.limit = limit;
  }

  /**
   * A schedule, and what its other rows say at the same moment.
   *
   * @param runningEnded the instance it takes for running has ended, or does not exist and has no
   *     row that will start it
   */
  public record Found(Schedule schedule, boolean runningEnded) {}

  static final String READ =
      "select s.instance_id, "
          + ScheduleRow.COLUMNS
          + """
          , s.running_instance_id is not null and coalesce(
                (select i.finished_at is not null from workflow_instances i
                  where i.id = s.running_instance_id),
                (select false from timers t where t.id = 'run-' || s.running_instance_id),
                true) as running_ended
            from schedules s where s.instance_id = any($1::text[])
          """;

  /** The schedule with this lane; empty when there is none. */
  public Future<Optional<Found>> find(InstanceId lane) {
    return reads.ask(lane);
  }

  private Future<List<Optional<Found>>> readAll(List<InstanceId> lanes) {
    var ids = lanes.stream().map(InstanceId::value).distinct().toArray(String[]::new);
    return database
        .runKept("read " + ids.length + " schedules", READ, Tuple.tuple().addValue(ids))
        .map(rows -> {
          var found = new HashMap<String, Found>();
          for (var row : rows) {
            found.put(
                row.getString("instance_id"),
                new Found(ScheduleRow.read(row), row.getBoolean("running_ended")));
          }
          return lanes.stream().map(lane -> Optional.ofNullable(found.get(lane.value()))).toList();
        });
  }

  static final String WRITE =
      """
      with updated as (
        update schedules s
           set definition_id = coalesce(n.definition_id, s.definition_id),
               rule = coalesce(n.rule::json, s.rule),
               policies = coalesce(n.policies::json, s.policies),
               target = coalesce(n.target::json, s.target),
               paused = n.paused, note = n.note, next_at = n.next_at, last_at = n.last_at,
               last_instance_id = n.last_instance_id,
               running_instance_id = n.running_instance_id, buffered = n.buffered::json,
               started = n.started, skipped = n.skipped, missed = n.missed,
               cancelled = n.cancelled, failed = n.failed, revision = n.expected + 1,
               updated_at = n.updated_at
          from unnest($1::text[], $2::int8[], $3::timestamptz[], $4::text[], $5::text[],
            $6::text[], $7::text[], $8::bool[], $9::text[], $10::timestamptz[],
            $11::timestamptz[], $12::text[], $13::text[], $14::text[], $15::int8[], $16::int8[],
            $17::int8[], $18::int8[], $19::int8[], $20::timestamptz[], $29::text[])
            as n (id, expected, not_before, definition_id, rule, policies, target, paused, note,
              next_at, last_at, last_instance_id, running_instance_id, buffered, started, skipped,
              missed, cancelled, failed, updated_at, consumes)
         where s.id = n.id and s.revision = n.expected
           and (n.not_before > clock_timestamp()) is not true
           and (n.consumes is null
                or (select true from timers t where t.id = n.consumes))
        returning s.id
      ), won as materialized (
        select id from updated
      ), made as (
        insert into timers (id, due_at, workflow_instance_id, kind, payload)
        select t.id, t.due_at, t.instance_id, t.kind, t.payload::json
          from unnest($21::text[], $22::timestamptz[], $23::text[], $24::text[], $25::text[],
            $26::text[]) as t (id, due_at, instance_id, kind, payload, made_by)
         where (t.made_by in (select id from won)) is true
        on conflict (id) do nothing
      ), done as (
        delete from timers where id = any(array(
          select t.id from unnest($27::text[], $28::text[]) as t (id, done_by)
           where (t.done_by in (select id from won)) is true))
      )
      select array_agg(id) from won
      """;

  /**
   * Writes the next revision of a schedule and its rows, whole or not at all; false when another
   * revision is stored, it is too early, or the timer it consumes no longer exists.
   */
  public Future<Boolean> write(ScheduleWrite write) {
    return writes.ask(write);
  }

  private Future<List<Boolean>> writeAll(List<ScheduleWrite> asked) {
    // Of one schedule the first alone can have seen the stored revision.
    var batch = new LinkedHashMap<String, ScheduleWrite>();
    asked.forEach(write -> batch.putIfAbsent(write.next().id(), write));
    var sorted = batch.values().stream().sorted((a, b) -> a.next().id().compareTo(b.next().id()));
    return database
        .runKept(
            "write schedules", WRITE, ScheduleParameters.of(sorted.toList(), database.values()))
        .map(rows -> {
          var won = rows.iterator().next().getArrayOfStrings(0);
          var ids = won == null ? Set.<String>of() : new HashSet<>(Arrays.asList(won));
          var outcomes = new ArrayList<Boolean>();
          for (var write : asked) {
            var id = write.next().id();
            outcomes.add(ids.contains(id) && write.equals(batch.get(id)));
          }
          return outcomes;
        });
  }

  static final String INSERT =
      """
      insert into schedules (id, instance_id, definition_id, origin, rule, policies, target, paused,
          next_at, revision, created_at, updated_at, tenant_id)
      values ($1, $2, $3, $4, $5::text::json, $6::text::json, $7::text::json, $8, $9, 1, $10, $10,
          $11)
      """;

  static Tuple insertion(Schedule schedule) {
    return Tuple.of(
        schedule.id(),
        Schedule.laneOf(schedule.id()).value(),
        schedule.target().definitionId(),
        schedule.origin().name(),
        ScheduleJson.stored(ScheduleJson.rule(schedule.timetable())),
        ScheduleJson.stored(ScheduleJson.policies(schedule.timetable().policies())),
        ScheduleJson.stored(ScheduleJson.target(schedule.target())),
        schedule.state().paused(),
        Database.timestamp(schedule.state().nextAt()),
        Database.timestamp(schedule.createdAt()),
        schedule.target().tenant());
  }

  private static final String ADD =
      "with added as ("
          + INSERT
          + """
          )
          insert into timers (id, due_at, workflow_instance_id, kind, payload)
          select t.id, t.due_at, $2, 'Schedule', t.payload::json
            from (select $12::text, $13::timestamptz, $14::text) as t (id, due_at, payload)
           where t.id is not null
          on conflict (id) do nothing
          """;

  /** Writes a new schedule with its first timer; fails with {@code SCHEDULE_EXISTS}. */
  public Future<Void> add(Schedule schedule, @Nullable Timer first) {
    var parameters =
        insertion(schedule)
            .addString(first == null ? null : first.id())
            .addOffsetDateTime(first == null ? null : Database.timestamp(first.dueAt()))
            .addString(first == null ? null : JsonText.print(first.payload()));
    return database
        .run("add schedule " + schedule.id(), ADD, parameters)
        .<Void>mapEmpty()
        .recover(e ->
            e.getCause() instanceof PgException sql && "23505".equals(sql.getSqlState())
                ? Future.failedFuture(SkeinException.scheduleExists(schedule.id()))
                : Future.failedFuture(e));
  }

  /** All timers of a schedule begin with its id and an at sign; behind that comes the A. */
  private static final String REMOVE =
      """
      with gone as (
        delete from schedules where id = $1 and revision = $2 returning id
      ), timers_gone as (
        delete from timers
         where id >= $1 || '@' and id < $1 || 'A' and exists (select from gone)
      )
      select count(*) from gone
      """;

  /** Removes a schedule and its timers; false when another revision is stored. */
  public Future<Boolean> remove(String id, long revision) {
    return database
        .run("remove schedule " + id, REMOVE, Tuple.of(id, revision))
        .map(rows -> rows.iterator().next().getLong(0) > 0);
  }

  static final String STARTED =
      """
      select i.id from workflow_instances i where i.id = any($1::text[])
       union all
      select substr(t.id, 5) from timers t where t.id = any($2::text[])
      """;

  /** The instances that exist, or have a row that will start them. */
  public Future<Set<InstanceId>> started(List<InstanceId> ids) {
    var instances = ids.stream().map(InstanceId::value).toArray(String[]::new);
    var rows = ids.stream().map(id -> "run-" + id).toArray(String[]::new);
    return database
        .run("look for started runs", STARTED, Tuple.tuple().addValue(instances).addValue(rows))
        .map(found -> {
          var started = new HashSet<InstanceId>();
          found.forEach(row -> started.add(new InstanceId(row.getString(0))));
          return started;
        });
  }

  /** Null members do not matter. */
  public record Query(
      @Nullable String definitionId,
      Schedule.@Nullable Origin origin,
      @Nullable Boolean paused,
      int skip,
      int take) {}

  public record Page(List<Schedule> schedules, long total) {}

  private static final String MATCHING =
      """
        from schedules s
       where ($1::text is null or s.definition_id = $1) and ($2::text is null or s.origin = $2)
         and ($3::bool is null or s.paused = $3) and \
      """;

  /** The index on the schedules of tenants is partial, and asked for in its own words. */
  private static final String OF_TENANT = "s.tenant_id = $4 and s.tenant_id <> ''";

  private static String matching(TenantScope scope) {
    return MATCHING + (scope.owner().isEmpty() ? TenantScope.condition("s.", 4) : OF_TENANT) + "\n";
  }

  /** Targets have the inputs of what is started. */
  static String page(TenantScope scope) {
    return "select "
        + ScheduleRow.columns(
            "case when " + ReadLimit.fits("s.target::text", "s.id", 7) + " then s.target::text end")
        + " from (select s.* "
        + matching(scope)
        + " order by s.id limit $5 offset $6) s order by s.id";
  }

  static Tuple pageParameters(Query query, TenantScope scope, ReadLimit limit) {
    return matching(query, scope)
        .addInteger(query.take())
        .addInteger(query.skip())
        .addInteger(limit.bytesMax());
  }

  /**
   * In order of their ids. Fails with {@code TOO_LARGE} when they are more than one request may
   * read.
   */
  public Future<Page> page(Query query, TenantScope scope) {
    return database
        .run("list schedules", page(scope), pageParameters(query, scope, limit))
        .compose(rows -> {
          var schedules = new ArrayList<Schedule>();
          for (var row : rows) {
            limit.within(
                row.getString("target"), "This page of schedules", "ask for fewer with take");
            schedules.add(ScheduleRow.read(row));
          }
          return database
              .run("count schedules", "select count(*)" + matching(scope), matching(query, scope))
              .map(count -> new Page(schedules, count.iterator().next().getLong(0)));
        });
  }

  private static Tuple matching(Query query, TenantScope scope) {
    var origin = query.origin();
    return Tuple.of(query.definitionId(), origin == null ? null : origin.name(), query.paused())
        .addString(scope.tenant());
  }
}
