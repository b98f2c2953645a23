package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** In whose databases operators need not write the schema before a name. */
class SearchPathIT {
  private static final String ADMINISTRATOR = "postgres";
  private static final String FIND = "select to_regclass('qrtz_scheduler_state')::text";

  @Test
  void in_a_database_of_its_own_the_tables_are_found_by_whoever_may_look() {
    make("own", "owner");
    ask("own", ADMINISTRATOR, "create role own_reader login");

    migrate("own", "owner", "flows");
    ask("own", "owner", "grant usage on schema flows to own_reader");

    assertThat(ask("own", "owner", FIND)).isEqualTo("qrtz_scheduler_state");
    assertThat(ask("own", "own_reader", FIND)).isEqualTo("qrtz_scheduler_state");
    assertThat(ask("own", "owner", "show search_path")).isEqualTo("\"$user\", public, flows");
  }

  @Test
  void a_search_path_that_somebody_has_set_stays() {
    make("kept", "keeper");
    ask("kept", ADMINISTRATOR, "alter database kept set search_path = public");

    migrate("kept", "keeper", "flows");

    assertThat(ask("kept", "keeper", "show search_path")).isEqualTo("public");
  }

  @Test
  void a_database_of_somebody_else_stays_as_it_is() {
    make("foreign_one", "landlord");
    ask("foreign_one", ADMINISTRATOR, "create role lodger login");
    ask("foreign_one", ADMINISTRATOR, "grant create on database foreign_one to lodger");

    migrate("foreign_one", "lodger", "flows");

    assertThat(ask("foreign_one", "lodger", FIND)).isNull();
    assertThat(ask("foreign_one", "lodger", "show search_path")).isEqualTo("\"$user\", public");
  }

  @Test
  void the_database_of_administrators_stays_as_it_is() {
    TestDatabase.migrated();

    assertThat(ask("postgres", ADMINISTRATOR, "show search_path")).isEqualTo("\"$user\", public");
  }

  @Test
  void the_guides_role_finds_the_tables_in_the_schema_of_its_name() {
    ask("postgres", ADMINISTRATOR, "CREATE USER elsa WITH PASSWORD 'secure_password'");
    ask("postgres", ADMINISTRATOR, "create database guide");
    ask("guide", ADMINISTRATOR, "grant create on database guide to elsa");

    migrate("guide", "elsa", "elsa");

    assertThat(ask("guide", "elsa", FIND)).isEqualTo("qrtz_scheduler_state");
  }

  private static void make(String database, String owner) {
    ask("postgres", ADMINISTRATOR, "create role " + owner + " login");
    ask("postgres", ADMINISTRATOR, "create database " + database + " owner " + owner);
  }

  private static void migrate(String database, String role, String schema) {
    var there = TestDatabase.options(schema);
    var options =
        new Database.Options(
            new Database.Login(uri(database, role)),
            schema,
            new Database.PoolLimits(1, 10),
            there.timeouts(),
            there.reads());
    var node = new Database(TestDatabase.vertx(), options);
    new Migrations(node).run().await();
    node.close().await();
  }

  /** The first column of the first row, if there is one. */
  private static @Nullable String ask(String database, String role, String sql) {
    var options = PgConnectOptions.fromUri(uri(database, role));
    var connection = PgConnection.connect(TestDatabase.vertx(), options).await();
    try {
      var rows = connection.query(sql).execute().await().iterator();
      return rows.hasNext() ? rows.next().getString(0) : null;
    } finally {
      connection.close().await();
    }
  }

  private static String uri(String database, String role) {
    var there = TestDatabase.uri();
    var address = there.substring(there.indexOf('@') + 1, there.lastIndexOf('/'));
    return "postgresql://" + role + "@" + address + "/" + database;
  }
}
