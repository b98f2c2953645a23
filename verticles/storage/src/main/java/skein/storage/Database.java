package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.encryption.KeyRing;
import skein.metrics.DatabaseMetrics;
import skein.postgres.PostgresUri;
import skein.postgres.RolePassword;

/**
 * The way to PostgreSQL: a pool for reads and rare writes, and single connections for commits.
 *
 * <p>Every statement has a deadline of ours, because the client has none: a silent database is
 * noticed after {@link Timeouts#statement}. Thread-safe.
 */
public final class Database {

  /**
   * @param schema holds all of Skein's tables
   * @param pool for everything but commits
   * @param reads of instances
   */
  public record Options(
      Login login,
      String schema,
      PoolLimits pool,
      Timeouts timeouts,
      Reads reads,
      Sessions sessions) {
    /** With {@link Sessions#DEFAULT}. */
    public Options(Login login, String schema, PoolLimits pool, Timeouts timeouts, Reads reads) {
      this(login, schema, pool, timeouts, reads, Sessions.DEFAULT);
    }
  }

  /**
   * Where the database is, and who asks it.
   *
   * @param uri {@code postgresql://user:password@host:port/database}, as {@link PostgresUri} reads
   *     it; of several hosts, separated by commas, the primary is used
   * @param user in place of that of the URI
   * @param password in place of that of the URI
   * @param passwordNow as {@link RolePassword} takes it, where it may be replaced; else null
   */
  public record Login(
      String uri,
      @Nullable String user,
      @Nullable String password,
      @Nullable Supplier<String> passwordNow) {
    /** With what the URI says. */
    public Login(String uri) {
      this(uri, null, null, null);
    }

    /** Without passwords. */
    @Override
    public String toString() {
      return "Database.Login";
    }
  }

  /**
   * @param size connections
   * @param waitMax requests that may wait for a connection before more are refused
   */
  public record PoolLimits(int size, int waitMax) {}

  /**
   * @param connect until there is a connection; also how long a request waits for one of the pool
   * @param statement until the answer to a statement
   */
  public record Timeouts(Duration connect, Duration statement) {}

  /**
   * How instances are read, which bursts wait for.
   *
   * @param poolSize connections for that alone: few, since one statement reads many
   * @param batchMax instances in one statement
   * @param journalCharsMax characters of large parts of journals that a {@link JournalStore} keeps
   *     once they were read; 0: none
   */
  public record Reads(int poolSize, int batchMax, int journalCharsMax) {}

  /**
   * How long connections are kept, and what the server knows of them.
   *
   * @param applicationName what {@code pg_stat_activity} lists them under
   * @param poolSizeMin connections of the pool that are not closed for idleness
   * @param idleTimeout an unused connection of a pool is closed after it
   * @param keepAlive after so long without traffic the server asks whether the client is alive;
   *     zero: when its own configuration says
   */
  public record Sessions(
      String applicationName, int poolSizeMin, Duration idleTimeout, Duration keepAlive) {
    public static final Sessions DEFAULT =
        new Sessions("skein", 0, Duration.ofMinutes(10), Duration.ZERO);
  }

  private final Vertx vertx;
  private final Options options;
  private final Function<Map<String, String>, Future<PgConnectOptions>> connecting;
  private final Pool pool;
  private final Pool keeping;
  private final @Nullable IdleMinimum minimum;
  private final DatabaseMetrics metrics;
  private final DatabaseRefusals refusals = new DatabaseRefusals();
  private final KeyRing keys = new KeyRing();
  private final StoredValues values = new StoredValues(keys);

  /** Without metrics; for tests. */
  public Database(Vertx vertx, Options options) {
    this(vertx, options, new DatabaseMetrics());
  }

  public Database(Vertx vertx, Options options, DatabaseMetrics metrics) {
    this.metrics = metrics;
    this.vertx = vertx;
    this.options = options;
    var servers =
        PostgresUri.servers(options.login().uri()).stream()
            .map(server -> withSession(server, options))
            .toList();
    this.connecting = connecting(servers);
    this.pool = pool(Map.of(), options.pool().size());
    this.keeping = pool(CommitStatement.PLANNER, options.reads().poolSize());
    this.minimum =
        options.sessions().poolSizeMin() == 0
            ? null
            : new IdleMinimum(
                vertx,
                pool,
                options.sessions().poolSizeMin(),
                options.sessions().idleTimeout().dividedBy(2));
  }

