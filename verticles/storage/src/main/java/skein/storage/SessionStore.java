package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of users, which refresh tokens prolong. Each token is used once and gives the next one
 * in the same commit; one that comes again ends its session, since two have it then. Only SHA-256
 * hashes of tokens are kept. Thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2">RFC 9700, 4.14.2</a>
 */
public final class SessionStore {
  /**
   * The user must be as they were when their password was verified, which takes a while. The lock
   * makes a change of the user wait for this session, which it then ends.
   */
  private static final String BEGIN =
      """
      with same as (
        select id from identity_users where id = $2 and password = $5 and roles = $6 for share
      ), begun as (
        insert into identity_sessions (id, user_id, expires_at)
        select $1, id, clock_timestamp() + make_interval(secs => $4) from same
        returning id, expires_at
      )
      insert into identity_refresh_tokens (hash, session_id, expires_at)
      select $3, id, expires_at from begun
      """;

  private static final String BEGIN_OF_PERSON =
      """
      with begun as (
        insert into identity_sessions (id, person_subject, person_name, person_roles,
                                       person_permissions, person_issuer, expires_at, ends_at,
                                       person_tenant)
        values ($1, $3, $4, $5, $6, $7,
                clock_timestamp() + make_interval(secs => least($8::float8, $9::float8)),
                clock_timestamp() + make_interval(secs => $9::float8), $10)
        on conflict (id) do nothing
        returning id, expires_at
      )
      insert into identity_refresh_tokens (hash, session_id, expires_at)
      select $2, id, expires_at from begun
      """;

  private static final String WHOSE =
      """
      select s.user_id, s.person_subject, s.person_name, s.person_roles, s.person_permissions,
             s.person_issuer, s.person_tenant
        from identity_refresh_tokens t join identity_sessions s on s.id = t.session_id
       where t.hash = $1 and t.used_at is null and t.expires_at > clock_timestamp()
         and s.revoked_at is null
      """;

  /**
   * Another use of the same token is over before ROTATE begins, which then sees what it did: also
   * one of the same request, whose caller has given it up.
   */
  private static final String LOCK =
      """
      select from identity_sessions
       where id = (select session_id from identity_refresh_tokens where hash = $1) for update
      """;

  /**
   * A token that exists and could not be used has been used, maybe by a concurrent request; unless
   * it gave this very next one, which nobody else knows: then this request has used it before, and
   * has not heard of it. The session is a row of its own, so that its end also holds for a token
   * that is made at the same time.
   */
  private static final String ROTATE =
      """
      with used as (
        update identity_refresh_tokens t set used_at = clock_timestamp()
          from identity_sessions s
         where t.hash = $1 and t.used_at is null and t.expires_at > clock_timestamp()
           and s.id = t.session_id and s.revoked_at is null
        returning s.id, least(clock_timestamp() + make_interval(secs => $3), s.ends_at) as until
      ), made as (
        insert into identity_refresh_tokens (hash, session_id, expires_at)
        select $2, id, until from used
      ), prolonged as (
        update identity_sessions s set expires_at = u.until from used u where s.id = u.id
      ), made_before as (
        select n.session_id
          from identity_refresh_tokens t
          join identity_refresh_tokens n on n.session_id = t.session_id
          join identity_sessions s on s.id = t.session_id
         where t.hash = $1 and n.hash = $2 and n.used_at is null and s.revoked_at is null
      ), again as (
        select session_id from identity_refresh_tokens
         where hash = $1 and expires_at > clock_timestamp()
           and not exists (select from used) and not exists (select from made_before)
      ), ended as (
        update identity_sessions set revoked_at = clock_timestamp()
         where id in (select session_id from again) and revoked_at is null
      )
      select exists (select from used) or exists (select from made_before),
             exists (select from again)
      """;

