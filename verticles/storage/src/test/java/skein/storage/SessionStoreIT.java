package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import skein.model.StimulusHash;
import skein.storage.SessionStore.Rotation;
import skein.storage.UserStore.User;

class SessionStoreIT {
  private static final Duration HOUR = Duration.ofHours(1);
  private static Database database;

  private final String name = UUID.randomUUID().toString();
  private final User kim = new User(name, name, "old hash", List.of("viewer"));
  private final byte[] token = hash("a token of " + name);
  private UserStore users;
  private SessionStore sessions;

  @BeforeAll
  static void start() {
    database = TestDatabase.migrated();
  }

  @BeforeEach
  void open() {
    users = new UserStore(database);
    sessions = new SessionStore(database);
  }

  private static byte[] hash(String text) {
    return HexFormat.of().parseHex(StimulusHash.sha256(text));
  }

  private long sessions(String condition) {
    return TestDatabase.number(
        database,
        "select count(*) from identity_sessions where user_id = $1 and " + condition,
        kim.id());
  }

  private boolean begins(User user) {
    return sessions.begin(UUID.randomUUID(), user, token, HOUR).await();
  }

  private Rotation rotated() {
    return sessions.rotate(token, hash("the next of " + name), HOUR).await();
  }

  @Test
  void a_session_begins_for_a_user_as_they_are() {
    assertThat(users.insert(kim).await()).isTrue();

    assertThat(begins(kim)).isTrue();

    assertThat(rotated()).isInstanceOf(Rotation.Rotated.class);
  }

  @Test
  void a_password_that_was_replaced_since_it_was_verified_begins_no_session() {
    users.insert(kim).await();
    users.update(kim.id(), "new hash", null).await();

    assertThat(begins(kim)).isFalse();

    assertThat(sessions("true")).isZero();
    assertThat(rotated()).isInstanceOf(Rotation.Unknown.class);
  }

  @Test
  void roles_that_were_changed_since_begin_no_session_and_neither_does_a_deleted_user() {
    users.insert(kim).await();
    users.update(kim.id(), null, List.of()).await();
    assertThat(begins(kim)).isFalse();

    users.delete(kim.id()).await();
    assertThat(begins(kim)).isFalse();
  }

  @Test
  void a_session_that_begins_while_the_user_is_changed_ends_with_the_change() {
    users.insert(kim).await();
    Promise<Void> goOn = Promise.promise();
    Promise<Void> locked = Promise.promise();
    // A session of another connection, from its lock on, is committed after the change has begun.
    var beginning =
        database.inTransaction(
            "begin a session slowly",
            connection ->
                database
                    .run(
                        connection,
                        "lock",
                        "select from identity_users where id = $1 for share",
                        Tuple.of(kim.id()))
                    .compose(_ -> {
                      locked.complete();
                      return goOn.future();
                    })
                    .compose(_ -> insertSession(connection)));
    locked.future().await();

    var changed = users.update(kim.id(), "new hash", null);
    waitForLock();
    goOn.complete();
    beginning.await();
    assertThat(changed.await()).isNotNull();

    assertThat(sessions("revoked_at is not null")).isEqualTo(1);
  }

  private Future<Void> insertSession(SqlConnection connection) {
    var sql =
        """
        insert into identity_sessions (id, user_id, expires_at)
        values ($1, $2, clock_timestamp() + interval '1 hour')
        """;
    return database
        .run(connection, "insert", sql, Tuple.of(UUID.randomUUID(), kim.id()))
        .mapEmpty();
  }

  private void waitForLock() {
    var waiting =
        """
        select count(*) from pg_stat_activity
         where wait_event_type = 'Lock' and query like '%identity_users%'
        """;
    for (int i = 0; i < 200 && TestDatabase.number(database, waiting) == 0; i++) {
      database.run("sleep", "select pg_sleep(0.02)", Tuple.tuple()).await();
    }
    assertThat(TestDatabase.number(database, waiting)).isEqualTo(1);
  }
}
