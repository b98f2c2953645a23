package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Rights that one node has until an instant of the database's clock. Thread-safe. */
public final class LeaseStore {
  private final Database database;

  public LeaseStore(Database database) {
    this.database = database;
  }

  /** {@code epoch}: grows with every change of holder. */
  public record Lease(String name, String holder, long epoch) {}

  private static final String TAKE =
      """
      insert into leases as l (name, holder, epoch, expires_at)
      values ($1, $2, 1, clock_timestamp() + make_interval(secs => $3))
      on conflict (name) do update
        set holder = excluded.holder, expires_at = excluded.expires_at,
            epoch = l.epoch + case when l.holder = excluded.holder then 0 else 1 end
       where l.expires_at < clock_timestamp() or l.holder = excluded.holder
      returning holder, epoch
      """;

  /** Takes a free or expired lease, or renews one's own; null when another node has it. */
  public Future<@Nullable Lease> take(String name, String holder, Duration duration) {
    return database
        .run("take lease " + name, TAKE, Tuple.of(name, holder, duration.toMillis() / 1000.0))
        .map(rows -> {
          for (var row : rows) {
            return new Lease(name, row.getString("holder"), row.getLong("epoch"));
          }
          return null;
        });
  }

  private static final String FREE =
      "update leases set expires_at = '-infinity' where name = $1 and holder = $2";

  /** Lets another node take it at once. */
  public Future<Void> release(String name, String holder) {
    return database.run("release lease " + name, FREE, Tuple.of(name, holder)).mapEmpty();
  }

  private static final String EXPIRE_OF_OTHERS =
      """
      update leases set expires_at = '-infinity'
       where name = $1 and not (holder = any($2)) and expires_at > clock_timestamp()
      """;

  /**
   * Ends the lease of a holder that is known to be dead, so that nobody waits for it to expire. Two
   * leaders would cost work, not correctness.
   */
  public Future<Void> endUnlessHeldBy(String name, String[] alive) {
    return database
        .run("end lease " + name, EXPIRE_OF_OTHERS, Tuple.of(name, (Object) alive))
        .mapEmpty();
  }
}
