package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.encryption.WrappedKey;

/** The data keys in the database, and which of them the nodes have. Thread-safe. */
final class DataKeyStore {
  private final Database database;

  DataKeyStore(Database database) {
    this.database = database;
  }

  /**
   * @param usedAt since when values are encrypted by it; null: not every node has it yet
   * @param age by the database's clock
   */
  record Stored(WrappedKey key, @Nullable Instant usedAt, boolean retired, Duration age) {
    boolean isInUse() {
      return usedAt != null && !retired;
    }
  }

  private static final String ALL =
      """
      select number, master_key, wrapped, used_at, retired_at is not null as retired,
             extract(epoch from clock_timestamp() - made_at)::float8 as age
        from encryption_keys order by number
      """;

  /** The oldest first. */
  Future<List<Stored>> all() {
    return database
        .run("read the data keys", ALL, Tuple.tuple())
        .map(rows -> {
          var keys = new ArrayList<Stored>();
          rows.forEach(row -> keys.add(stored(row)));
          return keys;
        });
  }

  private static Stored stored(Row row) {
    return new Stored(
        new WrappedKey(
            row.getInteger("number"),
            row.getString("master_key"),
            row.getBuffer("wrapped").getBytes()),
        Database.instant(row.getOffsetDateTime("used_at")),
        row.getBoolean("retired"),
        Duration.ofMillis((long) (row.getDouble("age") * 1000)));
  }

  private static final String ANNOUNCE =
      """
      with me as (
        update nodes set encryption_key = $2 where id = $1 and encryption_key is distinct from $2
      )
      select coalesce(min(coalesce(encryption_key, 0)), $2) from nodes
       where id <> $1 and seen_at >= clock_timestamp() - make_interval(secs => $3)
      """;

  /**
   * Says which is the newest key that this node has, and returns the newest that every other node
   * has, 0 if one has none.
   *
   * @param lately nodes that were seen within it count
   */
  Future<Integer> announce(String nodeId, int newest, Duration lately) {
    return database
        .run(
            "say which data keys this node has",
            ANNOUNCE,
            Tuple.of(nodeId, newest, lately.toMillis() / 1000.0))
        .map(rows -> Math.min(newest, rows.iterator().next().getInteger(0)));
  }

  private static final String ADD =
      """
      insert into encryption_keys (number, master_key, wrapped) values ($1, $2, $3)
      on conflict (number) do nothing
      """;

  /** Without effect when another node has made the key with this number. */
  Future<Void> add(WrappedKey key) {
    return database
        .run(
            "make a data key",
            ADD,
            Tuple.of(key.number(), key.masterKeyId(), Buffer.buffer(key.bytes())))
        .mapEmpty();
  }

  /**
   * Nodes of schema 24 and older do not start any more: they would not understand what they read.
   */
  private static final String USE =
      """
      with older as (
        update schema_version set compatible_with = $2 where version >= $2 and compatible_with < $2
      )
      update encryption_keys set used_at = clock_timestamp()
       where number = $1 and used_at is null and retired_at is null
      """;

  Future<Void> use(int number) {
    return database
        .run("use data key " + number, USE, Tuple.of(number, Migrations.ENCRYPTION))
        .mapEmpty();
  }

  private static final String REWRAP =
      """
      update encryption_keys set master_key = $3, wrapped = $4
       where number = $1 and master_key = $2
      """;

  Future<Void> rewrap(WrappedKey before, WrappedKey after) {
    return database
        .run(
            "wrap data key " + before.number() + " by another master key",
            REWRAP,
            Tuple.of(
                before.number(),
                before.masterKeyId(),
                after.masterKeyId(),
                Buffer.buffer(after.bytes())))
        .mapEmpty();
  }

  private static final String RETIRE =
      "update encryption_keys set retired_at = clock_timestamp() where retired_at is null";

  /** When nothing is encrypted any more. The keys stay, so that nothing can be lost by it. */
  Future<Void> retireAll() {
    return database.run("retire the data keys", RETIRE, Tuple.tuple()).mapEmpty();
  }
}
