package skein.storage;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schema to the version this node knows. Any number of nodes may do it at once: one does
 * the work under an advisory lock and the others find it done. Nodes that run during it are not
 * held up by it for longer than a lock may be waited for.
 */
public final class Migrations {
  private static final Logger log = LoggerFactory.getLogger(Migrations.class);

  /** The newest version this node knows; each has its file {@code skein/storage/{version}.sql}. */
  public static final int NEWEST = 31;

  /** The first version that finds rows of tenants by indexes. */
  static final int TENANT_INDEXES = 29;

  /** The first version whose nodes read encrypted values. */
  static final int ENCRYPTION = 25;

  /** The oldest version of PostgreSQL that all statements run on. */
  public static final int POSTGRESQL_OLDEST = 12;

  /** Any number that no other program uses for this database. */
  private static final long LOCK = 0x5AE1_0001L;

  private static final List<String> DURABILITY = List.of("fsync", "full_page_writes");

  /** A node that was seen within it is there. */
  private static final Duration THERE = Duration.ofSeconds(30);

  public static final Duration LOCK_TIMEOUT_DEFAULT = Duration.ofSeconds(1);

  /** So often a version is tried again, with {@link #LOCK_TIMEOUT_DEFAULT} ten minutes. */
  public static final int RETRIES_DEFAULT = 300;

  /** Between two attempts to become the one that migrates. */
  private static final Duration TURN_INTERVAL = Duration.ofMillis(100);

  /** Insufficient privilege. */
  private static final String NOT_ALLOWED = "42501";

  private final Database database;
  private final MigrationScripts scripts;

  public Migrations(Database database) {
    this(database, LOCK_TIMEOUT_DEFAULT, RETRIES_DEFAULT);
  }

  /**
   * @param lockTimeout how long a migration waits for a lock on a table, and others behind it; then
   *     it lets them go first for as long, and tries again
   * @param retriesMax how often a version is tried again, 0 or more
   */
  public Migrations(Database database, Duration lockTimeout, int retriesMax) {
    this.database = database;
    this.scripts = new MigrationScripts(lockTimeout, retriesMax);
  }

  /** The schema was written by a newer Skein; this node must not touch it. */
  public static final class SchemaTooNewException extends RuntimeException {
    SchemaTooNewException(int found) {
      super(
          "The schema has version "
              + found
              + ", this node knows "
              + NEWEST
              + " and is not compatible with it: start a newer node, or restore the database from"
              + " before the upgrade");
    }
  }

  /** There are nodes that could not continue with the schema of this one. */
  public static final class SchemaInUseException extends RuntimeException {
    SchemaInUseException(int version, String nodes) {
      super(
          "Version "
              + version
              + " of the schema is not compatible with nodes that are running: stop "
              + nodes
              + " and start this node again");
    }
  }

  /** The schema is older than this node needs, and its role may not change it. */
  public static final class SchemaNotMigratedException extends RuntimeException {
    SchemaNotMigratedException(String schema, int found, Throwable refused) {
      super(
          (found == 0
                  ? "The schema " + schema + " has no tables of Skein that this role may see"
                  : "The schema " + schema + " has version " + found)
              + ", this node needs "
              + NEWEST
              + " and its role may not change the schema: run `skein migrate` as the role that owns"
              + " it, or grant this one what it lacks",
          refused);
    }
  }

  /** The server is older than {@link #POSTGRESQL_OLDEST}, or than what is switched on needs. */
  public static final class DatabaseTooOldException extends RuntimeException {
    DatabaseTooOldException(String message) {
      super(message);
    }
  }

  /** The database may lose what it acknowledged. */
  public static final class UnsafeDatabaseException extends RuntimeException {
    UnsafeDatabaseException(String setting) {
      super(
          "The database runs with "
              + setting
              + " = off and may lose what it acknowledged: switch it on, or set"
              + " database.allow-unsafe-durability to true for a database that is a toy");
    }
  }

  /**
   * The version of PostgreSQL, such as {@code 17.11}; fails with {@link DatabaseTooOldException}
   * when statements would not run on it.
   */
  public Future<String> checkVersion() {
    return database
        .run(
            "read the version",
            "select current_setting('server_version_num')::int, current_setting('server_version')",
            Tuple.tuple())
        .compose(rows -> {
          var row = rows.iterator().next();
          return checkVersion(row.getInteger(0), row.getString(1));
        });
  }

  /** {@code number}: 120022 is 12.22. */
  static Future<String> checkVersion(int number, String version) {
    return number / 10_000 < POSTGRESQL_OLDEST
        ? Future.failedFuture(
            new DatabaseTooOldException(
                "PostgreSQL "
                    + version
                    + " is older than "
                    + POSTGRESQL_OLDEST
                    + ", the oldest version that Skein runs on: upgrade the database"))
        : Future.succeededFuture(version);
  }

  /**
   * Fails with {@link UnsafeDatabaseException} when an acknowledged commit could be lost in a
   * crash.
   */
  public Future<Void> checkDurability() {
    var checks = new ArrayList<Future<Void>>();
    for (var setting : DURABILITY) {
      checks.add(
          database
              .run("read " + setting, "select current_setting($1)", Tuple.of(setting))
              .compose(rows ->
                  "on".equals(rows.iterator().next().getString(0))
                      ? Future.succeededFuture()
                      : Future.failedFuture(new UnsafeDatabaseException(setting))));
    }
    checks.add(
        database
            .run(
                "read synchronous_commit",
                "select current_setting('synchronous_commit')",
                Tuple.tuple())
            .compose(rows ->
                "off".equals(rows.iterator().next().getString(0))
                    ? Future.failedFuture(new UnsafeDatabaseException("synchronous_commit"))
                    : Future.succeededFuture()));
    return Future.all(checks).mapEmpty();
  }

