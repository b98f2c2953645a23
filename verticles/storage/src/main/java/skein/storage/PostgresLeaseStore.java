package skein.storage;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases as rows, on a connection of their own: a pool that others keep busy must not cost a node
 * its leases. Statements are carried out in the order in which they are sent. One that is not
 * answered within the deadline closes the connection; the next one opens another.
 */
public final class PostgresLeaseStore implements LeaseStore {
  private static final Logger log = LoggerFactory.getLogger(PostgresLeaseStore.class);

  private final Database database;
  private final Duration deadline;
  private @Nullable Future<PgConnection> connecting;

  /** {@code deadline}: of a statement, the time to connect included. */
  public PostgresLeaseStore(Database database, Duration deadline) {
    this.database = database;
    this.deadline = deadline;
  }

  static final String CHECK_IN =
      """
      with here as (
        insert into scheduler_nodes as n (id, name, shards, checkin_interval, started_at,
            checked_in_at, expires_at, known, in_flight, fired, misfired, failed, lag, horizon)
        values ($1, $2, $3, make_interval(secs => $4 / 3), clock_timestamp(), clock_timestamp(),
            clock_timestamp() + make_interval(secs => $4), $7, $8, $9, $10, $11,
            make_interval(secs => $12), make_interval(secs => $13))
        on conflict (id) do update
          set checked_in_at = excluded.checked_in_at, expires_at = excluded.expires_at,
              started_at = case when n.expires_at < excluded.checked_in_at
                                then excluded.started_at else n.started_at end,
              known = excluded.known, in_flight = excluded.in_flight, fired = excluded.fired,
              misfired = excluded.misfired, failed = excluded.failed, lag = excluded.lag
        returning id, started_at
      ), renewed as (
        update leases l
           set expires_at = clock_timestamp() + make_interval(secs => $4),
               renewed_at = clock_timestamp()
          from unnest($5::text[], $6::int8[]) as mine (name, epoch)
         where l.name = mine.name and l.holder = $1 and l.epoch = mine.epoch
           and l.expires_at > clock_timestamp()
        returning l.shard
      ), unclaimed as (
        select l.shard, l.epoch
          from leases l
         where l.shards = $3 and l.holder = $1 and l.expires_at > clock_timestamp()
           and not exists (select 1 from unnest($5::text[], $6::int8[]) as mine (name, epoch)
                            where mine.name = l.name and mine.epoch = l.epoch)
      )
      select (select array_agg(shard) from renewed) as renewed,
             (select array_agg(shard order by shard) from unclaimed) as unclaimed_shards,
             (select array_agg(epoch order by shard) from unclaimed) as unclaimed_epochs,
             (select array_agg(shard) from leases
               where shards = $3 and holder <> $1 and expires_at > clock_timestamp()) as of_others,
             (select array_agg(id order by started_at, id)
                from (select id, started_at from here
                      union all
                      select id, started_at from scheduler_nodes
                       where id <> $1 and shards = $3 and expires_at > clock_timestamp()) as all_nodes
             ) as nodes
      """;

  @Override
  public Future<Seen> checkIn(Participant me, Map<Integer, Long> epochs, SchedulerMetrics metrics) {
    var shards = shards(epochs);
    var parameters =
        Tuple.of(me.id(), me.name(), me.shards(), seconds(me.life()))
            .addValue(names(me, shards))
            .addValue(epochs(epochs, shards))
            .addLong(metrics.known())
            .addLong(metrics.inFlight())
            .addLong(metrics.fired())
            .addLong(metrics.misfired())
            .addLong(metrics.failed())
            .addDouble(seconds(metrics.lag()))
            .addDouble(seconds(me.horizon()));
    return run("check in", CHECK_IN, parameters)
        .map(rows -> {
          var row = rows.iterator().next();
          return new Seen(
              numbers(row, "renewed"),
              unclaimed(row),
              numbers(row, "of_others"),
              List.of(row.getArrayOfStrings("nodes")));
        });
  }

  private static List<Integer> shards(Map<Integer, Long> epochs) {
    return epochs.keySet().stream().sorted().toList();
  }

  private static Long[] epochs(Map<Integer, Long> epochs, List<Integer> shards) {
    return shards.stream().map(epochs::get).toArray(Long[]::new);
  }

