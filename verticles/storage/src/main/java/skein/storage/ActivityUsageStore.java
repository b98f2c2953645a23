package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/**
 * How often each activity of a definition ran, where its instances wait and fault, and how long
 * that takes, out of the journals of the newest instances. Reads no more than a fixed number of
 * instances, rows and bytes however large the tables are. Thread-safe.
 */
public final class ActivityUsageStore {
  /** The newest bursts of one instance that are looked at. */
  static final int BURSTS_OF_INSTANCE_MAX = 200;

  /** Bursts of all instances. */
  static final int BURSTS_MAX = 10_000;

  /** Bytes of journals as they are stored, compressed, of all instances. */
  static final int BYTES_MAX = 4 << 20;

  /** A burst with a larger journal, of thousands of entries, is left out. */
  static final int BYTES_OF_BURST_MAX = 64 << 10;

  private final Database database;
  private final int instancesMax;

  /** {@code instancesMax}: newest instances of the definition that are looked at. */
  public ActivityUsageStore(Database database, int instancesMax) {
    this.database = database;
    this.instancesMax = instancesMax;
  }

  /**
   * @param version null: all versions
   * @param since instances that started earlier are not looked at
   */
  public record Query(String definitionId, @Nullable Integer version, Instant since) {}

  /**
   * @param instances that were looked at
   * @param complete whether all that they did was
   */
  public record Usage(long instances, boolean complete, List<OfActivity> activities) {}

  /**
   * Executions of one activity.
   *
   * @param nodeId its path in the definition
   * @param waiting that wait now
   * @param outcomes how often each outcome was taken
   * @param duration from start to end, of those that have ended
   * @param waits each wait that is over
   */
  public record OfActivity(
      String activityId,
      String nodeId,
      Counts counts,
      long waiting,
      Map<String, Long> outcomes,
      @Nullable Quantiles duration,
      @Nullable Quantiles waits) {}

  /** How often an activity began and how it ended. */
  public record Counts(long started, long completed, long faulted, long cancelled) {}

  /** The median, and what 95 of 100 do not exceed. */
  public record Quantiles(Duration p50, Duration p95) {}

  /** "offset 0" has the activity looked up once for each line. */
  private static final String LINES =
      """
      with chosen as materialized (
        select id, created_at, finished_at is not null as finished
          from workflow_instances
         where definition_id = $1 and created_at >= $2 and ($3::int is null or version = $3)
         order by created_at desc limit $4::int
      ), bursts as materialized (
        select chosen.id, chosen.created_at, chosen.finished, burst.revision, burst.entries
          from chosen
         cross join lateral (select revision, entries from journal
                              where workflow_instance_id = chosen.id
                              order by revision desc limit $5::int) burst
         limit $6::int
      ), measured as materialized (
        select id, finished, entries, pg_column_size(entries) <= $8::int
               and sum(pg_column_size(entries)) over (order by created_at desc, id, revision desc)
                   <= $7::int as fits
          from bursts
      ), lines as materialized (
        select id, finished, burst.at::timestamptz as at, burst.first + n - 1 as sequence,
               (line ->> 0)::int as execution, activity ->> 0 as activity, activity ->> 1 as node,
               line ->> 3 as event, line -> 5 -> 'outcomes' as outcomes
          from measured
         cross join lateral journal_bursts(entries) burst
         cross join lateral json_array_elements(burst.lines) with ordinality as numbered (line, n)
         cross join lateral (select burst.activities -> (line ->> 2)::int offset 0) as of (activity)
         where fits and (line ->> 0)::int > 0
           and line ->> 3 in
               ('Started', 'Suspended', 'Resumed', 'Completed', 'Faulted', 'Canceled')
      )
      """;

