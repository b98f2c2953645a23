package skein.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A password that may be replaced while connections are made with it. A new one is tried before it
 * is used: until the server takes it, the one before it is. So it may be written first, and the
 * role altered after it. Thread-safe.
 */
public final class RolePassword {
  private static final Logger log = LoggerFactory.getLogger(RolePassword.class);

  private final Vertx vertx;
  private final String what;
  private final Supplier<String> source;
  private final Duration timeout;
  private volatile String taken;
  private volatile @Nullable String unusable;

  /** The last one that the server did not take. */
  private @Nullable String notTaken;

  /**
   * @param what it opens, for the log
   * @param first the password until the source has another
   * @param source the password as it is now; may block; throws {@link IllegalArgumentException}
   *     where there is none that can be used
   * @param timeout of a trial
   */
  public RolePassword(
      Vertx vertx, String what, String first, Supplier<String> source, Duration timeout) {
    this.vertx = vertx;
    this.what = what;
    this.taken = first;
    this.source = source;
    this.timeout = timeout;
  }

  /** The options to connect to the server with. */
  public Future<PgConnectOptions> on(PgConnectOptions server) {
    return vertx
        .executeBlocking(this::now, false)
        .compose(found -> {
          var next = Objects.requireNonNull(found);
          return next.equals(taken)
              ? Future.succeededFuture(with(server, next))
              : tried(server, next);
        });
  }

  /**
   * Asks again, once, where the server refused the login. The role may be altered after {@link #on}
   * has seen that the new password is not taken yet: then the old one is not taken any more, and
   * the next connection is made with the new one. What the login was refused to has done nothing.
   */
  public static <T> Future<T> ask(Supplier<Future<T>> question) {
    return question.get().recover(e -> isRefusal(e) ? question.get() : Future.failedFuture(e));
  }

  private static PgConnectOptions with(PgConnectOptions server, String password) {
    return new PgConnectOptions(server).setPassword(password);
  }

  private String now() {
    try {
      var found = source.get();
      unusable = null;
      return found;
    } catch (IllegalArgumentException e) {
      var why = String.valueOf(e.getMessage());
      if (!why.equals(unusable)) {
        unusable = why;
        log.atWarn().addKeyValue("of", what).addKeyValue("reason", why).log("password.unusable");
      }
      return taken;
    }
  }

  private Future<PgConnectOptions> tried(PgConnectOptions server, String next) {
    var made = PgConnection.connect(vertx, with(server, next));
    made.onSuccess(PgConnection::close);
    return made.timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .map(_ -> {
          if (!taken.equals(next)) {
            taken = next;
            log.atInfo().addKeyValue("of", what).log("password.replaced");
          }
          return with(server, next);
        })
        .recover(e -> {
          if (!isRefusal(e)) {
            return Future.failedFuture(e);
          }
          notTakenYet(next);
          return Future.succeededFuture(with(server, taken));
        });
  }

  /** Many connections may try a password at one time, and one of them later than another. */
  private synchronized void notTakenYet(String next) {
    if (!next.equals(notTaken) && !next.equals(taken)) {
      notTaken = next;
      log.atInfo().addKeyValue("of", what).log("password.notTakenYet");
    }
  }

  private static boolean isRefusal(Throwable e) {
    return e instanceof PgException error && SqlStates.isRefusedLogin(error.getSqlState());
  }
}