  /** With such settings of the session; where there are several servers, of the primary. */
  private Function<Map<String, String>, Future<PgConnectOptions>> connecting(
      List<PgConnectOptions> servers) {
    var login = login();
    if (servers.size() == 1) {
      var only = servers.getFirst();
      return settings -> login.apply(only).map(server -> with(server, settings));
    }
    var search =
        new PrimarySearch(
            servers,
            server ->
                loggedIn(
                    () -> login.apply(server).compose(known -> PgConnection.connect(vertx, known))),
            options.timeouts().connect());
    return settings -> search.find().compose(login).map(primary -> with(primary, settings));
  }

  /** A server with the password that it takes now. */
  private Function<PgConnectOptions, Future<PgConnectOptions>> login() {
    var login = options.login();
    var now = login.passwordNow();
    if (now == null) {
      return Future::succeededFuture;
    }
    var first = login.password() == null ? "" : login.password();
    var timeout = options.timeouts().connect();
    return new RolePassword(vertx, "database", first, now, timeout)::on;
  }

  private Pool pool(Map<String, String> settings, int size) {
    return PgBuilder.pool()
        .with(
            new PoolOptions()
                .setMaxSize(size)
                .setMaxWaitQueueSize(options.pool().waitMax())
                .setConnectionTimeout((int) options.timeouts().connect().toMillis())
                .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout((int) options.sessions().idleTimeout().toMillis())
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS))
        .with(transport())
        .connectingTo(() -> connecting.apply(settings).map(SqlConnectOptions.class::cast))
        .using(vertx)
        .build();
  }

  /**
   * A statement that is given up keeps its connection of the pool until the answer comes, or the
   * network reports that the peer is unreachable. Linux is asked to say so when nothing was taken
   * for as long as a statement may take; of itself it tries for a quarter of an hour.
   */
  private NetClientOptions transport() {
    return new NetClientOptions()
        .setConnectTimeout((int) options.timeouts().connect().toMillis())
        .setTcpUserTimeout((int) options.timeouts().statement().toMillis())
        .setTcpKeepAlive(true);
  }

  private static PgConnectOptions with(PgConnectOptions connect, Map<String, String> settings) {
    var own = new PgConnectOptions(connect);
    settings.forEach(own::addProperty);
    return own;
  }

  /**
   * Statements are planned again each time: tables fill and empty faster than statistics follow,
   * and a plan kept from when a table was empty reads whole indexes of a full one.
   */
  private static PgConnectOptions withSession(PgConnectOptions connect, Options options) {
    if (options.login().user() != null) {
      connect.setUser(options.login().user());
    }
    if (options.login().password() != null) {
      connect.setPassword(options.login().password());
    }
    var keepAlive = options.sessions().keepAlive();
    if (!keepAlive.isZero()) {
      long seconds = Math.max(1, keepAlive.toSeconds());
      connect.addProperty("tcp_keepalives_idle", String.valueOf(seconds));
    }
    var timeout = String.valueOf(options.timeouts().statement().toMillis());
    return connect
        .setCachePreparedStatements(true)
        .setPipeliningLimit(64)
        .addProperty("application_name", options.sessions().applicationName())
        .addProperty("search_path", options.schema())
        .addProperty("statement_timeout", timeout)
        .addProperty("plan_cache_mode", "force_custom_plan")
        .addProperty("enable_seqscan", "off")
        .addProperty("jit", "off")
        .addProperty("idle_in_transaction_session_timeout", timeout);
  }

  public Options options() {
    return options;
  }

  /** A connection of one's own with such settings of the session; the caller closes it. */
  Future<PgConnection> connection(Map<String, String> settings) {
    var made =
        loggedIn(() ->
            connecting.apply(settings).compose(server -> PgConnection.connect(vertx, server)));
    return made.timeout(options.timeouts().connect().toMillis(), TimeUnit.MILLISECONDS)
        .recover(e -> {
          made.onSuccess(PgConnection::close); // too late: no caller waits for it
          return Future.failedFuture(DatabaseErrors.explain("connect", e));
        });
  }

  Pool pool() {
    return pool;
  }

  /** Runs one statement on the pool; {@code what} says in an error what was being done. */
  Future<RowSet<Row>> run(String what, String sql, Tuple parameters) {
    return run(pool, what, sql, parameters);
  }

  /**
   * As {@link #run(String, String, Tuple)}, in a session that keeps its plans: for statements that
   * find rows by their keys, and often.
   */
  Future<RowSet<Row>> runKept(String what, String sql, Tuple parameters) {
    return run(keeping, what, sql, parameters);
  }

  Future<RowSet<Row>> run(SqlClient client, String what, String sql, Tuple parameters) {
    return timed(() -> loggedIn(() -> client.preparedQuery(sql).execute(parameters)))
        .recover(e -> Future.failedFuture(DatabaseErrors.explain(what, e)));
  }

  /** The answer of a client that may have to make a connection first. */
  <T> Future<T> loggedIn(Supplier<Future<T>> asked) {
    var answer = options.login().passwordNow() == null ? asked.get() : RolePassword.ask(asked);
    return answer.onFailure(refusals::noticed);
  }

  /** The answer of the database, counted, with the deadline of a statement. */
  <T> Future<T> timed(Supplier<Future<T>> asked) {
    long since = System.nanoTime();
    metrics.inFlight().increment();
    return asked
        .get()
        .timeout(options.timeouts().statement().toMillis(), TimeUnit.MILLISECONDS)
        .onComplete(result -> count(result.cause(), since));
  }

  /**
   * A transaction on the pool, whose statements {@code work} runs with {@link #run(SqlClient,
   * String, String, Tuple)}. Its begin and its end may take no longer than a statement: after that
   * its outcome is unknown, as with any statement without an answer.
   */
  @SuppressWarnings("NullAway") // The transaction gives what the work gives.
  <T> Future<T> inTransaction(String what, Function<SqlConnection, Future<T>> work) {
    long statement = options.timeouts().statement().toMillis();
    long connect = options.timeouts().connect().toMillis();
    Promise<Void> begun = Promise.promise();
    Promise<Void> worked = Promise.promise();
    Promise<T> told = Promise.promise();
    var all =
        loggedIn(() ->
            pool.<T>withTransaction(connection -> {
              if (told.future().isComplete()) {
                return Future.failedFuture(
                    new IllegalStateException("It began after its caller had given up"));
              }
              begun.complete();
              return work.apply(connection).onComplete(_ -> worked.complete());
            }));
    all.onSuccess(told::tryComplete).onFailure(told::tryFail);
    begun.future().timeout(connect + statement, TimeUnit.MILLISECONDS).onFailure(told::tryFail);
    worked
        .future()
        .compose(_ -> all.timeout(statement, TimeUnit.MILLISECONDS))
        .onFailure(told::tryFail);
    return told.future().recover(e -> Future.failedFuture(DatabaseErrors.explain(what, e)));
  }

  /** The client's exception when too many wait; the same class exists for HTTP. */
  private static final String TOO_BUSY = "ConnectionPoolTooBusyException";

  private void count(@Nullable Throwable failure, long since) {
    metrics.inFlight().decrement();
    metrics.statements().since(since);
    if (failure != null && TOO_BUSY.equals(failure.getClass().getSimpleName())) {
      metrics.exhausted().increment();
    }
    if (failure != null) {
      metrics.failures().increment();
    }
  }

  /**
   * The keys by which what workflows store is encrypted; none until {@link DataKeys} has read them.
   */
  public KeyRing keys() {
    return keys;
  }

  StoredValues values() {
    return values;
  }

  DatabaseMetrics metrics() {
    return metrics;
  }

  /** Connections of the pool that are open, those for commits not among them. */
  public int connectionsOpen() {
    return pool.size() + keeping.size();
  }

  /** As many as may be. */
  public int connectionsMax() {
    return options.pool().size() + options.reads().poolSize();
  }

  static @Nullable OffsetDateTime timestamp(@Nullable Instant instant) {
    return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
  }

  static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }

  /** Succeeds when the database answers. */
  public Future<Void> ping() {
    return run("ask whether it is there", "select 1", Tuple.tuple()).mapEmpty();
  }

  public Future<Void> close() {
    if (minimum != null) {
      minimum.close();
    }
    return pool.close().eventually(keeping::close);
  }
}
