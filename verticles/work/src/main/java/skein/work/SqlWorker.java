package skein.work;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.DatabaseException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.activities.WorkOrder;
import skein.activities.WorkResult;
import skein.model.Effect;
import skein.postgres.ReceivedBytes;
import skein.postgres.RolePassword;
import skein.postgres.SqlStates;

/** Runs statements of definitions on the databases that the configuration names. */
public final class SqlWorker implements Worker {
  /** Only the first row is wanted. */
  private static final int FIRST = 0;

  /** The bytes from a database for one byte of JSON that is made of them. */
  private static final long RECEIVED_BYTES = 4;

  /** Names of columns, messages. */
  private static final long RECEIVED_BYTES_BESIDE = 1 << 20;

  private static final long CLOSED_AFTER_MILLIS = 10;

  /** Errors of MySQL; it is read-only as a replica is. */
  private static final int LOCK_WAIT_TIMEOUT = 1205;

  private static final int OPTION_PREVENTS = 1290;
  private static final int READ_ONLY_MODE = 1836;

  private final Vertx vertx;
  private final SqlWorkOptions options;
  private final ReadRate rate;
  private final Map<String, SqlSource> sources = new HashMap<>();
  private final SecretSources secretSources;

  /** Without secrets. */
  public SqlWorker(Vertx vertx, SqlWorkOptions options) {
    this(vertx, options, SecretSource.NONE);
  }

  /**
   * Connects later.
   *
   * @param secrets that may be URLs of databases, by name
   * @throws IllegalArgumentException for a URL of the options that is of no use
   */
  public SqlWorker(Vertx vertx, SqlWorkOptions options, SecretSource secrets) {
    this.vertx = vertx;
    this.options = options;
    this.rate = new ReadRate(options.reading(), System::nanoTime);
    options
        .sources()
        .forEach((name, source) ->
            sources.put(
                name, SqlSource.of("The data source " + name, vertx, source, options.timeout())));
    this.secretSources = new SecretSources(vertx, secrets, options.timeout());
  }

  @Override
  public String kind() {
    return WorkOrder.SQL;
  }

  @Override
  public Future<WorkResult> perform(Effect.Work order) {
    return source(order.request())
        .compose(source -> perform(order, source))
        .recover(e ->
            e instanceof WorkRefusedException refused
                ? Future.succeededFuture(refused.result())
                : Future.failedFuture(e));
  }

  private Future<SqlSource> source(Map<String, @Nullable Object> request) {
    var secret = Json.text(request, "secret");
    if (secret != null) {
      return secretSources.of(secret);
    }
    var name = String.valueOf(request.get("source"));
    var source = sources.get(name);
    return source == null
        ? Future.failedFuture(
            new WorkRefusedException(
                "UnknownDataSource",
                "There is no data source \"" + name + "\": set data-sources." + name + ".url"))
        : Future.succeededFuture(source);
  }

  private Future<WorkResult> perform(Effect.Work order, SqlSource source) {
    var request = order.request();
    var parts = new ArrayList<String>();
    Json.list(request.get("parts")).forEach(part -> parts.add(String.valueOf(part)));
    var statement = source.dialect().statement(parts);
    var values = SqlValues.tuple(Json.list(request.get("values")));
    long timeout = Math.min(order.timeout().toMillis(), options.timeout().toMillis());
    var mode = String.valueOf(request.get("mode"));
    return RolePassword.ask(() -> run(source.pool(), statement, values, mode))
        .timeout(timeout, TimeUnit.MILLISECONDS)
        .<WorkResult>map(result -> new WorkResult.Done(Json.members("result", result), false))
        .recover(
            e -> source.usedNow(vertx).map(used -> used.hiddenInFailure(failed(source.name(), e))));
  }

  private Future<@Nullable Object> run(Pool pool, String statement, Tuple values, String mode) {
    return switch (mode) {
      case "rows" ->
          pool.withTransaction(connection -> rows(connection, statement, values, options.rowsMax()))
              .map(rows -> (Object) rows.stream().map(SqlValues::row).toList());
      case "value" ->
          pool.withTransaction(connection -> rows(connection, statement, values, FIRST))
              .map(rows -> rows.isEmpty() ? null : SqlValues.value(rows.getFirst().getValue(0)));
      default ->
          pool.preparedQuery(statement)
              .collecting(Collectors.counting()) // of rows that it returns none is kept
              .execute(values)
              .map(done -> (Object) (long) done.rowCount());
    };
  }

  /**
   * The cursor is closed whatever happens, so that the connection can be used again, unless more
   * comes than could ever fit: then it is closed.
   */
  private Future<List<Row>> rows(
      SqlConnection connection, String statement, Tuple values, int rowsMax) {
    var received = ReceivedBytes.of(connection);
    received.limit(RECEIVED_BYTES * options.rowsBytesMax() + RECEIVED_BYTES_BESIDE);
    return connection
        .prepare(statement)
        .compose(prepared -> {
          var cursor = prepared.cursor(values);
          return new SqlRows(vertx, cursor, rowsMax, options.rowsBytesMax(), rate)
              .read()
              .eventually(() -> cursor.close())
              .eventually(() -> prepared.close());
        })
        .recover(e -> received.wereTooMany() ? tooMany() : Future.failedFuture(e))
        .onComplete(_ -> received.unlimited());
  }

  /** A moment later, when the pool has heard that the connection is closed. */
  private <T> Future<T> tooMany() {
    return vertx
        .timer(CLOSED_AFTER_MILLIS)
        .compose(_ -> Future.failedFuture(SqlRows.tooLarge(options.rowsBytesMax())));
  }

  static WorkResult failed(String source, Throwable e) {
    var message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return switch (e) {
      case WorkRefusedException refused -> refused.result();
      case TimeoutException _ -> new WorkResult.Failed("Timeout", source + " did not answer", true);
      case DatabaseException database ->
          new WorkResult.Failed("SqlFailed", message, isPassing(database));
      case IllegalArgumentException _ -> new WorkResult.Failed("SqlFailed", message, false);
      // What a value cannot be bound as; the client says so before it sends anything.
      case io.vertx.core.VertxException wrong when message.startsWith("Parameter") ->
          new WorkResult.Failed(
              "SqlFailed",
              message + "; a text that stands for another type needs a cast, such as ::text::uuid",
              false);
      default -> new WorkResult.Failed("NoConnection", source + ": " + message, true);
    };
  }

  private static boolean isPassing(DatabaseException e) {
    return SqlStates.isInfrastructure(e.getSqlState())
        // It has done nothing, and is right again when the operator has replaced the password.
        || SqlStates.isRefusedLogin(e.getSqlState())
        || isPassingForMySql(e);
  }

  /** MySQL and MariaDB have no SQLSTATE of their own for these. */
  private static boolean isPassingForMySql(DatabaseException e) {
    return switch (e.getErrorCode()) {
      case LOCK_WAIT_TIMEOUT, READ_ONLY_MODE -> true;
      case OPTION_PREVENTS -> String.valueOf(e.getMessage()).contains("read-only");
      default -> false;
    };
  }
}
