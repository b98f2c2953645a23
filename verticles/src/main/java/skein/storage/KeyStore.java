package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Idempotency keys: who executes the request of each, and how it was answered. Thread-safe.
 *
 * <p>A key is claimed before its request is executed. The commit that does what was asked for
 * demands the claim and writes the reply; where the effect is not one commit, the answer is written
 * at the end. A claim of a node that is gone, or one that has lasted too long, may be taken over.
 */
public final class KeyStore implements IdempotencyKeys {
  private final Database database;

  public KeyStore(Database database) {
    this.database = database;
  }

  static final String CLAIM =
      """
      with claimed as (
        insert into idempotency_keys as k (key, fingerprint, claim, node, claimed_until, expires_at)
        values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $6),
                clock_timestamp() + make_interval(secs => $7))
        on conflict (key) do update
           set fingerprint = excluded.fingerprint, claim = excluded.claim, node = excluded.node,
               claimed_until = excluded.claimed_until, expires_at = excluded.expires_at,
               reply = null, complete = false, status = null, head = null, body = null
         where k.expires_at <= clock_timestamp()
            or (k.fingerprint = excluded.fingerprint and k.reply is null and k.status is null
                and (k.claimed_until <= clock_timestamp() or (k.node = any ($5)) is not true))
        returning 1
      )
      select exists (select from claimed), k.fingerprint,
             k.claimed_until > clock_timestamp() and k.node = any ($5),
             k.reply, k.complete, k.status, k.head, k.body,
             set_config('synchronous_commit', 'off', true)
        from (select) as one left join idempotency_keys k on k.key = $1
      """;

  /**
   * Claims a key that is free, has expired, or whose first request nobody executes any more. Nobody
   * waits for the disk: a claim that a crash of the database loses is lost with all that would have
   * followed it, since the log is written in order.
   *
   * @param members ids of the nodes that are there: what others have claimed is free
   * @param claimMax until a claim is void that nobody has ended
   * @param keep how long the key and its answer are kept
   */
  @Override
  public Future<Found> claim(
      Claim claim, Collection<String> members, Duration claimMax, Duration keep) {
    var parameters =
        Tuple.of(claim.key(), claim.fingerprint(), claim.id(), claim.node())
            .addValue(members.toArray(String[]::new))
            .addDouble(claimMax.toMillis() / 1000.0)
            .addDouble(keep.toMillis() / 1000.0);
    return database
        .run("claim an idempotency key", CLAIM, parameters)
        .map(rows -> found(rows.iterator().next()));
  }

  static final String FIND =
      """
      select false, k.fingerprint, k.claimed_until > clock_timestamp() and k.node = any ($2),
             k.reply, k.complete, k.status, k.head, k.body
        from idempotency_keys k where k.key = $1 and k.expires_at > clock_timestamp()
      """;

  /** Null when the key is free. */
  @Override
  public Future<@Nullable Found> find(String key, Collection<String> members) {
    var parameters = Tuple.of(key).addValue(members.toArray(String[]::new));
    return database
        .runKept("look for an idempotency key", FIND, parameters)
        .map(rows -> {
          for (var row : rows) {
            return found(row);
          }
          return null;
        });
  }

  private static Found found(Row row) {
    var status = row.getInteger(5);
    return new Found(
        row.getBoolean(0),
        row.getString(1),
        Boolean.TRUE.equals(row.getBoolean(2)),
        row.getBuffer(3),
        Boolean.TRUE.equals(row.getBoolean(4)),
        status == null ? null : new Written(status, row.getString(6), row.getBuffer(7)));
  }

  static final String HOLDS =
      """
      select 1 from idempotency_keys
       where key = $1 and claim = $2 and reply is null and status is null
      """;

  /** Whether a commit under this claim may take effect. */
  @Override
  public Future<Boolean> holds(String key, UUID claim) {
    return database
        .runKept("ask for a claim", HOLDS, Tuple.of(key, claim))
        .map(rows -> rows.size() > 0);
  }

  static final String FINISH =
      """
      update idempotency_keys set status = $3, head = $4, body = $5, complete = true
       where key = $1 and claim = $2 and not complete
      """;

  /** Writes how a request was answered, unless its commit has said all there is to say. */
  @Override
  public Future<Void> finish(String key, UUID claim, Written answer) {
    var parameters = Tuple.of(key, claim, answer.status(), answer.head(), answer.body());
    return database.run("keep an answer", FINISH, parameters).mapEmpty();
  }

  static final String FINISH_REPLY =
      """
      update idempotency_keys set reply = $3, complete = true
       where key = $1 and claim = $2 and not complete
      """;

  /** As {@link #finish}, for what is answered with a reply. */
  @Override
  public Future<Void> finish(String key, UUID claim, Buffer reply) {
    return database.run("keep a reply", FINISH_REPLY, Tuple.of(key, claim, reply)).mapEmpty();
  }

  static final String RELEASE =
      """
      with gone as (
        delete from idempotency_keys
         where key = $1 and claim = $2 and reply is null and status is null
      )
      update idempotency_keys set claimed_until = clock_timestamp()
       where key = $1 and claim = $2 and reply is not null and not complete
      """;

  /**
   * Ends a claim without an answer. If nothing was committed under it, nothing will be, and the
   * request may be made again.
   */
  @Override
  public Future<Void> release(String key, UUID claim) {
    return database.run("release an idempotency key", RELEASE, Tuple.of(key, claim)).mapEmpty();
  }

  static final String REMOVE_EXPIRED =
      """
      delete from idempotency_keys
       where expires_at <= clock_timestamp() and key = any(array(
         select key from idempotency_keys where expires_at <= clock_timestamp()
          order by expires_at limit $1 for update skip locked))
      """;

  /** How many of those that have expired were removed, {@code max} at most. */
  public Future<Integer> removeExpired(int max) {
    return database
        .run("remove expired idempotency keys", REMOVE_EXPIRED, Tuple.of(max))
        .map(rows -> rows.rowCount());
  }
}
