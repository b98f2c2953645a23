package skein.node;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Looks into the tables of one schema, as an operator would. */
public final class Sql implements AutoCloseable {
  private static final long SECONDS_MAX = 60;

  private final Vertx vertx = Vertx.vertx();
  private final PgConnectOptions there;
  private final Pool pool;

  public Sql(TestPostgres postgres, String schema) {
    this(PgConnectOptions.fromUri(postgres.uri()), postgres, schema);
  }

  /** In another database of the same server. */
  Sql(TestPostgres postgres, String database, String schema) {
    this(PgConnectOptions.fromUri(postgres.uri()).setDatabase(database), postgres, schema);
  }

  private Sql(PgConnectOptions server, TestPostgres postgres, String schema) {
    there = server.setPassword(postgres.password()).addProperty("search_path", schema);
    pool =
        PgBuilder.pool()
            .using(vertx)
            .connectingTo(there)
            .with(new PoolOptions().setMaxSize(2))
            .build();
  }

  public List<Row> rows(String sql, Object... arguments) {
    try {
      var found = new ArrayList<Row>();
      pool.preparedQuery(sql)
          .execute(Tuple.from(arguments))
          .await(SECONDS_MAX, TimeUnit.SECONDS)
          .forEach(found::add);
      return found;
    } catch (TimeoutException e) {
      throw new IllegalStateException("No answer to " + sql, e);
    }
  }

  public long number(String sql, Object... arguments) {
    return rows(sql, arguments).getFirst().getLong(0);
  }

  /** One of a connection of its own; it is rolled back when it is closed. */
  final class Transaction implements AutoCloseable {
    private final SqlConnection connection;

    private Transaction() {
      connection = PgConnection.connect(vertx, there).await();
      connection.query("begin").execute().await();
    }

    /** Returns at once. */
    Future<Void> begin(String sql) {
      return connection.query(sql).execute().mapEmpty();
    }

    void execute(String sql) throws TimeoutException {
      begin(sql).await(SECONDS_MAX, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
      connection.close().await();
    }
  }

  Transaction transaction() {
    return new Transaction();
  }

  @Override
  public void close() {
    pool.close().await();
    vertx.close().await();
  }
}
