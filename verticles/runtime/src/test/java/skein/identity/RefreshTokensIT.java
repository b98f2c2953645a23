package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import skein.loop.VertxDelays;
import skein.metrics.SecurityMetrics;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.Database;
import skein.storage.RoleStore;
import skein.storage.SessionStore;
import skein.storage.TestDatabase;
import skein.storage.UserStore;

/** What a failing database means for those who go on with a refresh token. */
class RefreshTokensIT {
  private static final String HERE = "192.0.2.1";
  private static final String PASSWORD = "correct horse battery staple";
  private static final String ROLE = "reader";
  private static final Duration HOUR = Duration.ofHours(1);
  private static Vertx vertx;
  private static Database database;
  private static LossyWay way;
  private static Database behind;

  private final String name = UUID.randomUUID().toString();
  private final Throttle throttle =
      new Throttle(new Throttle.Options(1, HOUR, HOUR, HOUR, 50, 2), System::nanoTime);
  private final SecurityMetrics metrics = new SecurityMetrics();
  private UserStore users;
  private SignIn signIn;
  private String first;

  @BeforeAll
  static void start() {
    vertx = TestDatabase.vertx();
    database = TestDatabase.migrated();
    way = new LossyWay();
    var there = database.options();
    behind =
        new Database(
            vertx,
            new Database.Options(
                new Database.Login("postgresql://postgres@127.0.0.1:" + way.port() + "/postgres"),
                there.schema(),
                there.pool(),
                there.timeouts(),
                there.reads()));
    var role = new RoleStore.Role("r1", ROLE, List.of("read:*"));
    assertThat(new RoleStore(database).insert(role).await()).isTrue();
  }

  @AfterAll
  static void stop() {
    behind.close().await();
    way.close();
  }

  @BeforeEach
  void signIn() {
    way.losses.set(0);
    users = new UserStore(database);
    signIn = signIn(behind);
    var hash = passwords().hash(PASSWORD).await();
    users.insert(new UserStore.User(name, name, hash, List.of(ROLE))).await();
    first = Objects.requireNonNull(signIn.withPassword(name, PASSWORD, HERE).await()).refresh();
  }

  @AfterEach
  void noGuess() {
    assertThat(throttle.delay(HERE, null)).isZero();
    assertThat(metrics.refusals(SecurityMetrics.Refusal.REFRESH_TOKEN)).isZero();
  }

  private static Passwords passwords() {
    return new Passwords(vertx, 1_000, 1, 10);
  }

  private SignIn signIn(Database asked) {
    var key = "key-of-these-tests-that-nobody-guesses";
    return new SignIn(
        new SignIn.Accounts(new UserStore(asked), passwords(), new ReservedNames(Set.of())),
        new SessionStore(asked),
        new RolePermissions(new RoleStore(asked)),
        new AccessTokens(vertx, List.of(key), "tests", Duration.ofMinutes(5)),
        new SignIn.Guard(throttle, new VertxDelays(vertx), metrics),
        HOUR);
  }

  private SignIn.@Nullable Tokens next(String token) {
    return signIn.withRefreshToken(token, HERE).await();
  }

  private static void run(String sql) {
    TestDatabase.texts(database, sql);
  }

  /** While a table cannot be read, the token stays as good as it was. */
  private void assertLastsWithout(String table) {
    run("alter table " + table + " rename to away");
    try {
      assertThatThrownBy(() -> next(first)).hasMessageContaining(table);
    } finally {
      run("alter table away rename to " + table);
    }

    assertThat(next(first)).isNotNull();
  }

  @Test
  void a_token_whose_user_could_not_be_looked_up_is_not_used_up() {
    assertLastsWithout("identity_users");
  }

  @Test
  void a_token_whose_roles_could_not_be_looked_up_is_not_used_up() {
    assertLastsWithout("identity_roles");
  }

  @Test
  void an_answer_that_is_lost_after_the_commit_is_asked_for_again() {
    way.losses.set(1);

    var next = next(first);

    assertThat(way.losses).hasValue(0);
    assertThat(next).isNotNull();
    assertThat(next(next.refresh())).as("the session goes on").isNotNull();
  }

  @Test
  void a_database_that_stays_away_is_asked_no_third_time() {
    way.losses.set(3);

    assertThatThrownBy(() -> next(first))
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));

    assertThat(way.losses).hasValue(1);
  }

  /** A port that leads to the database, on which answers to commits can be lost. */
  private static final class LossyWay implements AutoCloseable {
    /** So many of the next commits are done without an answer. */
    final AtomicInteger losses = new AtomicInteger();

    private final NetServer server = vertx.createNetServer().connectHandler(this::connect);

    LossyWay() {
      server.listen(0, "127.0.0.1").await();
    }

    private void connect(NetSocket here) {
      here.pause();
      int target = URI.create(TestDatabase.uri()).getPort();
      vertx
          .createNetClient()
          .connect(target, "127.0.0.1")
          .onSuccess(there -> {
            here.handler(bytes -> {
              if (isCommit(bytes) && losses.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                there.handler(_ -> here.close());
              }
              there.write(bytes);
            });
            there.handler(here::write);
            here.closeHandler(_ -> there.close());
            here.resume();
          });
    }

    private static boolean isCommit(Buffer bytes) {
      return bytes.toString(StandardCharsets.ISO_8859_1).contains("COMMIT");
    }

    int port() {
      return server.actualPort();
    }

    @Override
    public void close() {
      server.close().await();
    }
  }
}
