package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Advisory locks of PostgreSQL, all of them held by one session of this node. They end with it: the
 * server frees them when the connection closes, and closes it when nothing came for {@link
 * Options#expiry}, so a node that is frozen or cut off loses them, too. A statement without an
 * answer closes the session; the next one that is due opens another. Thread-safe; answers come on
 * the caller's context.
 */
public final class AdvisoryLocks {
  private static final Logger log = LoggerFactory.getLogger(AdvisoryLocks.class);

  /** The first version that closes idle sessions. */
  private static final int POSTGRESQL_OLDEST = 14;

  /** Statements in the time after which an idle session is closed. */
  private static final int RENEWALS = 3;

  private static final String OPEN = "open a session for locks";

  private static final String TAKE =
      """
      select pg_try_advisory_lock(key)
        from unnest($1::int8[]) with ordinality as asked (key, place) order by place
      """;

  private static final String FREE =
      """
      select pg_advisory_unlock(key)
        from unnest($1::int8[]) with ordinality as asked (key, place) order by place
      """;

  private final Database database;
  private final Options options;
  private @Nullable Future<Session> session;
  private boolean ended;
  private long failedAt;

  /**
   * @param expiry the locks of a silent node are free after it; at least a second
   * @param answerMax how long the database may take to answer
   * @param reconnectDelay at least, after a session that could not be opened
   */
  public record Options(Duration expiry, Duration answerMax, Duration reconnectDelay) {}

  /** A lock that was taken. */
  public interface Hold {
    /** Frees it, if the session that took it is still there; to be called once. */
    void free();

    /** When it is free for others if the node is silent. */
    Duration freeAfter();
  }

  /** Nothing is opened yet. */
  public AdvisoryLocks(Vertx vertx, Database database, Options options) {
    this.database = database;
    this.options = options;
    vertx.setPeriodic(options.expiry().toMillis() / RENEWALS, _ -> renew());
  }

  /**
   * Opens the session. Fails with {@link Migrations.DatabaseTooOldException} where the server would
   * let silent nodes keep their locks, and with {@code STORAGE_UNAVAILABLE}.
   */
  public Future<Void> open() {
    return session().mapEmpty();
  }

  /**
   * Takes the lock of this number if no other session has it; does not wait. This node's own
   * session gets it as often as it asks. Fails with {@code STORAGE_UNAVAILABLE}; then it is not
   * held.
   */
  public Future<Optional<Hold>> tryTake(long key) {
    var ready = session();
    if (!ready.isComplete()) {
      ready =
          ready
              .timeout(options.answerMax().toMillis(), TimeUnit.MILLISECONDS)
              .recover(e -> Future.failedFuture(DatabaseErrors.explain(OPEN, e)));
    }
    return ready.compose(open -> open.takes.ask(key).map(taken -> open.hold(key, taken)));
  }

  private void renew() {
    session().onSuccess(open -> open.run(TAKE, List.of()));
  }

  private synchronized Future<Session> session() {
    var current = session;
    boolean again = current == null || (current.failed() && mayRetry());
    if (current != null && !again) {
      return current;
    }
    if (ended) {
      log.warn("The session that held locks has ended, and its locks with it: opening another");
      ended = false;
    }
    var opening = connect();
    session = opening;
    opening.onFailure(_ -> failed());
    return opening;
  }

  private boolean mayRetry() {
    return System.nanoTime() - failedAt >= options.reconnectDelay().toNanos();
  }

  private synchronized void failed() {
    failedAt = System.nanoTime();
  }

  private Future<Session> connect() {
    return database
        .connection(Map.of())
        .compose(connection -> {
          var opened = new Session(connection);
          return opened.expire().onFailure(_ -> connection.close()).map(opened);
        });
  }

  private synchronized void forget(Session closed) {
    if (session != null && closed.equals(session.result())) {
      session = null;
      ended = true;
    }
  }

  private final class Session {
    private final PgConnection connection;
    private final QueryBatches<Long, Boolean> takes = new QueryBatches<>(keys -> run(TAKE, keys));
    private final QueryBatches<Long, Boolean> frees = new QueryBatches<>(keys -> run(FREE, keys));
    private volatile long heardAt = System.nanoTime();

    private Session(PgConnection connection) {
      this.connection = connection;
      connection.exceptionHandler(e -> log.debug("The session that holds locks broke", e));
      connection.closeHandler(_ -> forget(this));
    }

    /** From now on the server closes it when it is idle. */
    private Future<Void> expire() {
      var server = connection.databaseMetadata();
      if (server.majorVersion() < POSTGRESQL_OLDEST) {
        return Future.failedFuture(
            new Migrations.DatabaseTooOldException(
                "Locks by PostgreSQL need PostgreSQL "
                    + POSTGRESQL_OLDEST
                    + " or newer, and this is "
                    + server.fullVersion()
                    + ": set cluster.locks to hazelcast"));
      }
      return connection
          .query("set idle_session_timeout = " + options.expiry().toMillis())
          .execute()
          .timeout(options.answerMax().toMillis(), TimeUnit.MILLISECONDS)
          .recover(e -> Future.failedFuture(DatabaseErrors.explain(OPEN, e)))
          .mapEmpty();
    }

    private Future<List<Boolean>> run(String sql, List<Long> keys) {
      return connection
          .preparedQuery(sql)
          .execute(Tuple.of(keys.toArray(Long[]::new)))
          .timeout(options.answerMax().toMillis(), TimeUnit.MILLISECONDS)
          .<List<Boolean>>map(rows -> {
            heardAt = System.nanoTime();
            var done = new ArrayList<Boolean>(rows.size());
            rows.forEach(row -> done.add(row.getBoolean(0)));
            return done;
          })
          .recover(e -> {
            // The outcome of the statement is unknown: with the session everything is free. Its
            // end
            // is not waited for, since the other side may say nothing any more.
            forget(this);
            connection.close();
            return Future.failedFuture(DatabaseErrors.explain("lock", e));
          });
    }

    private Optional<Hold> hold(long key, boolean taken) {
      if (!taken) {
        return Optional.empty();
      }
      return Optional.of(
          new Hold() {
            @Override
            public void free() {
              frees.ask(key);
            }

            @Override
            public Duration freeAfter() {
              return options.expiry().minusNanos(System.nanoTime() - heardAt);
            }
          });
    }
  }
}
