package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The addresses of the members of each cluster on this database, as they publish them, and the
 * secrets by which they authenticate. Instants are the database's. Thread-safe.
 */
public final class MemberStore {
  private final Database database;

  public MemberStore(Database database) {
    this.database = database;
  }

  /**
   * Where a member is.
   *
   * @param cluster those with the same name look for each other
   * @param address host and port that the others reach it at
   * @param nodeId new with every start
   */
  public record Place(String cluster, String address, String nodeId) {}

  static final String ENTER =
      """
      with gone as (
        delete from cluster_members
         where (cluster, address) in (
           select cluster, address from cluster_members
            where expires_at < clock_timestamp() and (cluster, address) <> ($1, $2)
              for update skip locked)
      )
      insert into cluster_members as m (cluster, address, node_id, entered_at, expires_at)
      values ($1, $2, $3, clock_timestamp(), clock_timestamp() + make_interval(secs => $4))
      on conflict (cluster, address) do update
         set node_id = excluded.node_id, expires_at = excluded.expires_at,
             entered_at = case when m.node_id = excluded.node_id then m.entered_at
                               else excluded.entered_at end
      """;

  /**
   * Says where a member is, for as long as {@code lease}; to be repeated before that is over. What
   * was there before at this address has ended.
   */
  public Future<Void> enter(Place place, Duration lease) {
    var parameters =
        Tuple.of(place.cluster(), place.address(), place.nodeId(), lease.toMillis() / 1000.0);
    return database.run("say where this node is", ENTER, parameters).mapEmpty();
  }

  static final String LEAVE =
      "delete from cluster_members where cluster = $1 and address = $2 and node_id = $3";

  public Future<Void> leave(Place place) {
    var parameters = Tuple.of(place.cluster(), place.address(), place.nodeId());
    return database.run("take this node's address away", LEAVE, parameters).mapEmpty();
  }

  static final String OTHERS =
      """
      select address from cluster_members
       where cluster = $1 and address <> $2 and expires_at >= clock_timestamp()
       order by entered_at, address
      """;

  /** The addresses of the other members whose lease is not over, the oldest first. */
  public Future<List<String>> others(Place place) {
    return database
        .run("look where the other nodes are", OTHERS, Tuple.of(place.cluster(), place.address()))
        .map(MemberStore::texts);
  }

  static final String SECRET =
      """
      with made as (
        insert into cluster_secrets (cluster, secret) values ($1, $2)
        on conflict (cluster) do nothing
        returning secret
      )
      select secret from made union all select secret from cluster_secrets where cluster = $1
      """;

  /**
   * The secret of a cluster: what is kept, or else {@code proposal}, which is kept from now on.
   *
   * @param cluster its name in the configuration
   */
  public Future<String> secret(String cluster, String proposal) {
    return database
        .run("read the secret of the cluster", SECRET, Tuple.of(cluster, proposal))
        .compose(rows ->
            rows.size() == 0
                ? secret(cluster, proposal) // another node has made it since this one looked
                : Future.succeededFuture(texts(rows).getFirst()));
  }

  private static List<String> texts(RowSet<Row> rows) {
    var texts = new ArrayList<String>();
    rows.forEach(row -> texts.add(row.getString(0)));
    return texts;
  }
}
