package skein.work;

import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLBuilder;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnectOptions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import skein.postgres.PostgresUri;
import skein.postgres.RolePassword;

/** The differences between databases. */
enum SqlDialect {
  POSTGRESQL {
    @Override
    String placeholder(int number) {
      return "$" + number;
    }

    @Override
    Pool pool(Vertx vertx, SqlWorkOptions.Source source, Duration timeout) {
      var options = PostgresUri.connectOptions(source.url());
      // The statement ends at the server, too, when its caller has given up.
      options.addProperty("statement_timeout", String.valueOf(timeout.toMillis()));
      var connect = withUser(options, source);
      var builder = PgBuilder.pool().using(vertx).with(size(source));
      var now = source.password().now();
      if (now == null) {
        return builder.connectingTo(connect).build();
      }
      var first = source.password().first();
      var password = new RolePassword(vertx, "data source", first, now, timeout);
      return builder
          .connectingTo(() -> password.on(connect).map(SqlConnectOptions.class::cast))
          .build();
    }
  },

  MYSQL {
    @Override
    String placeholder(int number) {
      return "?";
    }

    @Override
    Pool pool(Vertx vertx, SqlWorkOptions.Source source, Duration timeout) {
      var options =
          MySQLConnectOptions.fromUri(source.url().replaceFirst("(?i)^mariadb:", "mysql:"));
      var connect = withUser(options, source);
      var first = source.password().first();
      return MySQLBuilder.pool()
          .using(vertx)
          .with(size(source))
          .connectingTo(() -> source.password().read(vertx, first).map(now -> with(connect, now)))
          .build();
    }
  };

  private static final int WAITING_MAX = 1_000;

  /** An unused connection is closed after it. */
  private static final int IDLE_MINUTES_MAX = 10;

  /** Refuses a URL of a database that there is no client for. */
  static SqlDialect of(String url) {
    var scheme = url.substring(0, Math.max(0, url.indexOf(':'))).toLowerCase(Locale.ROOT);
    return switch (scheme) {
      case "postgresql", "postgres" -> POSTGRESQL;
      case "mysql", "mariadb" -> MYSQL;
      default ->
          throw new IllegalArgumentException(
              "The URL of a data source begins with postgresql:// or mysql://, not with \""
                  + scheme
                  + ":\"");
    };
  }

  abstract String placeholder(int number);

  abstract Pool pool(Vertx vertx, SqlWorkOptions.Source source, Duration timeout);

  /** The statement with a placeholder between each two parts. */
  String statement(List<String> parts) {
    var statement = new StringBuilder(parts.getFirst());
    for (var i = 1; i < parts.size(); i++) {
      statement.append(placeholder(i)).append(parts.get(i));
    }
    return statement.toString();
  }

  /** With the password, unless it is empty: then it is that of the URL. */
  private static SqlConnectOptions with(MySQLConnectOptions connect, String password) {
    return password.isEmpty() ? connect : new MySQLConnectOptions(connect).setPassword(password);
  }

  private static PoolOptions size(SqlWorkOptions.Source source) {
    return new PoolOptions()
        .setMaxSize(source.poolSize())
        .setMaxWaitQueueSize(WAITING_MAX)
        .setIdleTimeout(IDLE_MINUTES_MAX)
        .setIdleTimeoutUnit(TimeUnit.MINUTES);
  }

  private static <T extends SqlConnectOptions> T withUser(T options, SqlWorkOptions.Source source) {
    if (!source.user().isEmpty()) {
      options.setUser(source.user());
    }
    if (!source.password().first().isEmpty()) {
      options.setPassword(source.password().first());
    }
    return options;
  }
}
