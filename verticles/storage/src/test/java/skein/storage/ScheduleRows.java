package skein.storage;

import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of schedules as an outage leaves them, and their outcomes. */
public final class ScheduleRows {
  private ScheduleRows() {}

  /** Of one statement, which has its deadline. */
  private static final int ROWS_MAX = 2_000;

  private static final String ADD =
      """
      with made as (
        insert into schedules (id, instance_id, definition_id, origin, rule, policies, target,
            next_at, revision, created_at, updated_at)
        select $1 || n, substr(encode(sha256(convert_to('schedule|' || $1 || n, 'UTF8')), 'hex'), 1, 32),
               $3, 'Api',
               case when $4::text is null
                    then json_build_object('v', 1, 'dates', json_build_array(
                      to_char(due at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
                      'timeZone', 'UTC')
                    else json_build_object('v', 1, 'interval', $4, 'anchor',
                      to_char(due at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
                      'timeZone', 'UTC') end,
               json_build_object('v', 1, 'misfirePolicy', $5::text, 'catchUpMax', 100,
                 'overlapPolicy', 'Allow'),
               json_build_object('v', 1, 'definitionId', $3::text), due, 1, now(), now()
          from (select n, date_trunc('second', $6::timestamptz + n * make_interval(secs => $7)) as due
                  from generate_series($8::int, $2::int) n) as given
        returning id, instance_id, next_at
      )
      insert into timers (id, due_at, workflow_instance_id, kind, payload)
      select id || '@' || (extract(epoch from next_at) * 1000)::bigint, next_at, instance_id,
             'Schedule', json_build_object('scheduleId', id, 'at',
               to_char(next_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
        from made
      """;

  /**
   * Adds schedules numbered from one on, each first due so many seconds after the last.
   *
   * @param interval null for schedules of a single date
   */
  public static void add(
      Database database,
      String prefix,
      int count,
      String definitionId,
      @Nullable String interval,
      String misfire,
      Instant from,
      double apart) {
    for (int first = 1; first <= count; first += ROWS_MAX) {
      int last = Math.min(count, first + ROWS_MAX - 1);
      var parameters = Tuple.of(prefix, last, definitionId, interval, misfire);
      parameters.addOffsetDateTime(Database.timestamp(from)).addDouble(apart).addInteger(first);
      database.run("add schedules", ADD, parameters).await();
    }
  }

  /** How many instances of a definition there are. */
  public static long instances(Database database, String definitionId) {
    var sql = "select count(*) from workflow_instances where definition_id = $1";
    return database.run("count", sql, Tuple.of(definitionId)).await().iterator().next().getLong(0);
  }

  /** Ids of the instances of a definition with when they were made, in that order. */
  public static Map<String, Instant> inOrder(Database database, String definitionId) {
    var sql =
        "select id, created_at from workflow_instances where definition_id = $1 order by created_at";
    var made = new LinkedHashMap<String, Instant>();
    database
        .run("list", sql, Tuple.of(definitionId))
        .await()
        .forEach(r -> made.put(r.getString(0), r.getOffsetDateTime(1).toInstant()));
    return made;
  }

  /** How many timers of a kind there are that are due by now. */
  public static long dueTimers(Database database, String kind) {
    var sql = "select count(*) from timers where kind = $1 and due_at <= clock_timestamp()";
    return database.run("count", sql, Tuple.of(kind)).await().iterator().next().getLong(0);
  }

  /** How many timers of a schedule there are. */
  public static long timersOf(Database database, String scheduleId) {
    var sql = "select count(*) from timers where id >= $1 || '@' and id < $1 || 'A'";
    return database.run("count", sql, Tuple.of(scheduleId)).await().iterator().next().getLong(0);
  }
}