  /** By a token of the session, used or not. */
  private static final String END =
      """
      update identity_sessions s set revoked_at = clock_timestamp()
        from identity_refresh_tokens t
       where t.hash = $1 and s.id = t.session_id and s.revoked_at is null
         and s.expires_at > clock_timestamp()
      returning coalesce(s.person_name, (select name from identity_users where id = s.user_id)),
                s.person_name is not null, s.person_issuer,
                coalesce(s.person_tenant,
                  (select tenant_id from identity_users where id = s.user_id), '')
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

  /** The outcome of using a refresh token. */
  public enum Rotation {
    /** It was used up, and the next one is valid. */
    ROTATED,

    /** It had been used before, or its session is over: the session is over now. */
    REUSED,

    /** There is none, or it has expired. */
    UNKNOWN
  }

  /** The user who has signed in. */
  public sealed interface Whose {
    /** With a password. */
    record User(String id) implements Whose {}

    /**
     * At an OpenID provider.
     *
     * @param issuer of the provider; null: the session is older than there were several
     * @param subject by which the provider knows them
     * @param roles of the cluster, by name; what they allow is looked up when it is needed
     * @param permissions beside those of their roles
     * @param tenant whose they are; empty: of the default tenant
     */
    record Person(
        @Nullable String issuer,
        String subject,
        String name,
        List<String> roles,
        List<String> permissions,
        String tenant)
        implements Whose {
      public Person {
        roles = List.copyOf(roles);
        permissions = List.copyOf(permissions);
      }
    }
  }

  /**
   * @param byProvider whether an OpenID provider had signed them in
   * @param issuer of the provider; null: there is none, or the session is older than there were
   *     several
   * @param tenant whose they are; empty: of the default tenant
   */
  public record Ended(String name, boolean byProvider, @Nullable String issuer, String tenant) {}

  /**
   * Of a user who has signed in.
   *
   * @param user as they were when their password was verified
   * @param lifetime after which it ends when it is not prolonged
   * @return false: the user has another password or other roles now, or was deleted
   */
  public Future<Boolean> begin(UUID id, UserStore.User user, byte[] tokenHash, Duration lifetime) {
    var parameters =
        Tuple.of(id, user.id(), Buffer.buffer(tokenHash))
            .addDouble(seconds(lifetime))
            .addString(user.password())
            .addArrayOfString(user.roles().toArray(String[]::new));
    return database.run("begin a session", BEGIN, parameters).map(rows -> rows.rowCount() == 1);
  }

  /**
   * Of a person who is not a user of the cluster.
   *
   * @param id of what can begin one session only
   * @param lifetime after which it ends when it is not prolonged
   * @param max after which it ends in any case
   * @return false: there has been a session of this id
   */
  public Future<Boolean> begin(
      UUID id, Whose.Person person, byte[] tokenHash, Duration lifetime, Duration max) {
    var parameters =
        Tuple.of(id, Buffer.buffer(tokenHash), person.subject(), person.name())
            .addArrayOfString(person.roles().toArray(String[]::new))
            .addArrayOfString(person.permissions().toArray(String[]::new))
            .addString(person.issuer())
            .addDouble(seconds(lifetime))
            .addDouble(seconds(max))
            .addString(person.tenant());
    return database
        .run("begin a session", BEGIN_OF_PERSON, parameters)
        .map(rows -> rows.rowCount() == 1);
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }

  /** Whose session a token could prolong now; null: it is none that can be used. */
  public Future<@Nullable Whose> find(byte[] tokenHash) {
    return database
        .run("look for a session", WHOSE, Tuple.of(Buffer.buffer(tokenHash)))
        .map(rows -> {
          for (var row : rows) {
            return whose(row);
          }
          return null;
        });
  }

  /**
   * Uses a token up and makes the next one, or ends the session; in one commit. With {@link
   * skein.model.ErrorCode#STORAGE_UNAVAILABLE} it may have done so: the same once more has the
   * outcome of that.
   *
   * @param nextHash of a token that no other call names
   */
  public Future<Rotation> rotate(byte[] tokenHash, byte[] nextHash, Duration lifetime) {
    var what = "use a refresh token";
    var token = Buffer.buffer(tokenHash);
    var parameters = Tuple.of(token, Buffer.buffer(nextHash)).addDouble(seconds(lifetime));
    return database.inTransaction(
        what,
        connection ->
            database
                .run(connection, what, LOCK, Tuple.of(token))
                .compose(_ -> database.run(connection, what, ROTATE, parameters))
                .map(rows -> rotation(rows.iterator().next())));
  }

  private static Rotation rotation(Row row) {
    if (row.getBoolean(0)) {
      return Rotation.ROTATED;
    }
    return row.getBoolean(1) ? Rotation.REUSED : Rotation.UNKNOWN;
  }

  private static @Nullable Whose whose(Row row) {
    var user = row.getString(0);
    if (user != null) {
      return new Whose.User(user);
    }
    var name = row.getString(2);
    return name == null
        ? null
        : new Whose.Person(
            row.getString(5),
            row.getString(1),
            name,
            List.of(row.getArrayOfStrings(3)),
            List.of(row.getArrayOfStrings(4)),
            Objects.requireNonNullElse(row.getString(6), ""));
  }

  /** Null: the token is of no session that was still to end. */
  public Future<@Nullable Ended> end(byte[] tokenHash) {
    return database
        .run("end a session", END, Tuple.of(Buffer.buffer(tokenHash)))
        .map(rows -> {
          for (var row : rows) {
            return new Ended(
                row.getString(0), row.getBoolean(1), row.getString(2), row.getString(3));
          }
          return null;
        });
  }

  /** How many sessions that are over were removed with their tokens, {@code max} at most. */
  public Future<Integer> removeExpired(int max) {
    return database
        .run("remove sessions that are over", REMOVE_EXPIRED, Tuple.of(max))
        .map(rows -> rows.rowCount());
  }
}
