package skein.node;

import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A session as {@code psql -U elsa} opens it: with no settings but those of the database. */
final class Psql implements AutoCloseable {
  private static final long SECONDS_MAX = 20;

  private final Vertx vertx = Vertx.vertx();
  private final PgConnection connection;

  /** {@code uri}: without the user and the password. */
  Psql(String uri, String password) {
    var options = PgConnectOptions.fromUri(uri).setUser("elsa").setPassword(password);
    try {
      connection = PgConnection.connect(vertx, options).await(SECONDS_MAX, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException("No connection to " + uri, e);
    }
  }

  List<Row> rows(String sql) {
    try {
      var found = new ArrayList<Row>();
      connection.query(sql).execute().await(SECONDS_MAX, TimeUnit.SECONDS).forEach(found::add);
      return found;
    } catch (TimeoutException e) {
      throw new IllegalStateException("No answer to " + sql, e);
    }
  }

  @Override
  public void close() {
    connection.close().await();
    vertx.close().await();
  }
}
