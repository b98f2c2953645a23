package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.Timer;

/** Pending work of the cluster, by due time. Thread-safe. */
public final class TimerStore implements CommandTimers, DueTimers {
  private static final Logger log = LoggerFactory.getLogger(TimerStore.class);

  private final Database database;
  private final DeadLetterStore letters;

  public TimerStore(Database database) {
    this.database = database;
    this.letters = new DeadLetterStore(database);
  }

  /** Kinds that newer versions have made are left to them. */
  static final String IS_KNOWN =
      Arrays.stream(Timer.Kind.values())
          .map(Timer.Kind::name)
          .collect(Collectors.joining(",", "kind = any('{", "}')"));

  static final String DUE =
      """
      select id, due_at, workflow_instance_id, kind, payload is not null as has_payload,
             case when pg_column_size(payload) <= $5 and octet_length(payload::text) <= $5
                  then payload::text end as payload
        from timers
       where due_at <= (select clock_timestamp() + make_interval(secs => $1))
         and (due_at, id) > ($2, $3)
         and %s
       order by due_at, id
       limit $4
      """
          .formatted(IS_KNOWN);

  /** The same of one of several shards, by the index that {@link ShardIndex} makes for them. */
  static String due(TimerShard shard) {
    return shard.count() == 1
        ? DUE
        : DUE.replace(
            " where ",
            " where %s = %d\n   and "
                .formatted(TimerShard.expression(shard.count()), shard.number()));
  }