  static final String USAGE =
      LINES
          + """
          , executions as (
            select node, min(activity) as activity, finished,
                   min(at) filter (where event = 'Started') as began,
                   max(at) filter (where event in ('Completed', 'Faulted', 'Canceled')) as ended,
                   (array_agg(event order by sequence desc))[1] as last
              from lines group by id, finished, execution, node
          ), waits as (
            select node, extract(epoch from over_at - at) * 1000 as ms
              from (select node, event, at,
                           lead(at) over (partition by id, execution order by sequence) as over_at
                      from lines) steps
             where event = 'Suspended' and over_at is not null
          ), taken as (
            select node, outcome, count(*) as times
              from lines
             cross join lateral json_array_elements_text(outcomes) as of (outcome)
             where event = 'Completed' and json_typeof(outcomes) = 'array'
             group by node, outcome
          )
          select (select count(*) from chosen) as instances,
                 (select count(*) from bursts) as bursts,
                 coalesce((select bool_and(fits) from measured), true) as fits,
                 coalesce((select bool_or(rest) from (select count(*) >= $5::int as rest
                                                        from bursts group by id) one), false) as cut,
                 node, activity, started, completed, faulted, cancelled, waiting, run,
                 (select json_object_agg(outcome, times)::text from taken
                   where taken.node = usage.node) as outcomes,
                 (select percentile_cont(array[0.5, 0.95]) within group (order by ms)
                    from waits where waits.node = usage.node) as waits
            from (select 1) always
            left join (
              select node, min(activity) as activity, count(*) as started,
                     count(*) filter (where last = 'Completed') as completed,
                     count(*) filter (where last = 'Faulted') as faulted,
                     count(*) filter (where last = 'Canceled') as cancelled,
                     count(*) filter (where last = 'Suspended' and not finished) as waiting,
                     percentile_cont(array[0.5, 0.95])
                       within group (order by extract(epoch from ended - began) * 1000)
                       filter (where ended is not null and began is not null) as run
                from executions group by node) usage on true
           order by node
          """;

  static Tuple parameters(Query query, int instancesMax) {
    return Tuple.tuple()
        .addString(query.definitionId())
        .addOffsetDateTime(query.since().atOffset(ZoneOffset.UTC))
        .addInteger(query.version())
        .addInteger(instancesMax)
        .addInteger(BURSTS_OF_INSTANCE_MAX)
        .addInteger(BURSTS_MAX)
        .addInteger(BYTES_MAX)
        .addInteger(BYTES_OF_BURST_MAX);
  }

  /** Activities in order of their paths; none when no instance has begun since then. */
  public Future<Usage> usage(Query query) {
    return database
        .run(
            "read how " + query.definitionId() + " is used", USAGE, parameters(query, instancesMax))
        .map(rows -> {
          var first = rows.iterator().next();
          long instances = first.getLong("instances");
          boolean complete =
              instances < instancesMax
                  && first.getLong("bursts") < BURSTS_MAX
                  && first.getBoolean("fits")
                  && !first.getBoolean("cut");
          var activities = new ArrayList<OfActivity>();
          for (var row : rows) {
            if (row.getString("node") != null) {
              activities.add(activity(row));
            }
          }
          return new Usage(instances, complete, activities);
        });
  }

  private static OfActivity activity(Row row) {
    return new OfActivity(
        row.getString("activity"),
        row.getString("node"),
        new Counts(
            row.getLong("started"),
            row.getLong("completed"),
            row.getLong("faulted"),
            row.getLong("cancelled")),
        row.getLong("waiting"),
        outcomes(row.getString("outcomes")),
        quantiles(row.getArrayOfDoubles("run")),
        quantiles(row.getArrayOfDoubles("waits")));
  }

  private static Map<String, Long> outcomes(@Nullable String json) {
    var outcomes = new TreeMap<String, Long>();
    if (json != null) {
      JsonText.parseObject(json, JsonLimits.STORED)
          .forEach((name, value) -> {
            if (value instanceof Long times) {
              outcomes.put(name, times);
            }
          });
    }
    return outcomes;
  }

  private static @Nullable Quantiles quantiles(Double @Nullable [] ms) {
    return ms == null || ms.length < 2 || ms[0] == null || ms[1] == null
        ? null
        : new Quantiles(Duration.ofMillis(Math.round(ms[0])), Duration.ofMillis(Math.round(ms[1])));
  }
}
