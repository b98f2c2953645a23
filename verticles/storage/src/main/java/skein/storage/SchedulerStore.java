package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The leaders of the scheduler, as the tables have them. Thread-safe. */
public final class SchedulerStore {
  private final Database database;

  public SchedulerStore(Database database) {
    this.database = database;
  }

  /**
   * A node that takes part.
   *
   * @param metrics as of its last check-in; {@code heartbeat} is since then
   */
  public record Node(String id, String name, int shards, SchedulerMetrics metrics) {}

  /**
   * One shard.
   *
   * @param holder the node that leads it, by id and name; null while no node does
   * @param epoch grows with every change of holder; 0 while no node leads
   * @param heartbeat since the lease was renewed
   * @param expiresIn until the lease is free if it is not renewed
   * @param lag how long its oldest timer has been due; zero when none is
   */
  public record Leader(
      TimerShard shard,
      @Nullable String holder,
      @Nullable String holderName,
      long epoch,
      Duration heartbeat,
      Duration expiresIn,
      Duration lag) {}

  /**
   * @param shards as the node has it that checked in last; 0 when no node takes part
   * @param nodes the oldest first
   */
  public record State(int shards, List<Leader> leaders, List<Node> nodes) {
    /** The lag of the oldest timer that is due. */
    public Duration lag() {
      return leaders.stream().map(Leader::lag).max(Duration::compareTo).orElse(Duration.ZERO);
    }
  }

  static final String NODES =
      """
      select id, name, shards, known, in_flight, fired, misfired, failed,
             extract(epoch from lag)::float8 as lag,
             extract(epoch from clock_timestamp() - checked_in_at)::float8 as heartbeat,
             shards = first_value(shards) over (order by checked_in_at desc) as current
        from scheduler_nodes
       where expires_at > clock_timestamp()
       order by started_at, id
      """;

  public Future<State> state() {
    return database
        .run("read the scheduler's nodes", NODES, Tuple.tuple())
        .compose(rows -> {
          var nodes = new ArrayList<Node>();
          int shards = 0;
          for (var row : rows) {
            nodes.add(node(row));
            shards = row.getBoolean("current") ? row.getInteger("shards") : shards;
          }
          return leaders(shards, nodes);
        });
  }

  private Future<State> leaders(int shards, List<Node> nodes) {
    return shards == 0
        ? Future.succeededFuture(new State(0, List.of(), nodes))
        : database
            .run("read the scheduler's leases", leaders(shards), Tuple.of(shards))
            .map(rows -> new State(shards, leaders(rows, shards), nodes));
  }

  /** Uses the index of the shards, where there are several. */
  static String leaders(int shards) {
    return LEADERS.replace(
        "{in shard}", shards == 1 ? "" : TimerShard.expression(shards) + " = s.shard and ");
  }

  private static final String LEADERS =
      """
      select s.shard, l.holder, n.name, coalesce(l.epoch, 0) as epoch,
             coalesce(extract(epoch from clock_timestamp() - l.renewed_at), 0)::float8 as heartbeat,
             coalesce(extract(epoch from l.expires_at - clock_timestamp()), 0)::float8 as expires_in,
             coalesce(extract(epoch from clock_timestamp() - t.due_at), 0)::float8 as lag
        from generate_series(0, $1::int - 1) as s (shard)
        left join leases l
          on l.shards = $1 and l.shard = s.shard and l.expires_at > clock_timestamp()
        left join scheduler_nodes n on n.id = l.holder
        left join lateral (
          select due_at from timers
           where {in shard}due_at <= (select clock_timestamp())
           order by due_at, id limit 1) as t on true
       order by s.shard
      """;

  private static List<Leader> leaders(RowSet<Row> rows, int shards) {
    var leaders = new ArrayList<Leader>();
    for (var row : rows) {
      leaders.add(
          new Leader(
              new TimerShard(row.getInteger("shard"), shards),
              row.getString("holder"),
              row.getString("name"),
              row.getLong("epoch"),
              seconds(row, "heartbeat"),
              seconds(row, "expires_in"),
              seconds(row, "lag")));
    }
    return leaders;
  }

  private static Node node(Row row) {
    return new Node(
        row.getString("id"),
        row.getString("name"),
        row.getInteger("shards"),
        new SchedulerMetrics(
            row.getLong("known"),
            row.getLong("in_flight"),
            row.getLong("fired"),
            row.getLong("misfired"),
            row.getLong("failed"),
            seconds(row, "heartbeat"),
            seconds(row, "lag")));
  }

  private static Duration seconds(Row row, String column) {
    return Duration.ofMillis(Math.max(0, (long) (row.getDouble(column) * 1000)));
  }
}
