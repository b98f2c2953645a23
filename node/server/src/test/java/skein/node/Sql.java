package skein.node;

import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Looks into the tables of one schema, as an operator would. */
public final class Sql implements AutoCloseable {
  private static final long SECONDS_MAX = 60;

  private final Vertx vertx = Vertx.vertx();
  private final Pool pool;

  public Sql(TestPostgres postgres, String schema) {
    this(PgConnectOptions.fromUri(postgres.uri()), postgres, schema);
  }

  /** In another database of the same server. */
  Sql(TestPostgres postgres, String database, String schema) {
    this(PgConnectOptions.fromUri(postgres.uri()).setDatabase(database), postgres, schema);
  }

  private Sql(PgConnectOptions there, TestPostgres postgres, String schema) {
    var options = there.setPassword(postgres.password()).addProperty("search_path", schema);
    pool =
        PgBuilder.pool()
            .using(vertx)
            .connectingTo(options)
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

  @Override
  public void close() {
    pool.close().await();
    vertx.close().await();
  }
}
