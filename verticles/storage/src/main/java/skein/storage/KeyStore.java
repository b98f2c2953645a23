package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Idempotency keys: who executes the request of each, and how it was answered. Thread-safe.
 *
 * <p>A key is claimed before its request is executed, for a lease that the claiming node renews
 * while it works. The commit that does what was asked for demands the claim and writes the reply;
 * where the effect is not one commit, the answer is written at the end. A claim whose node has left
 * or whose lease is over may be taken over, and then commits nothing. Leases are measured by the
 * database's clock.
 */
public final class KeyStore implements IdempotencyKeys {
  private final Database database;

  public KeyStore(Database database) {
    this.database = database;
  }

  /**
   * A claim that is made again with the same id is the claim it was: the answer to the first
   * attempt may have been lost. What was committed under a claim that is no longer held is taken
   * over as it is, by the claimant that answers it.
   */
  static final String CLAIM =
      """
      with claimed as (
        insert into idempotency_keys as k (key, fingerprint, claim, node, claimed_until, expires_at)
        values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $6),
                clock_timestamp() + make_interval(secs => $7))
        on conflict (key) do update
           set fingerprint = excluded.fingerprint, claim = excluded.claim, node = excluded.node,
               claimed_until = excluded.claimed_until, complete = false, status = null, head = null,
               reply = case when k.expires_at > clock_timestamp() then k.reply end,
               body = case when k.expires_at > clock_timestamp() then k.body end,
               expires_at = case when k.reply is not null and k.expires_at > clock_timestamp()
                                 then k.expires_at else excluded.expires_at end
         where case when k.claim = excluded.claim then not k.complete
                    else k.expires_at <= clock_timestamp()
                      or (k.fingerprint = excluded.fingerprint and not k.complete
                          and (k.claimed_until <= clock_timestamp()
                               or (k.node = any ($5)) is not true)) end
        returning k.key, k.reply, k.body
      )
      select c.key is not null, coalesce(k.fingerprint, $2),
             k.claimed_until > clock_timestamp() and k.node = any ($5),
             case when c.key is null then k.reply else c.reply end,
             c.key is null and k.complete,
             case when c.key is null then k.status end,
             k.head,
             case when c.key is null then k.body else c.body end,
             set_config('synchronous_commit', 'off', true)
        from (select) as one left join claimed c on true
        left join idempotency_keys k on k.key = $1 and c.key is null
      """;

