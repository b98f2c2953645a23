package skein.node.bench;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import skein.node.config.DatabaseConfig;
import skein.node.dev.CannotStartException;
import skein.postgres.PostgresUri;

/** The database, as one who looks from outside sees it. Waits for every answer. */
final class Sql implements AutoCloseable {
  private static final long ANSWER_MINUTES_MAX = 30;

  private final Vertx vertx =
      Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
  private final PgConnectOptions options;
  private final String schema;
  private final PgConnection connection;

  /** Throws {@link CannotStartException} when the database does not let us in. */
  Sql(DatabaseConfig database) {
    this.schema = database.schema();
    this.options =
        PostgresUri.servers(database.uri())
            .getFirst()
            .setUser(database.user())
            .setPassword(database.password().value())
            .setCachePreparedStatements(true)
            .addProperty("application_name", "skein bench")
            .addProperty("search_path", schema);
    this.connection = await(connect(), "The database did not let us in");
  }

  String schema() {
    return schema;
  }

  /** One more connection; the caller closes it. All are of one event loop. */
  Future<PgConnection> connect() {
    return PgConnection.connect(vertx, options);
  }

  RowSet<Row> rows(String sql, Object... parameters) {
    return await(
        connection.preparedQuery(sql).execute(Tuple.from(parameters)), "The database refused");
  }

  Row row(String sql, Object... parameters) {
    return rows(sql, parameters).iterator().next();
  }

  /** Statements that cannot be prepared. */
  void run(String sql) {
    await(connection.query(sql).execute(), "The database refused");
  }

  static <T> T await(Future<T> future, String what) {
    try {
      return future.await(ANSWER_MINUTES_MAX, TimeUnit.MINUTES);
    } catch (TimeoutException e) {
      throw new CannotStartException(what + ": no answer in " + ANSWER_MINUTES_MAX + " minutes", e);
    } catch (Exception e) { // await throws what the future failed with, checked or not
      throw new CannotStartException(what + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    await(vertx.close(), "The connections to the database do not close");
  }
}