  /** The same with the tenant and the definition of each instance, by one look at its row. */
  static String dueWithDefinitions(TimerShard shard) {
    return due(shard)
        .replace(
            "  from timers\n",
            """
                   , (select array[tenant_id, definition_id] from workflow_instances instance
                       where instance.id = timers.workflow_instance_id) as owner
              from timers
            """);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The instant is a query of its own, since the index ends a search only at what does not
   * change in it. What is stored of a large payload is not read.
   */
  @Override
  public Future<List<Timer>> due(
      TimerShard shard, Duration horizon, Instant after, String afterId, int max) {
    return database
        .run("read due timers", due(shard), parameters(horizon, after, afterId, max))
        .map(rows -> list(rows, TimerStore::readable));
  }

  @Override
  public Future<List<DueTimer>> dueWithDefinitions(
      TimerShard shard, Duration horizon, Instant after, String afterId, int max) {
    var sql = dueWithDefinitions(shard);
    return database
        .run("read due timers of definitions", sql, parameters(horizon, after, afterId, max))
        .map(rows -> list(rows, row -> new DueTimer(readable(row), owner(row))));
  }

  private static @Nullable TimerOwner owner(Row row) {
    var owner = row.getArrayOfStrings("owner");
    return owner == null ? null : new TimerOwner(owner[0], owner[1]);
  }

  private static Tuple parameters(Duration horizon, Instant after, String afterId, int max) {
    return Tuple.of(
        horizon.toMillis() / 1000.0,
        Database.timestamp(after),
        afterId,
        max,
        DeferredPayload.BYTES_MAX);
  }

  private static <T> List<T> list(Iterable<Row> rows, Function<Row, T> read) {
    var list = new ArrayList<T>();
    for (var row : rows) {
      list.add(read.apply(row));
    }
    return list;
  }

  @Override
  public Future<List<@Nullable Timer>> whole(List<Timer> timers, long bytesMax) {
    var ids = timers.stream().map(Timer::id).toArray(String[]::new);
    return database
        .run(
            "read payloads of " + ids.length + " timers",
            TimerPayloads.WHOLE,
            Tuple.of(ids, bytesMax))
        .map(rows -> TimerPayloads.whole(rows, bytesMax, TimerStore::readable));
  }

  /** One that cannot be read fails when it is fired and is put off; others do not wait for it. */
  private static Timer readable(Row row) {
    try {
      var timer = timer(row);
      return row.getString("payload") == null && row.getBoolean("has_payload")
          ? DeferredPayload.without(timer)
          : timer;
    } catch (SkeinException e) {
      log.atError()
          .addKeyValue("timerId", row.getString("id"))
          .addKeyValue("cause", e.getMessage())
          .log("timer.unreadable");
      return timer(row, null);
    }
  }

  static Timer timer(Row row) {
    return timer(row, payload(row.getString("payload")));
  }

  private static Timer timer(Row row, @Nullable Object payload) {
    return new Timer(
        row.getString("id"),
        row.getOffsetDateTime("due_at").toInstant(),
        new InstanceId(row.getString("workflow_instance_id")),
        Timer.Kind.valueOf(row.getString("kind")),
        payload);
  }

  /** Names and ids, of which statements and views look at some; all else is encrypted. */
  private static final Set<String> NAMES =
      Set.of(
          "definitionId",
          "versionId",
          "triggerId",
          "activityId",
          "bookmarkId",
          "parentId",
          "scheduleId",
          "instanceId",
          "planId",
          "execution",
          "causes",
          "tenant",
          "at");

  static boolean hasSecrets(Map<?, ?> payload) {
    return !NAMES.containsAll(payload.keySet());
  }

  /** The payload of a timer as it is stored. */
  static @Nullable String payload(Timer timer, StoredValues values) {
    var payload = timer.payload();
    if (payload == null) {
      return null;
    }
    return JsonText.print(
        payload instanceof Map<?, ?> json
            ? values.seal(StoredValues.Place.timer(timer.instanceId(), timer.id()), json, NAMES)
            : payload);
  }

  @Override
  public Timer opened(Timer timer) {
    return opened(timer, database.values());
  }

  static Timer opened(Timer timer, StoredValues values) {
    if (!(timer.payload() instanceof Map<?, ?> stored)) {
      return timer;
    }
    var place = StoredValues.Place.timer(timer.instanceId(), timer.id());
    var opened = values.open(place, (Object) stored);
    if (timer.kind() == Timer.Kind.Alter && opened instanceof Map<?, ?> json) {
      opened = AlterationStore.opened(json, values);
    }
    return timer.payload().equals(opened)
        ? timer
        : new Timer(timer.id(), timer.dueAt(), timer.instanceId(), timer.kind(), opened);
  }

  private static @Nullable Object payload(@Nullable String json) {
    return json == null ? null : JsonText.parse(json, JsonLimits.STORED);
  }

  static final String BACK_OFF =
      """
      update timers
         set due_at = clock_timestamp() + make_interval(secs => least($2 * 2 ^ attempts, $3)),
             attempts = least(attempts + 1, 30)
       where id = $1
      """;

  @Override
  public Future<Void> backOff(String id, Duration delay, Duration longest) {
    var parameters = Tuple.of(id, delay.toMillis() / 1000.0, longest.toMillis() / 1000.0);
    return database.run("postpone timer " + id, BACK_OFF, parameters).mapEmpty();
  }

  @Override
  public Future<Void> failed(Timer timer, String code, String message) {
    return letters.failed(timer, code, message);
  }

  /** Removes notes on deliveries that were made after all; returns how many. */
  public Future<Integer> forgetDelivered(int max) {
    return letters.forgetDelivered(max);
  }

  static final String EXTEND_DEADLINE =
      """
      update timers set due_at = clock_timestamp() + make_interval(secs => $2)
       where id = any($1::text[])
      """;

  @Override
  public Future<Void> extendDeadline(List<String> ids, Duration delay) {
    var parameters = Tuple.of(ids.toArray(String[]::new), delay.toMillis() / 1000.0);
    return database
        .run("put off " + ids.size() + " timers", EXTEND_DEADLINE, parameters)
        .mapEmpty();
  }

  static final String PUT_OFF =
      """
      update timers set due_at = clock_timestamp() + make_interval(secs => later.secs)
        from unnest($1::text[], $2::float8[]) as later (id, secs)
       where timers.id = later.id
      """;

  @Override
  public Future<Void> putOff(Map<String, Duration> delays) {
    var sorted = new TreeMap<>(delays); // As others lock them.
    var ids = sorted.keySet().toArray(String[]::new);
    var seconds =
        sorted.values().stream().map(delay -> delay.toMillis() / 1000.0).toArray(Double[]::new);
    return database
        .run(
            "put off " + ids.length + " timers",
            PUT_OFF,
            Tuple.tuple().addValue(ids).addValue(seconds))
        .mapEmpty();
  }

  static final String IS_DUE = "select from timers where id = $1 and due_at <= clock_timestamp()";

  /** Whether a timer exists and is due, by the database's clock. */
  @Override
  public Future<Boolean> isDue(String id) {
    return database.run("look at timer " + id, IS_DUE, Tuple.of(id)).map(rows -> rows.size() > 0);
  }

  /** Whether a timer exists, due or not. */
  @Override
  public Future<Boolean> exists(String id) {
    return database
        .run("look for timer " + id, "select from timers where id = $1", Tuple.of(id))
        .map(rows -> rows.size() > 0);
  }

  /** Removes a timer that has nothing to do any more. */
  @Override
  public Future<Void> remove(String id) {
    return database
        .run("remove timer " + id, "delete from timers where id = $1", Tuple.of(id))
        .mapEmpty();
  }

  private static final String REPLACE =
      """
      with gone as (delete from timers where id = $1)
      insert into timers (id, due_at, workflow_instance_id, kind, payload)
      values ($2, $3, $4, $5, $6::text::json) on conflict (id) do nothing
      """;

  /** Puts the next occurrence in the place of one that is over. */
  @Override
  public Future<Void> replace(String id, Timer next) {
    var parameters =
        Tuple.of(
            id,
            next.id(),
            Database.timestamp(next.dueAt()),
            next.instanceId().value(),
            next.kind().name(),
            payload(next, database.values()));
    return database.run("replace timer " + id, REPLACE, parameters).mapEmpty();
  }

  static final String BACK_OFF_UNKNOWN =
      """
      update timers
         set due_at = clock_timestamp() + make_interval(secs => least($1 * 2 ^ attempts, $2)),
             attempts = least(attempts + 1, 30)
       where id = any (array(
         select id from timers
          where due_at < (select clock_timestamp() - make_interval(secs => $3)) and not %s
          order by due_at limit $4))
      """
          .formatted(IS_KNOWN);

  /**
   * Backs off, as {@link #backOff} does, timers of kinds that only newer versions know, so that
   * they do not lie in front of the others; returns how many.
   *
   * @param overdue by more than that: no node that knows them is present
   */
  public Future<Integer> backOffUnknown(
      Duration delay, Duration longest, Duration overdue, int max) {
    var parameters =
        Tuple.of(
            delay.toMillis() / 1000.0,
            longest.toMillis() / 1000.0,
            overdue.toMillis() / 1000.0,
            max);
    return database
        .run("postpone timers of newer kinds", BACK_OFF_UNKNOWN, parameters)
        .map(SqlResult::rowCount);
  }

  static final String OVERDUE =
      """
      select count(*), coalesce(extract(epoch from clock_timestamp() - min(due_at)), 0)::float8
        from (select due_at from timers
               where due_at < (select clock_timestamp() - make_interval(secs => $1))
               order by due_at limit $2) as late
      """;

  /** As many as are counted; more makes no difference to who reads it. */
  public static final int OVERDUE_MAX = 10_000;

  /**
   * How many timers are overdue by more than that, at most {@link #OVERDUE_MAX}, and by how long
   * the oldest.
   */
  public Future<Overdue> overdue(Duration by) {
    return database
        .run("count overdue timers", OVERDUE, Tuple.of(by.toMillis() / 1000.0, OVERDUE_MAX))
        .map(rows -> {
          var row = rows.iterator().next();
          long millis = (long) (row.getDouble(1) * 1000);
          return new Overdue(row.getLong(0), Duration.ofMillis(millis));
        });
  }

  public record Overdue(long count, Duration oldest) {}
}