  /**
   * {@inheritDoc}
   *
   * <p>It does not wait for the disk: a claim that a crash of the database loses is lost with all
   * that would have followed it, since the log is written in order.
   */
  @Override
  public Future<Found> claim(
      Claim claim, Collection<String> members, Duration lease, Duration keep) {
    var parameters =
        Tuple.of(claim.key(), claim.fingerprint(), claim.id(), claim.node())
            .addValue(members.toArray(String[]::new))
            .addDouble(seconds(lease))
            .addDouble(seconds(keep));
    return database
        .run("claim an idempotency key", CLAIM, parameters)
        .map(rows -> found(claim.key(), rows.iterator().next()));
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  static final String RENEW =
      """
      with mine as materialized (
        select k.key from unnest($1::text[], $2::uuid[]) as c (key, claim)
          join idempotency_keys k on k.key = c.key and k.claim = c.claim
         where not k.complete
           for no key update of k skip locked
      )
      update idempotency_keys
         set claimed_until = clock_timestamp() + make_interval(secs => $3)
       where key = any (array(select key from mine))
      returning claim
      """;

  /**
   * {@inheritDoc}
   *
   * <p>Rows that a commit has locked are left out, so that renewal and commits do not wait for each
   * other: they are renewed the next time.
   */
  @Override
  public Future<Set<UUID>> renew(Map<UUID, String> keys, Duration lease) {
    var claims = keys.keySet().toArray(UUID[]::new);
    var parameters =
        Tuple.tuple()
            .addValue(Stream.of(claims).map(keys::get).toArray(String[]::new))
            .addValue(claims)
            .addDouble(seconds(lease));
    return database
        .run("renew claims of idempotency keys", RENEW, parameters)
        .map(rows -> {
          var renewed = new HashSet<UUID>();
          rows.forEach(row -> renewed.add(row.getUUID(0)));
          return renewed;
        });
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
            return found(key, row);
          }
          return null;
        });
  }

  private Found found(String key, Row row) {
    var status = row.getInteger(5);
    var body = row.getBuffer(7);
    return new Found(
        row.getBoolean(0),
        row.getString(1),
        Boolean.TRUE.equals(row.getBoolean(2)),
        database.values().open(StoredValues.Place.reply(key), row.getBuffer(3)),
        Boolean.TRUE.equals(row.getBoolean(4)),
        status == null
            ? null
            : StoredAnswer.open(
                key, new Written(status, row.getString(6), body), database.values()),
        status == null ? body : null);
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

  /**
   * Without an update, the answer was written before, the commit has kept it, or the claim is lost.
   * What a commit has kept is not what a refusal says.
   */
  private static String finish(String change, String isSame, int refusal) {
    return """
    with kept as (
      update idempotency_keys set %1$s, complete = true
       where key = $1 and claim = $2 and not complete and (not $%3$d or reply is null)
      returning 1
    )
    select case when exists (select from kept)
                  or exists (select from idempotency_keys
                              where key = $1 and claim = $2 and complete
                                and (not $%3$d or %2$s)) then 'YES'
                when exists (select from idempotency_keys where key = $1) then 'TAKEN_OVER'
                else 'NO' end
    """
        .formatted(change, isSame, refusal);
  }

  static final String FINISH =
      finish(
          "status = $3, head = $4, body = $5", "status = $3 and body is not distinct from $5", 6);

  @Override
  public Future<Kept> finish(String key, UUID claim, Written answer, boolean refusal) {
    // A refusal is compared with what is stored; it says nothing that was not in the request.
    var stored = refusal ? answer : StoredAnswer.seal(key, answer, database.values());
    var parameters = Tuple.of(key, claim, stored.status(), stored.head(), stored.body(), refusal);
    return database.run("keep an answer", FINISH, parameters).map(KeyStore::readKept);
  }

  static final String FINISH_REPLY = finish("reply = $3, body = null", "reply = $3", 4);

  @Override
  public Future<Kept> finish(String key, UUID claim, Buffer reply, boolean refusal) {
    var place = StoredValues.Place.reply(key);
    var stored = refusal ? reply : database.values().seal(place, reply);
    var parameters = Tuple.of(key, claim, stored, refusal);
    return database.run("keep a reply", FINISH_REPLY, parameters).map(KeyStore::readKept);
  }

  private static Kept readKept(Iterable<Row> rows) {
    return Kept.valueOf(rows.iterator().next().getString(0));
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

  @Override
  public Future<Void> release(String key, UUID claim) {
    return database.run("release an idempotency key", RELEASE, Tuple.of(key, claim)).mapEmpty();
  }

  /**
   * Leaves a row that is free for every other claim, and that no commit takes for a claim since it
   * has a status; it is kept for a minute, as long as a statement may be on its way.
   */
  static final String REVOKE =
      """
      insert into idempotency_keys as k (key, fingerprint, claim, node, claimed_until, expires_at,
                                         complete, status)
      values ($1, $2, $3, $4, clock_timestamp(), clock_timestamp(), true, 0)
      on conflict (key) do update
         set claimed_until = clock_timestamp(),
             expires_at = case when k.reply is null then clock_timestamp() else k.expires_at end,
             complete = k.reply is null,
             status = case when k.reply is null then 0 end
       where k.claim = excluded.claim and not k.complete
      """;

  @Override
  public Future<Void> revoke(Claim claim) {
    var parameters = Tuple.of(claim.key(), claim.fingerprint(), claim.id(), claim.node());
    return database.run("revoke a claim", REVOKE, parameters).mapEmpty();
  }

  static final String REMOVE_EXPIRED =
      """
      delete from idempotency_keys
       where expires_at <= clock_timestamp() and key = any(array(
         select key from idempotency_keys
          where expires_at <= clock_timestamp()
            and (status is distinct from 0
                 or expires_at <= clock_timestamp() - interval '1 minute')
          order by expires_at limit $1 for update skip locked))
      """;

  /** How many of those that have expired were removed, {@code max} at most. */
  public Future<Integer> removeExpired(int max) {
    return database
        .run("remove expired idempotency keys", REMOVE_EXPIRED, Tuple.of(max))
        .map(rows -> rows.rowCount());
  }
}
