package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.UUID;

/**
 * Sessions of users, which refresh tokens prolong. Each token is used once and gives the next one
 * in the same commit; one that comes again ends its session, since two have it then. Only SHA-256
 * hashes of tokens are kept. Thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2">RFC 9700, 4.14.2</a>
 */
public final class SessionStore {
  private static final String BEGIN =
      """
      with begun as (
        insert into identity_sessions (id, user_id, expires_at)
        values ($1, $2, clock_timestamp() + make_interval(secs => $4))
        returning id, expires_at
      )
      insert into identity_refresh_tokens (hash, session_id, expires_at)
      select $3, id, expires_at from begun
      """;

  /**
   * A token that is there and could not be used has been used, also by whoever does so at this
   * moment. The session is a row of its own, so that its end also holds for a token that is made
   * meanwhile.
   */
  private static final String ROTATE =
      """
      with used as (
        update identity_refresh_tokens t set used_at = clock_timestamp()
          from identity_sessions s
         where t.hash = $1 and t.used_at is null and t.expires_at > clock_timestamp()
           and s.id = t.session_id and s.revoked_at is null
        returning s.id, s.user_id
      ), made as (
        insert into identity_refresh_tokens (hash, session_id, expires_at)
        select $2, id, clock_timestamp() + make_interval(secs => $3) from used
      ), prolonged as (
        update identity_sessions set expires_at = clock_timestamp() + make_interval(secs => $3)
         where id in (select id from used)
      ), again as (
        select session_id from identity_refresh_tokens
         where hash = $1 and expires_at > clock_timestamp() and not exists (select from used)
      ), ended as (
        update identity_sessions set revoked_at = clock_timestamp()
         where id in (select session_id from again) and revoked_at is null
      )
      select (select user_id from used), exists (select from again)
      """;

  private static final String REMOVE_EXPIRED =
      """
      delete from identity_sessions
       where id in (select id from identity_sessions
                     where expires_at < clock_timestamp() limit $1 for update skip locked)
      """;

  private final Database database;

  public SessionStore(Database database) {
    this.database = database;
  }

  /** What became of a refresh token. */
  public sealed interface Rotation {
    /** It was used up, and the next one is valid. */
    record Rotated(String userId) implements Rotation {}

    /** It had been used before, or its session is over: the session is over now. */
    record Reused() implements Rotation {}

    /** There is none, or it has expired. */
    record Unknown() implements Rotation {}
  }

  /** {@code lifetime}: after which it ends when it is not prolonged. */
  public Future<Void> begin(UUID id, String userId, byte[] tokenHash, Duration lifetime) {
    var parameters =
        Tuple.of(id, userId, Buffer.buffer(tokenHash)).addDouble(lifetime.toMillis() / 1000.0);
    return database.run("begin a session", BEGIN, parameters).mapEmpty();
  }

  /** Uses a token up and makes the next one, or ends the session; in one commit. */
  public Future<Rotation> rotate(byte[] tokenHash, byte[] nextHash, Duration lifetime) {
    var parameters =
        Tuple.of(Buffer.buffer(tokenHash), Buffer.buffer(nextHash))
            .addDouble(lifetime.toMillis() / 1000.0);
    return database
        .run("use a refresh token", ROTATE, parameters)
        .map(rows -> {
          var row = rows.iterator().next();
          var user = row.getString(0);
          if (user != null) {
            return new Rotation.Rotated(user);
          }
          return row.getBoolean(1) ? new Rotation.Reused() : new Rotation.Unknown();
        });
  }

  /** How many sessions that are over were removed with their tokens, {@code max} at most. */
  public Future<Integer> removeExpired(int max) {
    return database
        .run("remove sessions that are over", REMOVE_EXPIRED, Tuple.of(max))
        .map(rows -> rows.rowCount());
  }
}
