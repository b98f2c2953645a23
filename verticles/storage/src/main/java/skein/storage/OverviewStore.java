package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/**
 * The state of the newest instances, and the last counts of all. Reads no more than a fixed number
 * of instances however many there are. Thread-safe.
 */
public final class OverviewStore {
  private static final int BUCKETS_MAX = 120;

  /** Seconds; the first that needs no more than {@link #BUCKETS_MAX} buckets is taken. */
  private static final int[] STEPS = {
    1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400, 604_800,
    2_592_000
  };

  private final Database database;
  private final int recentMax;

  /** {@code recentMax}: newest instances that are looked at. */
  public OverviewStore(Database database, int recentMax) {
    this.database = database;
    this.recentMax = recentMax;
  }

  /**
   * All instances and timers, as some node counted them last.
   *
   * @param instances by the name of their status
   * @param timers by the name of their kind
   * @param at when they were counted; null: never
   */
  public record Counts(
      Map<String, Long> instances, Map<String, Long> timers, @Nullable Instant at) {}

  /**
   * What the newest instances did.
   *
   * @param instances that were looked at
   * @param complete whether those are all
   * @param since when the oldest of them started; null: there is none
   * @param bucket from one entry of the series to the next
   * @param series without gaps, the oldest first; at most 121
   */
  public record Recent(
      long instances,
      boolean complete,
      @Nullable Instant since,
      Duration bucket,
      List<OfDefinition> definitions,
      List<Bucket> series) {}

  /** The newest instances of one definition. */
  public record OfDefinition(
      String definitionId,
      long started,
      long running,
      long waiting,
      long faulted,
      long completed,
      long incidents,
      Instant lastStartedAt) {}

  /** {@code finished}: without fault. */
  public record Bucket(Instant at, long started, long finished, long faulted) {}

  static final String COUNTS =
      """
      select instances::text as instances, timers::text as timers,
             nullif(counted_at, '-infinity') as counted_at
        from cluster_counts
      """;

  public Future<Counts> counts() {
    return database
        .run("look at the counts", COUNTS, Tuple.tuple())
        .map(rows -> {
          var row = rows.iterator().next();
          return new Counts(
              numbers(row.getString("instances")),
              numbers(row.getString("timers")),
              Database.instant(row.getOffsetDateTime("counted_at")));
        });
  }

  private static Map<String, Long> numbers(String json) {
    var numbers = new TreeMap<String, Long>();
    JsonText.parseObject(json, JsonLimits.STORED)
        .forEach((name, value) -> {
          if (value instanceof Long number) {
            numbers.put(name, number);
          }
        });
    return numbers;
  }

  static final String BY_DEFINITION =
      """
      select definition_id, count(*) as started,
             count(*) filter (where status in ('Pending', 'Running')) as running,
             count(*) filter (where status = 'Suspended') as waiting,
             count(*) filter (where status = 'Faulted') as faulted,
             count(*) filter (where status = 'Completed') as completed,
             count(*) filter (where incident_count > 0) as incidents,
             min(created_at) as first_at, max(created_at) as last_at, clock_timestamp() as now
        from (select definition_id, status, incident_count, created_at
                from workflow_instances order by created_at desc limit $1) as recent
       group by definition_id
       order by incidents desc, waiting desc, started desc, definition_id
      """;

  static final String SERIES =
      """
      with recent as materialized (
      select created_at, finished_at, status
        from (select created_at, finished_at, status, definition_id
                from workflow_instances order by created_at desc limit $1) as newest
       where $3::text is null or definition_id = $3
      )
      select bucket, sum(started) as started, sum(finished) as finished, sum(faulted) as faulted
        from (select floor(extract(epoch from created_at) / $2)::bigint as bucket,
                     1 as started, 0 as finished, 0 as faulted
                from recent
               union all
              select floor(extract(epoch from finished_at) / $2)::bigint, 0,
                     (status <> 'Faulted')::int, (status = 'Faulted')::int
                from recent where finished_at is not null) as events
       group by bucket
       order by bucket
      """;

  /**
   * @param definitionId whose instances the series counts, of the newest of all definitions; null:
   *     all of them
   */
  public Future<Recent> recent(@Nullable String definitionId) {
    return database
        .run("look at the newest instances", BY_DEFINITION, Tuple.of(recentMax))
        .compose(rows -> {
          var definitions = new ArrayList<OfDefinition>();
          Instant since = null;
          Instant now = Instant.EPOCH;
          long instances = 0;
          for (var row : rows) {
            var one = definition(row);
            definitions.add(one);
            instances += one.started();
            now = row.getOffsetDateTime("now").toInstant();
            var first = row.getOffsetDateTime("first_at").toInstant();
            since = since == null || first.isBefore(since) ? first : since;
          }
          boolean complete = instances < recentMax;
          var bucket = bucket(since, now);
          return series(new Period(since, now, bucket), definitionId)
              .map(withTotal(instances, complete, since, bucket, definitions));
        });
  }

  private static Function<List<Bucket>, Recent> withTotal(
      long instances,
      boolean complete,
      @Nullable Instant since,
      Duration bucket,
      List<OfDefinition> definitions) {
    return series -> new Recent(instances, complete, since, bucket, definitions, series);
  }

  private static OfDefinition definition(Row row) {
    return new OfDefinition(
        row.getString("definition_id"),
        row.getLong("started"),
        row.getLong("running"),
        row.getLong("waiting"),
        row.getLong("faulted"),
        row.getLong("completed"),
        row.getLong("incidents"),
        row.getOffsetDateTime("last_at").toInstant());
  }

  static Duration bucket(@Nullable Instant since, Instant now) {
    long seconds = since == null ? 0 : Math.max(0, Duration.between(since, now).toSeconds());
    for (int step : STEPS) {
      if (seconds / step <= BUCKETS_MAX) {
        return Duration.ofSeconds(step);
      }
    }
    return Duration.ofSeconds(seconds / BUCKETS_MAX + 1);
  }

  /** {@code since}: null where there is no instance. */
  private record Period(@Nullable Instant since, Instant now, Duration bucket) {}

  static Tuple seriesParameters(int recentMax, long bucketSeconds, @Nullable String definitionId) {
    return Tuple.tuple().addInteger(recentMax).addLong(bucketSeconds).addString(definitionId);
  }

  private Future<List<Bucket>> series(Period period, @Nullable String definitionId) {
    var since = period.since();
    if (since == null) {
      return Future.succeededFuture(List.of());
    }
    long size = period.bucket().toSeconds();
    return database
        .run(
            "look at what the newest instances did",
            SERIES,
            seriesParameters(recentMax, size, definitionId))
        .map(rows -> {
          var found = new HashMap<Long, Bucket>();
          rows.forEach(row -> found.put(row.getLong("bucket"), bucket(row, size)));
          var series = new ArrayList<Bucket>();
          long last = Math.floorDiv(period.now().getEpochSecond(), size);
          for (long at = Math.floorDiv(since.getEpochSecond(), size); at <= last; at++) {
            var empty = new Bucket(Instant.ofEpochSecond(at * size), 0, 0, 0);
            series.add(found.getOrDefault(at, empty));
          }
          return series;
        });
  }

  private static Bucket bucket(Row row, long size) {
    return new Bucket(
        Instant.ofEpochSecond(row.getLong("bucket") * size),
        row.getLong("started"),
        row.getLong("finished"),
        row.getLong("faulted"));
  }
}
