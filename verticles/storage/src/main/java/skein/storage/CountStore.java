package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/**
 * How many instances and timers there are: counted by one node, for all. Nodes claim a count by one
 * statement on the database's clock, so there is no leader, and one that dies during it delays the
 * next count by no more than the time between two. Thread-safe.
 */
public final class CountStore {
  /** After the database should have given a statement up. */
  private static final long ANSWER_MAX_MILLIS = 1_000;

  /** The largest ones; smaller ones are below any useful limit. */
  public static final int DEFINITIONS_MAX = 1_000;

  /** More have fewer instances each. */
  public static final int TENANTS_MAX = 1_000;

  private final Database database;

  public CountStore(Database database) {
    this.database = database;
  }

  /**
   * How often all rows may be counted.
   *
   * @param interval from one count to the next
   * @param timeMax one count may take; then it is given up
   * @param busyMaxPercent of the time that counting may take; where it takes longer the next count
   *     comes later
   */
  public record Terms(Duration interval, Duration timeMax, int busyMaxPercent) {}

  /**
   * What was counted last.
   *
   * @param instances by the name of their status
   * @param timers by the name of their kind
   * @param jobs {@code waiting} and {@code leased}
   * @param unfinished instances
   * @param number another one for each count, 0 for none
   * @param age since it was counted; null: never
   * @param took how long counting took the database
   */
  public record Counts(
      Map<String, Long> instances,
      Map<String, Long> timers,
      Map<String, Long> jobs,
      Unfinished unfinished,
      long number,
      @Nullable Duration age,
      Duration took) {
    public static final Counts NONE =
        new Counts(Map.of(), Map.of(), Map.of(), Unfinished.NONE, 0, null, Duration.ZERO);

    public Counts {
      instances = Map.copyOf(instances);
      timers = Map.copyOf(timers);
      jobs = Map.copyOf(jobs);
    }
  }

  /**
   * Instances that have not ended. A node of an older version counts without some owners: theirs
   * are then of the count before.
   *
   * @param byDefinition of the {@value #DEFINITIONS_MAX} definitions with the most
   * @param byTenant of the {@value #TENANTS_MAX} tenants with the most, without the default tenant
   */
  public record Unfinished(ByOwner byDefinition, ByOwner byTenant) {
    public static final Unfinished NONE = new Unfinished(ByOwner.NONE, ByOwner.NONE);

    /** Passes on what is of another count than {@code before}. */
    public void passChanges(
        Unfinished before,
        Consumer<Map<String, Long>> definitions,
        Consumer<Map<String, Long>> tenants) {
      if (byDefinition.number != before.byDefinition.number) {
        definitions.accept(byDefinition.instances);
      }
      if (byTenant.number != before.byTenant.number) {
        tenants.accept(byTenant.instances);
      }
    }
  }

  /**
   * Instances by the name of their owner.
   *
   * @param number of the count that they are of, 0 for none
   */
  public record ByOwner(Map<String, Long> instances, long number) {
    public static final ByOwner NONE = new ByOwner(Map.of(), 0);

    public ByOwner {
      instances = Map.copyOf(instances);
    }
  }

  /** {@code claimed}: this node is to count now. */
  public record Look(Counts counts, boolean claimed) {}

  /** Where the last count was without some owners, the next one comes after a part of the time. */
  static final int INCOMPLETE_PART = 4;

  /** In microseconds of the database's clock. */
  private static final String NUMBERS =
      """
      (extract(epoch from unfinished_at) * 1000000)::bigint as unfinished_number,
      (extract(epoch from tenants_at) * 1000000)::bigint as tenants_number\
      """;

  static final String LOOK =
      """
      with claimed as (
      update cluster_counts
         set claimed_at = clock_timestamp()
       where claimed_at <= clock_timestamp()
             - make_interval(secs => greatest(
                 case when counted_at > '-infinity' and (unfinished_at is distinct from counted_at
                                                         or tenants_at is distinct from counted_at)
                      then $1 / %d.0 else $1 end,
                 took_ms / 10.0 / $2))
      returning true
      )
      select instances::text as instances, timers::text as timers, jobs::text as jobs,
             unfinished::text as unfinished, tenants::text as tenants,
             %s,
             case when counted_at > '-infinity'
                  then extract(epoch from counted_at) * 1000000 end::bigint as counted, took_ms,
             case when counted_at > '-infinity'
                  then extract(epoch from clock_timestamp() - counted_at) end::float8 as age,
             exists (select from claimed) as claimed
        from cluster_counts
      """
          .formatted(INCOMPLETE_PART, NUMBERS);