  private static Map<Integer, Long> unclaimed(Row row) {
    var shards = row.getArrayOfIntegers("unclaimed_shards");
    if (shards == null) {
      return Map.of();
    }
    var epochs = row.getArrayOfLongs("unclaimed_epochs");
    return IntStream.range(0, shards.length)
        .boxed()
        .collect(Collectors.toUnmodifiableMap(i -> shards[i], i -> epochs[i]));
  }

  private static Set<Integer> numbers(Row row, String column) {
    var numbers = row.getArrayOfIntegers(column);
    return numbers == null ? Set.of() : Set.copyOf(Arrays.asList(numbers));
  }

  static final String TAKE =
      """
      with forgotten as (
        delete from scheduler_nodes where expires_at < clock_timestamp() - interval '1 hour'
      )
      insert into leases as l (name, holder, epoch, expires_at, renewed_at, shard, shards)
      select name, $1, 1, clock_timestamp() + make_interval(secs => $2), clock_timestamp(),
             shard, $3
        from unnest($4::text[], $5::int4[]) as wanted (name, shard)
       order by name
      on conflict (name) do update
        set holder = excluded.holder, expires_at = excluded.expires_at,
            renewed_at = excluded.renewed_at, epoch = l.epoch + 1
       where l.expires_at < clock_timestamp() or l.holder = excluded.holder
      returning shard, epoch
      """;

  @Override
  public Future<Map<Integer, Long>> take(Participant me, Collection<Integer> shards) {
    var parameters =
        Tuple.of(me.id(), seconds(me.life()), me.shards())
            .addValue(names(me, shards))
            .addValue(shards.toArray(Integer[]::new));
    return run("take leases", TAKE, parameters)
        .map(rows -> {
          var taken = new HashMap<Integer, Long>();
          rows.forEach(row -> taken.put(row.getInteger("shard"), row.getLong("epoch")));
          return Map.copyOf(taken);
        });
  }

  private static final String RELEASE =
      """
      update leases l set expires_at = '-infinity'
        from unnest($1::text[], $2::int8[]) as mine (name, epoch)
       where l.name = mine.name and l.epoch = mine.epoch and l.holder = $3
      """;

  @Override
  public Future<Void> release(Participant me, Map<Integer, Long> epochs) {
    var shards = shards(epochs);
    var parameters =
        Tuple.tuple()
            .addValue(names(me, shards))
            .addValue(epochs(epochs, shards))
            .addString(me.id());
    return run("release leases", RELEASE, parameters).mapEmpty();
  }

  private static final String REMOVE =
      """
      with gone as (delete from scheduler_nodes where id = any($1::text[]))
      update leases set expires_at = '-infinity'
       where holder = any($1::text[]) and expires_at > clock_timestamp()
      """;

  @Override
  public Future<Void> leave(Participant me) {
    return remove(List.of(me.id()));
  }

  @Override
  public Future<Void> remove(Collection<String> nodeIds) {
    var parameters = Tuple.tuple().addValue(nodeIds.toArray(String[]::new));
    return run("remove nodes from the scheduler", REMOVE, parameters).mapEmpty();
  }

  private static String[] names(Participant me, Collection<Integer> shards) {
    return shards.stream()
        .map(shard -> new TimerShard(shard, me.shards()).leaseName())
        .toArray(String[]::new);
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  private Future<RowSet<Row>> run(String what, String sql, Tuple parameters) {
    return connection()
        .compose(connection -> connection.preparedQuery(sql).execute(parameters))
        .timeout(deadline.toMillis(), TimeUnit.MILLISECONDS)
        .recover(e -> {
          drop();
          return Future.failedFuture(DatabaseErrors.explain(what, e));
        });
  }

  private Future<PgConnection> connection() {
    var current = connecting;
    if (current == null || current.failed()) {
      var timeout = Map.of("statement_timeout", String.valueOf(deadline.toMillis()));
      current = database.connection(timeout).onSuccess(this::opened);
      connecting = current;
    }
    return current;
  }

  private void opened(PgConnection connection) {
    connection.exceptionHandler(e -> log.debug("The connection broke", e));
    connection.closeHandler(_ -> forget(connection));
  }

  private void forget(PgConnection closed) {
    if (connecting != null && closed.equals(connecting.result())) {
      connecting = null;
    }
  }

  private Future<Void> drop() {
    var dropped = connecting;
    connecting = null;
    return dropped == null
        ? Future.succeededFuture()
        : dropped.compose(PgConnection::close).otherwiseEmpty();
  }

  @Override
  public Future<Void> close() {
    return drop();
  }
}
