package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.sqlclient.Tuple;
import java.net.URI;
import org.junit.jupiter.api.Test;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class DatabaseIdentityIT {
  private static final int PORT = URI.create(TestDatabase.uri()).getPort();

  @Test
  void one_schema_of_one_database_has_one_identity() {
    var first = TestDatabase.migrated();
    var again = TestDatabase.database(TestDatabase.vertx(), first.options().schema());
    var other = TestDatabase.migrated();

    assertThat(id(first)).matches("[0-9a-f]{32}").isEqualTo(id(again)).isNotEqualTo(id(other));
  }

  @Test
  void it_is_empty_for_a_role_that_may_not_ask() {
    execute(TestDatabase.uri(), "create role guest login");
    execute(TestDatabase.uri(), "create database closed");
    execute(uri("postgres"), "revoke execute on function pg_control_system() from public");

    assertThat(id(database(uri("guest")))).isEmpty();
    assertThat(id(database(uri("postgres")))).isNotEmpty();
  }

  /** As some do that are managed by others. */
  @Test
  void it_is_empty_for_a_database_that_does_not_have_the_function() {
    execute(TestDatabase.uri(), "create database without");
    var uri = "postgresql://postgres@127.0.0.1:%d/without".formatted(PORT);
    execute(uri, "alter function pg_control_system() rename to not_there");

    assertThat(id(database(uri))).isEmpty();
  }

  /** Taken for empty it would be unknown for as long as the node runs. */
  @Test
  void it_is_not_empty_for_a_database_that_does_not_answer() {
    var database = TestDatabase.unreachable();

    assertThatThrownBy(() -> id(database))
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
  }

  private static String uri(String role) {
    return "postgresql://%s@127.0.0.1:%d/closed".formatted(role, PORT);
  }

  private static void execute(String uri, String statement) {
    var database = database(uri);
    database.run("prepare", statement, Tuple.tuple()).await();
    database.close().await();
  }

  private static String id(Database database) {
    try {
      return new DatabaseIdentity(database).id().await();
    } finally {
      database.close().await();
    }
  }

  private static Database database(String uri) {
    var there = TestDatabase.options("public");
    return new Database(
        TestDatabase.vertx(),
        new Database.Options(
            new Database.Login(uri), "public", there.pool(), there.timeouts(), there.reads()));
  }
}
