package skein.storage;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schema to the version this node knows. Any number of nodes may do it at once: one
 * transaction under an advisory lock does the work and the others find it done.
 */
public final class Migrations {
  private static final Logger log = LoggerFactory.getLogger(Migrations.class);

  /** The newest version this node knows; each has its file {@code skein/storage/{version}.sql}. */
  public static final int NEWEST = 9;

  /** Any number that no other program uses for this database. */
  private static final long LOCK = 0x5AE1_0001L;

  private static final List<String> DURABILITY = List.of("fsync", "full_page_writes");

  private final Database database;

  public Migrations(Database database) {
    this.database = database;
  }

  /** The schema was written by a newer Skein; this node must not touch it. */
  public static final class SchemaTooNew extends RuntimeException {
    SchemaTooNew(int found) {
      super(
          "The schema has version "
              + found
              + ", this node knows "
              + NEWEST
              + ": start a newer node, or restore the database from before the upgrade");
    }
  }

  /** The database may lose what it acknowledged. */
  public static final class UnsafeDatabase extends RuntimeException {
    UnsafeDatabase(String setting) {
      super(
          "The database runs with "
              + setting
              + " = off and may lose what it acknowledged: switch it on, or set"
              + " database.allow-unsafe-durability to true for a database that is a toy");
    }
  }

  /** Fails with {@link UnsafeDatabase} when an acknowledged commit could be lost in a crash. */
  public Future<Void> checkDurability() {
    var checks = new ArrayList<Future<Void>>();
    for (var setting : DURABILITY) {
      checks.add(
          database
              .run("read " + setting, "select current_setting($1)", Tuple.of(setting))
              .compose(rows ->
                  "on".equals(rows.iterator().next().getString(0))
                      ? Future.succeededFuture()
                      : Future.failedFuture(new UnsafeDatabase(setting))));
    }
    checks.add(
        database
            .run(
                "read synchronous_commit",
                "select current_setting('synchronous_commit')",
                Tuple.tuple())
            .compose(rows ->
                "off".equals(rows.iterator().next().getString(0))
                    ? Future.failedFuture(new UnsafeDatabase("synchronous_commit"))
                    : Future.succeededFuture()));
    return Future.all(checks).mapEmpty();
  }

  /** Returns the version found before; fails with {@link SchemaTooNew}. Nothing half-done stays. */
  public Future<Integer> run() {
    return database.connection(Map.of()).compose(this::migrateAndClose);
  }

  private Future<Integer> migrateAndClose(PgConnection connection) {
    return connection
        .query("set statement_timeout = 0")
        .execute()
        .compose(_ -> connection.begin())
        .compose(transaction ->
            migrate(connection)
                .compose(found -> transaction.commit().map(found))
                .recover(
                    e -> transaction.rollback().transform(_ -> Future.failedFuture(explain(e)))))
        .eventually(connection::close);
  }

  private static Throwable explain(Throwable e) {
    return e instanceof SchemaTooNew ? e : Database.explain("migrate", e);
  }

  private Future<Integer> migrate(PgConnection connection) {
    var schema = quoted(database.options().schema());
    return connection
        .preparedQuery("select pg_advisory_xact_lock($1)")
        .execute(Tuple.of(LOCK))
        .compose(_ -> connection.query("create schema if not exists " + schema).execute())
        .compose(_ ->
            connection
                .query(
                    """
                    create table if not exists schema_version (
                      version int primary key,
                      applied_at timestamptz not null default now()
                    )
                    """)
                .execute())
        .compose(_ ->
            connection
                .query("select coalesce(max(version), 0) as version from schema_version")
                .execute())
        .compose(rows -> apply(connection, rows.iterator().next().getInteger(0)));
  }

  private Future<Integer> apply(PgConnection connection, int found) {
    if (found > NEWEST) {
      return Future.failedFuture(new SchemaTooNew(found));
    }
    Future<Void> done = Future.succeededFuture();
    for (int version = found + 1; version <= NEWEST; version++) {
      int next = version;
      done =
          done.compose(_ -> connection.query(script(next)).execute())
              .compose(_ ->
                  connection
                      .preparedQuery("insert into schema_version (version) values ($1)")
                      .execute(Tuple.of(next)))
              .onSuccess(_ -> log.atInfo().addKeyValue("version", next).log("schema.migrated"))
              .mapEmpty();
    }
    return done.map(found);
  }

  static String script(int version) {
    try (var in = Migrations.class.getResourceAsStream("/skein/storage/" + version + ".sql")) {
      if (in == null) {
        throw new IllegalStateException("No migration " + version + " in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Makes the journal's partitions for today and the days ahead; repeat it at least daily. A day
   * without a partition of its own falls into {@code journal_rest}, so nothing is ever refused.
   */
  public Future<Void> prepareJournal(LocalDate today, int daysAhead) {
    Future<Void> done = Future.succeededFuture();
    for (int i = 0; i <= daysAhead; i++) {
      var day = today.plusDays(i);
      var sql =
          "create table if not exists journal_%s partition of journal for values from ('%s') to ('%s')"
              .formatted(day.toString().replace("-", ""), day + "Z", day.plusDays(1) + "Z");
      done =
          done.compose(_ -> database.run("prepare the journal of " + day, sql, Tuple.tuple()))
              .mapEmpty();
    }
    return done.recover(e -> {
      // Rows of that day are in journal_rest already: they stay there and are found all the same.
      log.atWarn().addKeyValue("cause", e.getMessage()).log("journal.partition_refused");
      return Future.succeededFuture();
    });
  }

  private static String quoted(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }
}
