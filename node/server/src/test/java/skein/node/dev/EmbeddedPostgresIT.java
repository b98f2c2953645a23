package skein.node.dev;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class EmbeddedPostgresIT {
  private static final String VERSION = version();

  /** What a first start makes: most tests begin with a copy, since making it takes seconds. */
  @TempDir private static Path made;

  @TempDir Path folder;
  private Vertx vertx = Vertx.vertx();

  @BeforeAll
  static void make() {
    EmbeddedPostgres.start(made, VERSION, System.getenv()).close();
  }

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void close() throws TimeoutException {
    vertx.close().await(10, SECONDS);
  }

  @Test
  void it_is_durable_and_only_on_loopback() throws Exception {
    try (var postgres = start()) {
      assertThat(ask(postgres, "show fsync")).isEqualTo("on");
      assertThat(ask(postgres, "show synchronous_commit")).isEqualTo("on");
      assertThat(ask(postgres, "show full_page_writes")).isEqualTo("on");
      assertThat(ask(postgres, "show listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(ask(postgres, "show max_connections")).isEqualTo("200");
      assertThat(ask(postgres, "show server_encoding")).isEqualTo("UTF8");
    }
  }

  @Test
  void settings_are_taken_but_not_those_of_durability() throws Exception {
    copyMade();
    var settings = Map.of("shared_buffers", "80MB", "fsync", "off", "listen_addresses", "0.0.0.0");
    try (var postgres = EmbeddedPostgres.start(folder, VERSION, System.getenv(), settings)) {
      assertThat(ask(postgres, "show shared_buffers")).isEqualTo("80MB");
      assertThat(ask(postgres, "show fsync")).isEqualTo("on");
      assertThat(ask(postgres, "show listen_addresses")).isEqualTo("127.0.0.1");
    }
    assertThatThrownBy(() ->
            EmbeddedPostgres.start(
                folder, VERSION, System.getenv(), Map.of("work_mem", "1MB -c fsync=off")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("work_mem");
  }

  @Test
  void nobody_gets_in_without_the_password() throws Exception {
    try (var postgres = start()) {
      var options = PgConnectOptions.fromUri(postgres.uri()).setPassword("guess");

      assertThatThrownBy(() -> PgConnection.connect(vertx, options).await(10, SECONDS))
          .hasMessageContaining("password authentication failed");
      assertThat(Files.getPosixFilePermissions(folder.resolve("password"))).hasSize(2);
    }
  }

  @Test
  void data_and_port_stay_through_stop_and_start() throws Exception {
    String uri;
    try (var postgres = start()) {
      uri = postgres.uri();
      ask(postgres, "create table kept as select 42 as n");
    }

    try (var postgres = start()) {
      assertThat(postgres.uri()).isEqualTo(uri);
      assertThat(ask(postgres, "select n::text from kept")).isEqualTo("42");
    }
  }

  @Test
  void what_was_committed_survives_a_killed_server() throws Exception {
    copyMade();
    try (var postgres = start()) {
      ask(postgres, "create table kept as select 43 as n");
      server().destroyForcibly();
      server().onExit().get(10, SECONDS);
    }

    try (var postgres = start()) {
      assertThat(ask(postgres, "select n::text from kept")).isEqualTo("43");
    }
  }

  @Test
  void a_server_that_a_killed_process_left_behind_is_taken_over() throws Exception {
    copyMade();
    try (var postgres = start()) {
      ask(postgres, "create table kept as select 44 as n");
    }
    var java = ProcessHandle.current().info().command().orElse("java");
    var process =
        new ProcessBuilder(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                Orphan.class.getName(),
                folder.toString(),
                VERSION)
            .inheritIO()
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    var orphan = server();
    assertThat(orphan.isAlive()).isTrue();

    try (var postgres = start()) {
      assertThat(orphan.isAlive()).isFalse();
      assertThat(ask(postgres, "select n::text from kept")).isEqualTo("44");
    }
  }

  @Test
  void a_file_that_names_another_process_by_now_does_not_prevent_the_start() throws Exception {
    copyMade();
    var stale = ProcessHandle.current().pid() + "\n/data\n1\n1\n\n127.0.0.1\n1 987654321\nready\n";
    Files.writeString(folder.resolve("postgresql/postmaster.pid"), stale);

    try (var postgres = start()) {
      assertThat(ask(postgres, "select 'up'")).isEqualTo("up");
    }
    assertThat(ProcessHandle.current().isAlive()).isTrue();
  }

  @Test
  void a_folder_from_when_the_user_had_another_name_gets_the_user_of_the_guide() throws Exception {
    copyMade();
    try (var postgres = start()) {
      ask(postgres, "create table kept as select 45 as n");
      var password = "password '" + postgres.password() + "'";
      ask(postgres, "create role helper superuser login " + password);
      var uri = postgres.uri().replace("elsa@", "helper@");
      ask(uri, postgres.password(), "alter role elsa rename to skein");
    }
    Files.delete(folder.resolve("user"));

    for (int starts = 0; starts < 2; starts++) {
      try (var postgres = start()) {
        assertThat(ask(postgres, "select current_user::text")).isEqualTo("elsa");
        assertThat(ask(postgres, "select n::text from kept")).isEqualTo("45");
      }
    }
  }

  @Test
  void a_folder_serves_one_process_at_a_time() throws Exception {
    copyMade();
    try (var _ = start()) {
      assertThatThrownBy(this::start)
          .isInstanceOf(CannotStartException.class)
          .hasMessageContaining("in use by another skein")
          .hasMessageContaining(Long.toString(ProcessHandle.current().pid()));
    }
  }

  @Test
  void data_of_another_major_version_is_left_alone() throws Exception {
    copyMade();
    Files.writeString(folder.resolve("postgresql/PG_VERSION"), "13\n");

    assertThatThrownBy(this::start)
        .isInstanceOf(CannotStartException.class)
        .hasMessageContaining("was written by PostgreSQL 13")
        .hasMessageContaining("pg_dump");
  }

  @Test
  void an_initialization_that_was_cut_short_starts_over() throws Exception {
    Files.createDirectories(folder.resolve("postgresql.new/base"));
    Files.writeString(folder.resolve("password"), "half");

    try (var postgres = start()) {
      assertThat(ask(postgres, "select 'up'")).isEqualTo("up");
    }
  }

  @Test
  void a_folder_with_files_of_somebody_else_is_left_alone() throws Exception {
    Files.createDirectories(folder.resolve("postgresql/17"));
    Files.writeString(folder.resolve("letter.txt"), "Dear");

    assertThatThrownBy(this::start)
        .isInstanceOf(CannotStartException.class)
        .hasMessageContaining(folder.toRealPath() + " is not empty")
        .hasMessageContaining("--data");

    try (var entries = Files.list(folder)) {
      assertThat(entries).hasSize(2);
    }
  }

  /** What a start and a stop have left, in a folder that is empty until then. */
  private void copyMade() throws IOException {
    try (var files = Files.walk(made)) {
      for (var file : files.toList()) {
        var copy = folder.resolve(made.relativize(file));
        if (!Files.isDirectory(copy)) {
          Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }

  private EmbeddedPostgres start() {
    return EmbeddedPostgres.start(folder, VERSION, System.getenv());
  }

  private ProcessHandle server() throws IOException {
    var first = Files.readAllLines(folder.resolve("postgresql/postmaster.pid")).getFirst();
    return ProcessHandle.of(Long.parseLong(first.strip())).orElseThrow();
  }

  /** The first column of the first row, or nothing. */
  private String ask(EmbeddedPostgres postgres, String sql) throws TimeoutException {
    return ask(postgres.uri(), postgres.password(), sql);
  }

  private String ask(String uri, String password, String sql) throws TimeoutException {
    var options = PgConnectOptions.fromUri(uri).setPassword(password);
    var connection = PgConnection.connect(vertx, options).await(10, SECONDS);
    var rows = connection.query(sql).execute().await(10, SECONDS).iterator();
    var answer = rows.hasNext() ? rows.next().getString(0) : "";
    connection.close().await(10, SECONDS);
    return answer;
  }

  private static String version() {
    try (var in = EmbeddedPostgres.class.getResourceAsStream("/skein/node/build.properties")) {
      var properties = new Properties();
      properties.load(in);
      return properties.getProperty("postgresql");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
