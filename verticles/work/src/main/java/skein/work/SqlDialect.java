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
import skein.postgres.PostgresUri;

/** What differs from database to database. */
enum SqlDialect {
  POSTGRESQL {
    @Override
    String placeholder(int number) {
      return "$" + number;
    }

    @Override
    Pool pool(Vertx vertx, SqlWorkOptions.Source source, Duration timeout) {
      var options = PostgresUri.connectOptions(source.url());
      // The statement ends at the server, too, when nobody waits for it any more.
      options.addProperty("statement_timeout", String.valueOf(timeout.toMillis()));
      return PgBuilder.pool()
          .using(vertx)
          .with(size(source))
          .connectingTo(withUser(options, source))
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
      return MySQLBuilder.pool()
          .using(vertx)
          .with(size(source))
          .connectingTo(withUser(options, source))
          .build();
    }
  };

  private static final int WAITING_MAX = 1_000;

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

  private static PoolOptions size(SqlWorkOptions.Source source) {
    return new PoolOptions().setMaxSize(source.poolSize()).setMaxWaitQueueSize(WAITING_MAX);
  }

  private static <T extends SqlConnectOptions> T withUser(T options, SqlWorkOptions.Source source) {
    if (!source.user().isEmpty()) {
      options.setUser(source.user());
    }
    if (!source.password().isEmpty()) {
      options.setPassword(source.password());
    }
    return options;
  }
}