  /**
   * The latest counts, and whether it is time to count: of nodes that look at once one is told to.
   */
  public Future<Look> look(Terms terms) {
    var parameters =
        Tuple.of(terms.interval().toMillis() / 1000.0, (double) terms.busyMaxPercent());
    return database
        .run("look at the counts", LOOK, parameters)
        .map(rows -> {
          var row = rows.iterator().next();
          return new Look(counts(row), row.getBoolean("claimed"));
        });
  }

  static final String COUNT =
      """
      select instances::text, timers::text, unfinished::text, tenants::text,
             json_build_object(
               'waiting', (select count(*) from bookmarks
                            where job_queue is not null and job_worker is null),
               'leased', (select count(*) from bookmarks where job_worker is not null))::text
        from count_cluster_by_tenant()
      """;

  private static final String KEEP =
      """
      update cluster_counts
         set counted_at = moment.counted, unfinished_at = moment.counted,
             tenants_at = moment.counted,
             took_ms = ($3::float8 * 1000)::bigint, instances = $1::text::json,
             timers = $2::text::json, jobs = $4::text::json,
             unfinished = $5::text::json, tenants = $6::text::json
        from (select clock_timestamp() - make_interval(secs => $3) as counted) as moment
      returning instances::text as instances, timers::text as timers, jobs::text as jobs,
                unfinished::text as unfinished, tenants::text as tenants,
                %s,
                (extract(epoch from counted_at) * 1000000)::bigint as counted, took_ms,
                $3::float8 as age
      """
          .formatted(NUMBERS);

  private static final String KEEP_TIME =
      "update cluster_counts set took_ms = ($1::float8 * 1000)::bigint";

  /**
   * Counts, over a connection of its own, and keeps the result for all. Where it takes longer than
   * it may, that time is kept, so that the next one comes later.
   */
  public Future<Counts> count(Terms terms) {
    long since = System.nanoTime();
    return countAlone(terms.timeMax())
        .recover(e ->
            database
                .run("keep the time of a count", KEEP_TIME, Tuple.of(seconds(since)))
                .transform(_ -> Future.failedFuture(e)))
        .compose(row ->
            database.run(
                "keep the counts",
                KEEP,
                Tuple.of(
                    row.getString(0),
                    row.getString(1),
                    seconds(since),
                    row.getString(4),
                    row.getString(2),
                    row.getString(3))))
        .map(rows -> counts(rows.iterator().next()));
  }

  private Future<Row> countAlone(Duration max) {
    var millis = max.toMillis();
    return database
        .connection(Map.of("statement_timeout", String.valueOf(millis)))
        .compose(connection ->
            connection
                .query(COUNT)
                .execute()
                .timeout(millis + ANSWER_MAX_MILLIS, TimeUnit.MILLISECONDS)
                .map(rows -> rows.iterator().next())
                .onComplete(_ -> connection.close()));
  }

  private static double seconds(long sinceNanos) {
    return (System.nanoTime() - sinceNanos) / 1e9;
  }

  private static Counts counts(Row row) {
    var age = row.getDouble("age");
    var number = row.getLong("counted");
    return new Counts(
        numbers(row.getString("instances")),
        numbers(row.getString("timers")),
        numbers(row.getString("jobs")),
        new Unfinished(byOwner(row, "unfinished"), byOwner(row, "tenants")),
        number == null ? 0 : number,
        age == null ? null : Duration.ofMillis((long) (age * 1000)),
        Duration.ofMillis(row.getLong("took_ms")));
  }

  private static ByOwner byOwner(Row row, String column) {
    var number = row.getLong(column + "_number");
    return number == null ? ByOwner.NONE : new ByOwner(numbers(row.getString(column)), number);
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
}
