package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Tuple;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.postgres.RolePassword;

/** A server that asks all but its administrator for a password. */
class RolePasswordIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @TempDir private static Path folder;

  private static final Vertx VERTX = Vertx.vertx();
  private static final Logger LOG = (Logger) LoggerFactory.getLogger("skein");
  private static EmbeddedPostgres server;

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final AtomicReference<String> written = new AtomicReference<>("old");

  @BeforeAll
  static void start() throws IOException {
    var rules =
        Files.writeString(
            folder.resolve("hba.conf"),
            "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n");
    server =
        EmbeddedPostgres.builder()
            .setServerConfig("hba_file", rules.toString())
            .setServerConfig("password_encryption", "scram-sha-256")
            .start();
    admin("create role kim login password 'old'");
  }

  @AfterAll
  static void stop() throws IOException {
    VERTX.close().await();
    server.close();
  }

  @BeforeEach
  void reset() {
    admin("alter role kim password 'old'");
    lines.start();
    LOG.setLevel(Level.INFO);
    LOG.addAppender(lines);
  }

  @AfterEach
  void forget() {
    LOG.detachAppender(lines);
    LOG.setLevel(null);
  }

  private static PgConnectOptions as(String user) {
    return PgConnectOptions.fromUri(
        "postgresql://%s@127.0.0.1:%d/postgres".formatted(user, server.getPort()));
  }

  private static void admin(String statement) {
    var connection = PgConnection.connect(VERTX, as("postgres")).await();
    connection.query(statement).execute().await();
    connection.close().await();
  }

  private String read() {
    var text = written.get();
    if (text.isEmpty()) {
      throw new IllegalArgumentException("is empty");
    }
    return text;
  }

  @Test
  void a_new_password_is_used_once_the_server_takes_it() {
    var password = new RolePassword(VERTX, "database", "old", this::read, TIMEOUT);

    assertThat(password.on(as("kim")).await().getPassword()).isEqualTo("old");
    written.set("new");
    assertThat(password.on(as("kim")).await().getPassword()).as("not yet").isEqualTo("old");
    admin("alter role kim password 'new'");
    assertThat(password.on(as("kim")).await().getPassword()).isEqualTo("new");
    written.set("");
    assertThat(password.on(as("kim")).await().getPassword())
        .as("what cannot be read changes nothing")
        .isEqualTo("new");
  }

  @Test
  void connections_are_made_before_and_after_and_in_between() {
    var login = login(server.getPort());
    var database = database(login);

    assertConnects(database);
    written.set("new");
    assertConnects(database);
    admin("alter role kim password 'new'");
    assertConnects(database);
    admin("alter role kim password 'third'");
    assertThatThrownBy(() -> database.connection(Map.of()).await()).isNotNull();
    written.set("third");
    assertConnects(database);
    assertThat(login.toString()).doesNotContain("old");
    database.close().await();
  }

  /**
   * The old password is refused, since the new one was tried a moment before the server took it.
   */
  @Test
  void a_login_that_is_refused_while_the_role_is_altered_is_tried_again() {
    for (var ask : ways()) {
      admin("alter role kim password 'old'");
      written.set("old");
      var connections = new AtomicInteger();
      var database = database(altering(connections));
      try {
        written.set("new");

        ask.apply(database).await();

        assertThat(connections).as("trial, refused login, trial, login").hasValue(4);
      } finally {
        database.close().await();
      }
    }
  }

  @Test
  void a_search_for_the_primary_tries_such_a_login_again() {
    for (var ask : ways()) {
      admin("alter role kim password 'old'");
      written.set("old");
      var connections = new AtomicInteger();
      var database = database(login("127.0.0.1:%d,127.0.0.1:1".formatted(altering(connections))));
      try {
        written.set("new");

        ask.apply(database).await();

        assertThat(connections)
            .as("trial, refused login, trial, login of the search, login")
            .hasValue(5);
      } finally {
        database.close().await();
      }
    }
  }

  private static List<Function<Database, Future<?>>> ways() {
    return List.of(
        Database::ping,
        database -> database.connection(Map.of()).compose(PgConnection::close),
        database ->
            database.inTransaction(
                "ask", connection -> database.run(connection, "ask", "select 1", Tuple.tuple())),
        database -> DatabaseClock.start(database, System::nanoTime));
  }

  /**
   * The way to the server, on which the role gets the new password before the second connection.
   */
  private static int altering(AtomicInteger connections) {
    var client = VERTX.createNetClient();
    return VERTX
        .createNetServer()
        .connectHandler(socket -> {
          socket.pause();
          var before =
              connections.incrementAndGet() == 2
                  ? VERTX.executeBlocking(() -> {
                    alterBlocking();
                    return true;
                  })
                  : Future.succeededFuture(true);
          before
              .compose(_ -> client.connect(server.getPort(), "127.0.0.1"))
              .onSuccess(peer -> {
                peer.pipeTo(socket);
                socket.pipeTo(peer);
              });
        })
        .listen(0, "127.0.0.1")
        .await()
        .actualPort();
  }

  private static void alterBlocking() throws SQLException {
    try (var connection = server.getPostgresDatabase().getConnection();
        var statement = connection.createStatement()) {
      statement.execute("alter role kim password 'new'");
    }
  }

  @Test
  void a_refused_login_is_said_to_be_one_and_may_be_tried_again() {
    written.set("wrong");
    var database = database(server.getPort());
    admin("alter role kim password 'another'");

    for (var ask : ways()) {
      assertRefused(ask.apply(database));
    }
    database.close().await();
  }

  @Test
  void why_the_database_refuses_a_node_is_logged_once_for_all_who_ask() {
    admin("alter role kim password 'another'");
    var database = database(server.getPort());

    ways().forEach(ask -> assertRefused(ask.apply(database)));

    assertThat(logged("database.refused"))
        .singleElement()
        .asString()
        .contains("password authentication failed", "database.password", "times=\"1\"");
    database.close().await();
  }

  @Test
  void a_search_for_the_primary_logs_it_too() {
    admin("alter role kim password 'another'");
    var database = database(login("127.0.0.1:%d,127.0.0.1:1".formatted(server.getPort())));

    assertThatThrownBy(() -> database.ping().await())
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));

    assertThat(logged("database.refused"))
        .singleElement()
        .asString()
        .contains("password authentication failed");
    database.close().await();
  }

  @Test
  void that_there_is_no_such_database_is_no_refused_login() {
    var uri = "postgresql://127.0.0.1:%d/nowhere".formatted(server.getPort());
    var database = database(new Database.Login(uri, "kim", "old", null));

    assertThatThrownBy(() -> database.ping().await())
        .hasMessage("The database refused this node: ask whether it is there")
        .hasCauseInstanceOf(DatabaseRefusedException.class);
    assertThat(logged("database.refused"))
        .singleElement()
        .asString()
        .contains("\"nowhere\" does not exist", "create the database");
    database.close().await();
  }

  @Test
  void that_a_new_password_is_not_taken_yet_is_logged_once_for_each() {
    var password = new RolePassword(VERTX, "database", "old", this::read, TIMEOUT);
    password.on(as("kim")).await();
    assertThat(logged("password.notTakenYet")).isEmpty();

    for (var next : List.of("new", "third")) {
      written.set(next);
      password.on(as("kim")).await();
      password.on(as("kim")).await();
    }

    assertThat(logged("password.notTakenYet")).hasSize(2);
    assertThat(lines.list.toString()).doesNotContain("third");
  }

  private List<String> logged(String event) {
    return lines.list.stream()
        .filter(line -> event.equals(line.getMessage()))
        .map(line -> String.valueOf(line.getKeyValuePairs()))
        .toList();
  }

  private static void assertRefused(Future<?> asked) {
    assertThatThrownBy(asked::await)
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
              assertThat(e).hasCauseInstanceOf(DatabaseRefusedException.class);
            });
  }

  private Database.Login login(int port) {
    return login("127.0.0.1:" + port);
  }

  private Database.Login login(String hosts) {
    var uri = "postgresql://%s/postgres".formatted(hosts);
    return new Database.Login(uri, "kim", "old", this::read);
  }

  private Database database(int port) {
    return database(login(port));
  }

  private static Database database(Database.Login login) {
    return new Database(
        VERTX,
        new Database.Options(
            login,
            "public",
            new Database.PoolLimits(2, 100),
            new Database.Timeouts(TIMEOUT, TIMEOUT),
            new Database.Reads(1, 10, 1 << 10)));
  }

  private static void assertConnects(Database database) {
    var connection = database.connection(Map.of()).await();
    assertThat(connection.query("select 1").execute().await().size()).isEqualTo(1);
    connection.close().await();
  }
}
