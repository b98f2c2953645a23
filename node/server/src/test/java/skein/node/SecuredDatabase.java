package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A PostgreSQL with a certificate, where one role owns the schema and another one, that of the
 * nodes, may only change rows.
 */
final class SecuredDatabase implements AutoCloseable {
  static final String OWNER = "everything_owner";
  static final String ROLE = "everything_app";

  private static final Duration ENCRYPTED_MAX = Duration.ofSeconds(30);

  /** Of {@code conf/README.md}, with these names. */
  private static final List<String> GRANTS =
      List.of(
          "grant create on database elsa to everything_owner",
          "alter default privileges for role everything_owner"
              + " grant usage on schemas to everything_app",
          "alter default privileges for role everything_owner"
              + " grant select, insert, update, delete on tables to everything_app");

  private final TestPostgres postgres;
  private final SecuredFiles files;
  private final Sql administrator;

  SecuredDatabase(Path folder, SecuredFiles files) {
    this.files = files;
    postgres = new TestPostgres(folder);
    administrator = new Sql(postgres, "public");
    makeRole(OWNER, files.ownerPassword);
    makeRole(ROLE, files.databasePassword);
    GRANTS.forEach(administrator::rows);
    encryptConnections();
  }

  private void makeRole(String name, Path password) {
    administrator.rows(
        "create role %s login password '%s'".formatted(name, SecuredFiles.text(password)));
  }

  private void encryptConnections() {
    var server = files.databaseServer;
    var settings =
        Map.of(
            "ssl_cert_file", server.certificate().toString(),
            "ssl_key_file", server.key().toString(),
            "ssl", "on");
    settings.forEach(
        (name, value) -> administrator.rows("alter system set %s = '%s'".formatted(name, value)));
    administrator.rows("select pg_reload_conf()");
    assertThat(Eventually.isTrue(ENCRYPTED_MAX, this::isEncrypting)).isTrue();
  }

  private boolean isEncrypting() {
    return "on".equals(administrator.rows("show ssl").getFirst().getString(0));
  }

  TestPostgres postgres() {
    return postgres;
  }

  /** As nodes have it: encrypted, and refused unless the server is the one that it names. */
  String url() {
    return "postgresql://localhost:%d/elsa?sslmode=verify-full&sslrootcert=%s"
        .formatted(URI.create(postgres.uri()).getPort(), files.database.file());
  }

  /** While the nodes run. */
  void assertProtected(String schema, int nodes) {
    var sessions =
        "select count(*) from pg_stat_ssl s join pg_stat_activity a using (pid)"
            + " where a.usename = '%s' and s.ssl = %s";
    assertThat(administrator.number(sessions.formatted(ROLE, true)))
        .as("sessions of nodes by TLS")
        .isGreaterThan(nodes);
    assertThat(administrator.number(sessions.formatted(ROLE, false)))
        .as("those in plain text")
        .isZero();
    assertThat(
            administrator.number(
                "select count(*) from pg_class c join pg_roles r on r.oid = c.relowner"
                    + " where r.rolname = '%s'".formatted(ROLE)))
        .as("what the role of the nodes owns")
        .isZero();
    assertThat(
            administrator
                .rows("select has_schema_privilege('%s', '%s', 'CREATE')".formatted(ROLE, schema))
                .getFirst()
                .getBoolean(0))
        .as("whether the role of the nodes may make tables")
        .isFalse();
  }

  @Override
  public void close() {
    administrator.close();
    postgres.close();
  }
}
