package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of all clusters on this database, as they say themselves, and the definitions that any
 * of them has changed. Thread-safe.
 */
public final class NodeStore {
  private final Database database;

  public NodeStore(Database database) {
    this.database = database;
  }

  /**
   * A node.
   *
   * @param format the newest that it reads
   * @param schema the newest version of the schema that it knows
   * @param activities the types of its activities that are not built in
   */
  public record Me(
      String id, String name, String cluster, int format, int schema, Set<String> activities) {}

  /**
   * What a look has found.
   *
   * @param oldestRead of the nodes that were there lately, the format of the one that reads least
   * @param newestRead of the one that reads most
   * @param activities the types of all nodes but this one, as they say
   * @param changed ids of definitions that may have changed since the look before; some of them may
   *     be reported twice
   * @param place to give to the next look
   */
  public record Seen(
      int oldestRead, int newestRead, Set<String> activities, List<String> changed, String place) {}

  /**
   * The place is read as whatever type the table has for numbers of transactions: bigint when
   * PostgreSQL 12 made it, else xid8.
   */
  static final String LOOK =
      """
      with me as (
        insert into nodes (id, name, cluster, format, schema_version, activities, started_at, seen_at)
        values ($1, $2, $3, $4, $5, $8, clock_timestamp(), clock_timestamp())
        on conflict (id) do update set seen_at = excluded.seen_at
      ), gone as (
        delete from nodes where id <> $1 and seen_at < clock_timestamp() - make_interval(secs => $6)
      )
      select least($4, min(format)) as oldest, greatest($4, max(format)) as newest,
             array(select definition_id from definition_changes
                    where changed_by >= (json_populate_record(null::definition_changes,
                            json_build_object('changed_by', $7::text))).changed_by) as changed,
             array(select distinct unnest(activities) from nodes
                    where id <> $1 and seen_at >= clock_timestamp() - make_interval(secs => $6)
                  ) as activities,
             txid_snapshot_xmin(txid_current_snapshot())::text as place
        from nodes
       where seen_at >= clock_timestamp() - make_interval(secs => $6)
      """;

  /**
   * Records that a node is present, and reads the others.
   *
   * @param lately nodes that were seen within it count; others are forgotten
   * @param place of the look before; null for the first, which reports no changes
   */
  public Future<Seen> look(Me me, Duration lately, @Nullable String place) {
    var parameters =
        Tuple.of(
                me.id(),
                me.name(),
                me.cluster(),
                me.format(),
                me.schema(),
                lately.toMillis() / 1000.0,
                place)
            .addValue(me.activities().toArray(String[]::new));
    return database.run("look for other nodes", LOOK, parameters).map(NodeStore::seen);
  }

  private static Seen seen(Iterable<Row> rows) {
    var row = rows.iterator().next();
    return new Seen(
        row.getInteger("oldest"),
        row.getInteger("newest"),
        Set.of(row.getArrayOfStrings("activities")),
        List.of(row.getArrayOfStrings("changed")),
        row.getString("place"));
  }
}
