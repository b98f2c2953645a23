package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.postgres.RolePassword;

/** A server that asks all but its administrator for a password. */
class RolePasswordIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @TempDir private static Path folder;

  private static final Vertx VERTX = Vertx.vertx();
  private static EmbeddedPostgres server;

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
    var login =
        new Database.Login(
            "postgresql://127.0.0.1:%d/postgres".formatted(server.getPort()),
            "kim",
            "old",
            this::read);
    var options =
        new Database.Options(
            login,
            "public",
            new Database.PoolLimits(2, 100),
            new Database.Timeouts(TIMEOUT, TIMEOUT),
            new Database.Reads(1, 10, 1 << 10));
    var database = new Database(VERTX, options);

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

  private static void assertConnects(Database database) {
    var connection = database.connection(Map.of()).await();
    assertThat(connection.query("select 1").execute().await().size()).isEqualTo(1);
    connection.close().await();
  }
}
