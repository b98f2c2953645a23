package skein.storage;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the scripts of migrations, which may have to wait for others. Thread-safe. */
final class MigrationScripts {
  private static final Logger log = LoggerFactory.getLogger(MigrationScripts.class);

  /** How a script says which older nodes may go on using the schema after it. */
  private static final Pattern COMPATIBLE = Pattern.compile("-- Compatible with version (\\d+)\\.");

  /**
   * Lock not available, and deadlock detected: others use the tables, as commits and vacuums do.
   */
  private static final Set<String> OTHERS_FIRST = Set.of("55P03", "40P01");

  /** A script that says so has statements that PostgreSQL takes outside transactions alone. */
  private static final String OUTSIDE_TRANSACTIONS = "-- Outside transactions";

  /** The next statement is left out where a table has a column. */
  private static final Pattern UNLESS_THERE = Pattern.compile("-- Unless there: (\\w+)\\.(\\w+)");

  /** The next statement is left out where an index of these columns is complete. */
  private static final Pattern UNLESS_VALID = Pattern.compile("-- Unless valid: (\\w+) (\\(.+\\))");

  private static final String IS_THERE =
      "select exists (select from pg_attribute where attrelid = to_regclass($1)"
          + " and attname = $2 and not attisdropped)";

  private static final String IS_VALID =
      "select exists (select from pg_index where indexrelid = to_regclass($1) and indisvalid"
          + " and strpos(pg_get_indexdef(indexrelid), $2) > 0)";

  private final Duration lockTimeout;
  private final int retriesMax;

  /**
   * @param lockTimeout how long a statement waits for a lock, and then for the next attempt
   * @param retriesMax how often a version is tried again, 0 or more
   */
  MigrationScripts(Duration lockTimeout, int retriesMax) {
    this.lockTimeout = lockTimeout;
    this.retriesMax = retriesMax;
  }

  /**
   * Brings the schema to a version from the one before; fails with {@link SchemaLockedException},
   * or as the database does.
   */
  Future<Void> run(PgConnection connection, int version) {
    return run(connection, version, retriesMax);
  }

  /** Other users of the tables go first; {@code retries}: how often at most. */
  private Future<Void> run(PgConnection connection, int version, int retries) {
    return migrated(connection, version)
        .recover(e -> {
          if (!(e instanceof PgException refused)
              || !OTHERS_FIRST.contains(refused.getSqlState())) {
            return Future.failedFuture(e);
          }
          if (retries == 0) {
            return Future.failedFuture(new SchemaLockedException(version, retriesMax + 1, e));
          }
          log.atInfo()
              .addKeyValue("version", version)
              .addKeyValue("retriesLeft", retries)
              .addKeyValue("cause", refused.getErrorMessage())
              .log("schema.waits");
          return pause(connection, lockTimeout).compose(_ -> run(connection, version, retries - 1));
        });
  }

  private Future<Void> migrated(PgConnection connection, int version) {
    return script(version).contains(OUTSIDE_TRANSACTIONS)
        ? statementByStatement(connection, version)
        : inTransaction(connection, version);
  }

  /**
   * Each statement commits by itself. An index that is built beside commits waits for them, and
   * none waits for it: that has no timeout. What an attempt before has made is not locked again.
   */
  private Future<Void> statementByStatement(PgConnection connection, int version) {
    var script = script(version);
    Future<Void> done = Future.succeededFuture();
    for (var step : steps(script)) {
      done =
          done.compose(_ -> isDone(connection, step))
              .compose(there -> there ? Future.succeededFuture() : execute(connection, step.sql()));
    }
    return done.compose(_ -> remember(connection, version, script))
        .eventually(() -> connection.query("set lock_timeout = 0").execute());
  }

  private Future<Void> execute(PgConnection connection, String sql) {
    long timeout = sql.contains(" concurrently ") ? 0 : lockTimeout.toMillis();
    return connection
        .query("set lock_timeout = " + timeout)
        .execute()
        .compose(_ -> connection.query(sql).execute())
        .mapEmpty();
  }

  private static Future<Boolean> isDone(PgConnection connection, Step step) {
    var unless = step.unless();
    return unless == null
        ? Future.succeededFuture(false)
        : connection
            .preparedQuery(unless)
            .execute(step.names())
            .map(rows -> rows.iterator().next().getBoolean(0));
  }

  /**
   * A statement of a script.
   *
   * @param unless asks with the names whether what it makes is there; null: it is always executed
   */
  record Step(String sql, @Nullable String unless, Tuple names) {}

  /** Without comments; each statement ends with its line. */
  static List<Step> steps(String script) {
    var steps = new ArrayList<Step>();
    var sql = new StringBuilder();
    String unless = null;
    var names = Tuple.tuple();
    for (var line : script.lines().toList()) {
      var there = UNLESS_THERE.matcher(line);
      var valid = UNLESS_VALID.matcher(line);
      if (there.matches()) {
        unless = IS_THERE;
        names = Tuple.of(there.group(1), there.group(2));
      } else if (valid.matches()) {
        unless = IS_VALID;
        names = Tuple.of(valid.group(1), valid.group(2));
      } else if (!line.startsWith("--")) {
        sql.append(line).append('\n');
      }
      if (line.endsWith(";") && !line.startsWith("--")) {
        steps.add(new Step(sql.toString().strip(), unless, names));
        sql.setLength(0);
        unless = null;
        names = Tuple.tuple();
      }
    }
    return steps;
  }

  private static Future<Void> remember(PgConnection connection, int version, String script) {
    return connection
        .preparedQuery("insert into schema_version (version, compatible_with) values ($1, $2)")
        .execute(Tuple.of(version, compatibleWith(script, version)))
        .mapEmpty();
  }

  private Future<Void> inTransaction(PgConnection connection, int version) {
    var script = script(version);
    return connection
        .begin()
        .compose(transaction ->
            connection
                .query("set local lock_timeout = " + lockTimeout.toMillis())
                .execute()
                .compose(_ -> connection.query(script).execute())
                .compose(_ -> remember(connection, version, script))
                .compose(_ -> transaction.commit())
                .recover(e -> transaction.rollback().transform(_ -> Future.failedFuture(e))));
  }

  static String script(int version) {
    try (var in =
        MigrationScripts.class.getResourceAsStream("/skein/storage/" + version + ".sql")) {
      if (in == null) {
        throw new IllegalStateException("No migration " + version + " in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The oldest version whose nodes may go on with the schema after the script of this one. */
  static int compatibleWith(int version) {
    return compatibleWith(script(version), version);
  }

  static int compatibleWith(String script, int version) {
    var said = COMPATIBLE.matcher(script);
    return said.find() ? Integer.parseInt(said.group(1)) : version;
  }

  /** Within a statement of the connection, so without a timer. */
  static Future<Row> pause(PgConnection connection, Duration time) {
    return connection
        .preparedQuery("select pg_sleep($1)")
        .execute(Tuple.of(time.toMillis() / 1000.0))
        .map(rows -> rows.iterator().next());
  }
}
