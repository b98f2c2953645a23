package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
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

    assertThat(rotated()).isEqualTo(Rotation.ROTATED);
  }

  @Test
  void a_password_that_was_replaced_since_it_was_verified_begins_no_session() {
    users.insert(kim).await();
    users.update(kim.id(), "new hash", null).await();

    assertThat(begins(kim)).isFalse();

    assertThat(sessions("true")).isZero();
    assertThat(rotated()).isEqualTo(Rotation.UNKNOWN);
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

  private long tokens() {
    return TestDatabase.number(
        database,
        "select count(*) from identity_refresh_tokens where session_id in"
            + " (select id from identity_sessions where user_id = $1)",
        kim.id());
  }

  private Rotation rotated(String next) {
    return sessions.rotate(token, hash(next + name), HOUR).await();
  }

  @Test
  void the_same_once_more_is_answered_as_before_and_any_other_use_ends_the_session() {
    users.insert(kim).await();
    begins(kim);
    assertThat(rotated("next")).isEqualTo(Rotation.ROTATED);

    assertThat(rotated("next")).as("its answer was lost").isEqualTo(Rotation.ROTATED);

    assertThat(tokens()).isEqualTo(2);
    assertThat(sessions("revoked_at is null")).isEqualTo(1);
    assertThat(rotated("thief")).isEqualTo(Rotation.REUSED);
    assertThat(sessions("revoked_at is null")).isZero();
    assertThat(rotated("next")).as("the thief came between").isEqualTo(Rotation.REUSED);
    assertThat(tokens()).isEqualTo(2);
  }

  @Test
  void the_next_token_of_another_session_is_no_sign_of_the_same_request() {
    users.insert(kim).await();
    begins(kim);
    var other = hash("other " + name);
    sessions.begin(UUID.randomUUID(), kim, other, HOUR).await();
    assertThat(sessions.rotate(other, hash("next" + name), HOUR).await())
        .isEqualTo(Rotation.ROTATED);
    assertThat(rotated("own")).isEqualTo(Rotation.ROTATED);

    assertThat(rotated("next")).isEqualTo(Rotation.REUSED);
  }

  @Test
  void the_same_twice_at_once_is_no_theft() {
    users.insert(kim).await();
    begins(kim);
    Promise<Void> goOn = Promise.promise();
    Promise<Void> locked = Promise.promise();
    var sql = "select from identity_refresh_tokens where hash = $1 for update";
    var holding =
        database.inTransaction(
            "hold the token",
            connection ->
                database
                    .run(connection, "lock", sql, Tuple.of(Buffer.buffer(token)))
                    .compose(_ -> {
                      locked.complete();
                      return goOn.future();
                    }));
    locked.future().await();

    var next = hash("next" + name);
    var first = sessions.rotate(token, next, HOUR);
    var second = sessions.rotate(token, next, HOUR);
    waitForLocks(2, "identity_");
    goOn.complete();
    holding.await();

    assertThat(first.await()).isEqualTo(Rotation.ROTATED);
    assertThat(second.await()).isEqualTo(Rotation.ROTATED);
    assertThat(sessions("revoked_at is null")).isEqualTo(1);
  }

  @Test
  void of_two_different_uses_at_once_one_succeeds_and_the_session_is_over() {
    users.insert(kim).await();
    begins(kim);

    var first = sessions.rotate(token, hash("one" + name), HOUR);
    var second = sessions.rotate(token, hash("two" + name), HOUR);

    assertThat(List.of(first.await(), second.await()))
        .containsExactlyInAnyOrder(Rotation.ROTATED, Rotation.REUSED);
    assertThat(sessions("revoked_at is null")).isZero();
  }

  @Test
  void a_token_is_of_its_user_until_it_cannot_be_used() {
    users.insert(kim).await();
    begins(kim);
    var whose = new SessionStore.Whose.User(kim.id());
    assertThat(sessions.find(token).await()).isEqualTo(whose);
    assertThat(sessions.find(hash("invented")).await()).isNull();

    var next = hash("next" + name);
    sessions.rotate(token, next, HOUR).await();
    assertThat(sessions.find(token).await()).isNull();
    assertThat(sessions.find(next).await()).isEqualTo(whose);

    users.update(kim.id(), "new hash", null).await();
    assertThat(sessions.find(next).await()).isNull();
  }

  @Test
  void a_token_of_a_person_has_all_that_is_known_of_them() {
    var person =
        new SessionStore.Whose.Person(
            "https://id.example.com", "f:1", name, List.of("viewer"), List.of("read:*"), "acme");
    sessions.begin(UUID.randomUUID(), person, token, HOUR, HOUR).await();

    assertThat(sessions.find(token).await()).isEqualTo(person);
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
    waitForLocks(1, "identity_users");
  }

  /** Until so many statements about such tables wait. */
  private static void waitForLocks(int count, String tables) {
    var waiting =
        """
        select count(*) from pg_stat_activity
         where wait_event_type = 'Lock' and query like '%' || $1 || '%'
        """;
    for (int i = 0; i < 200 && TestDatabase.number(database, waiting, tables) < count; i++) {
      database.run("sleep", "select pg_sleep(0.02)", Tuple.tuple()).await();
    }
    assertThat(TestDatabase.number(database, waiting, tables)).isEqualTo(count);
  }
}