  /**
   * Returns the version found before; fails with {@link SchemaTooNewException} or {@link
   * SchemaInUseException}, or with {@link SchemaLockedException}. Each version is a transaction of
   * its own, or can be done again as a whole, so nothing half-done stays. A newer schema that says
   * that it is compatible with this node's is left as it is.
   */
  public Future<Integer> run() {
    return database.connection(Map.of()).compose(this::migrateAndClose);
  }

  private Future<Integer> migrateAndClose(PgConnection connection) {
    return connection
        .query("set statement_timeout = 0; set client_min_messages = warning")
        .execute()
        .compose(_ -> turn(connection))
        .compose(_ -> found(connection))
        .compose(found ->
            found.version() >= NEWEST
                ? apply(connection, found)
                : prepare(connection)
                    .compose(_ -> found(connection))
                    .compose(now -> apply(connection, now))
                    .recover(e -> Future.failedFuture(explain(e, found))))
        .recover(e -> Future.failedFuture(explain(e)))
        .eventually(connection::close);
  }

  /**
   * Asks again and again: a statement that waited for the lock would have a snapshot for as long,
   * and an index that is built beside commits waits for all older snapshots to end.
   */
  private static Future<Void> turn(PgConnection connection) {
    return one(connection, "select pg_try_advisory_lock($1)", Tuple.of(LOCK))
        .compose(row ->
            row.getBoolean(0)
                ? Future.succeededFuture()
                : MigrationScripts.pause(connection, TURN_INTERVAL).compose(_ -> turn(connection)));
  }

  /**
   * @param version 0: there is none that this role may see
   * @param needed what a schema that is newer asks of a node; null: it is not newer
   */
  private record Found(int version, @Nullable Integer needed) {
    static final Found NOTHING = new Found(0, null);
  }

  /** Changes nothing, and needs no right to change anything. */
  private Future<Found> found(PgConnection connection) {
    return one(connection, VERSIONED, Tuple.of(database.options().schema()))
        .compose(there ->
            there.getBoolean(0)
                ? one(connection, VERSION, Tuple.of(NEWEST))
                    .map(row -> new Found(row.getInteger(0), row.getInteger(1)))
                : Future.succeededFuture(Found.NOTHING));
  }

  /** The privilege is asked for last, since a missing table would fail it. */
  private static final String VERSIONED =
      """
      select exists (
        select from pg_attribute a
          join pg_class c on c.oid = a.attrelid
          join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = $1 and c.relname = 'schema_version' and a.attname = 'compatible_with'
           and has_schema_privilege(n.oid, 'USAGE') and has_table_privilege(c.oid, 'SELECT'))
      """;

  private static final String VERSION =
      "select coalesce(max(version), 0), max(coalesce(compatible_with, version))"
          + " filter (where version > $1) from schema_version";

  private Throwable explain(Throwable e, Found found) {
    return e instanceof PgException refused && NOT_ALLOWED.equals(refused.getSqlState())
        ? new SchemaNotMigratedException(database.options().schema(), found.version(), e)
        : e;
  }

  private static Throwable explain(Throwable e) {
    return e instanceof SchemaTooNewException
            || e instanceof SchemaInUseException
            || e instanceof SchemaLockedException
            || e instanceof SchemaNotMigratedException
        ? e
        : DatabaseErrors.explain("migrate", e);
  }

  private static Future<Row> one(PgConnection connection, String sql, Tuple parameters) {
    return connection.preparedQuery(sql).execute(parameters).map(rows -> rows.iterator().next());
  }

  /** Takes no lock that others than migrations wait for. */
  private Future<?> prepare(PgConnection connection) {
    var schema = quoted(database.options().schema());
    return connection
        .query(
            """
            create schema if not exists %s;
            create table if not exists schema_version (
              version int primary key,
              applied_at timestamptz not null default now()
            );
            alter table schema_version add column if not exists compatible_with int
            """
                .formatted(schema))
        .execute();
  }

  private Future<Integer> apply(PgConnection connection, Found there) {
    int found = there.version();
    if (there.needed() != null) {
      if (there.needed() > NEWEST) {
        return Future.failedFuture(new SchemaTooNewException(found));
      }
      log.atInfo().addKeyValue("version", found).log("schema.newer");
    }
    Future<Void> done = Future.succeededFuture();
    for (int version = found + 1; version <= NEWEST; version++) {
      int next = version;
      done =
          done.compose(_ -> checkNodes(connection, next, found))
              .compose(_ -> scripts.run(connection, next))
              .onSuccess(_ -> log.atInfo().addKeyValue("version", next).log("schema.migrated"));
    }
    return done.map(found);
  }

  /** Version 10 made the table of nodes. */
  private static final int NODES_SINCE = 10;

  /** No node may have to continue with a schema that it does not know. */
  private Future<Void> checkNodes(PgConnection connection, int version, int found) {
    if (found < NODES_SINCE) {
      return Future.succeededFuture();
    }
    return one(
            connection,
            "select string_agg(name, ', ' order by name) from nodes where schema_version < $1"
                + " and seen_at > clock_timestamp() - make_interval(secs => $2)",
            Tuple.of(MigrationScripts.compatibleWith(version), (double) THERE.toSeconds()))
        .compose(row ->
            row.getString(0) == null
                ? Future.succeededFuture()
                : Future.failedFuture(new SchemaInUseException(version, row.getString(0))));
  }

  private static String quoted(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }
}
