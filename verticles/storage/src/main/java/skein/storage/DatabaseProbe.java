package skein.storage;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the facts about a database that a node needs before it uses it; changes nothing. */
public final class DatabaseProbe {
  private static final String SERVER =
      """
      select current_setting('server_version'),
             current_setting('server_version_num')::int / 10000,
             pg_is_in_recovery(),
             clock_timestamp(),
             (select case when ssl then version end from pg_stat_ssl where pid = pg_backend_pid()),
             current_setting('max_connections')::int,
             (select count(*)::int from pg_stat_activity where backend_type = 'client backend'),
             array_remove(array[
               case when current_setting('fsync') <> 'on' then 'fsync' end,
               case when current_setting('full_page_writes') <> 'on' then 'full_page_writes' end,
               case when current_setting('synchronous_commit') = 'off' then 'synchronous_commit' end
             ], null)
      """;

  /** The privileges of the role in the schema, and whether the schema exists. */
  private static final String RIGHTS =
      """
      select n.oid is not null,
             coalesce(has_schema_privilege(n.oid, 'USAGE'), false),
             coalesce(has_schema_privilege(n.oid, 'CREATE'), false),
             has_database_privilege(current_database(), 'CREATE'),
             coalesce((select bool_and(has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE'))
                         from pg_class c
                        where c.relnamespace = n.oid and c.relkind in ('r', 'p')
                          and c.relname in ('workflow_instances', 'timers', 'bookmarks')), true)
        from (select 1) one
        left join pg_namespace n on n.nspname = $1
      """;

  private final Database database;

  public DatabaseProbe(Database database) {
    this.database = database;
  }

  /**
   * What was found.
   *
   * @param standby it takes no changes
   * @param clockAhead of this machine's clock; negative: behind
   * @param clockError by how much {@code clockAhead} may be wrong: the time of a round trip
   * @param unsafe settings that are off with which commits may be lost
   */
  public record Facts(
      Server server,
      boolean standby,
      Duration clockAhead,
      Duration clockError,
      List<String> unsafe,
      Rights rights,
      Schema schema) {}

  /**
   * What is in the schema.
   *
   * @param version 0: there are no tables that this role may see
   * @param tenants whether it has rows of other tenants than the default one
   */
  public record Schema(int version, boolean tenants) {}

  /**
   * The server.
   *
   * @param major of the version, such as 17
   * @param tls the protocol of this connection; null: it is not encrypted
   * @param connectionsMax for all its clients
   * @param connections that clients have now
   */
  public record Server(
      String version, int major, @Nullable String tls, int connectionsMax, int connections) {}

  /**
   * Of the role in the schema.
   *
   * @param schema whether there is one
   * @param use and read and write its tables, if there are any
   * @param createTables in the schema
   * @param createSchema in the database
   */
  public record Rights(boolean schema, boolean use, boolean createTables, boolean createSchema) {}

  /** Fails as {@link Database} does when the server does not answer or refuses the role. */
  public Future<Facts> read() {
    return database
        .connection(Map.of())
        .compose(connection ->
            read(connection)
                .recover(
                    e -> Future.failedFuture(DatabaseErrors.explain("look at the database", e)))
                .eventually(connection::close));
  }

  private Future<Facts> read(PgConnection connection) {
    var name = database.options().schema();
    return connection
        .query("select 1")
        .execute() // So that the next round trip is the time of the network alone.
        .compose(_ -> {
          long start = System.nanoTime();
          var before = Instant.now();
          return one(connection, SERVER, Tuple.tuple())
              .compose(server -> {
                var round = Duration.ofNanos(System.nanoTime() - start);
                var ahead =
                    Duration.between(
                        before.plus(round.dividedBy(2)),
                        server.get(OffsetDateTime.class, 3).toInstant());
                return one(connection, RIGHTS, Tuple.of(name))
                    .compose(rights ->
                        version(connection, rights)
                            .compose(version ->
                                tenants(connection, version)
                                    .map(tenants -> new Schema(version, tenants)))
                            .map(schema -> facts(server, ahead, round, rights, schema)));
              });
        });
  }

  private Future<Integer> version(PgConnection connection, Row rights) {
    if (!rights.getBoolean(1)) {
      return Future.succeededFuture(0);
    }
    return one(connection, "select to_regclass('schema_version') is not null", Tuple.tuple())
        .compose(there ->
            there.getBoolean(0)
                ? one(
                        connection,
                        "select coalesce(max(version), 0) from schema_version",
                        Tuple.tuple())
                    .map(row -> row.getInteger(0))
                    .otherwise(0)
                : Future.succeededFuture(0));
  }

  /** Earlier versions have no index that tells it soon. */
  private static Future<Boolean> tenants(PgConnection connection, int version) {
    return version < Migrations.TENANT_INDEXES
        ? Future.succeededFuture(false)
        : one(connection, TenantStore.USED, Tuple.tuple())
            .map(row -> row.getBoolean(0))
            .otherwise(false);
  }

  private static Facts facts(
      Row server, Duration ahead, Duration round, Row rights, Schema schema) {
    var unsafe = new ArrayList<String>();
    var off = server.getArrayOfStrings(7);
    if (off != null) {
      unsafe.addAll(List.of(off));
    }
    return new Facts(
        new Server(
            server.getString(0),
            server.getInteger(1),
            server.getString(4),
            server.getInteger(5),
            server.getInteger(6)),
        server.getBoolean(2),
        ahead,
        round,
        List.copyOf(unsafe),
        new Rights(
            rights.getBoolean(0),
            rights.getBoolean(1) && rights.getBoolean(4),
            rights.getBoolean(2),
            rights.getBoolean(3)),
        schema);
  }

  private static Future<Row> one(PgConnection connection, String sql, Tuple parameters) {
    return connection.preparedQuery(sql).execute(parameters).map(rows -> rows.iterator().next());
  }
}
