package skein.identity;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.ext.auth.hashing.HashingStrategy;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Hashes of passwords: PBKDF2 with HMAC-SHA-512, of the JDK, in the form of Vert.x's {@link
 * HashingStrategy}, which holds salt and cost. On threads of its own, a few at a time. Thread-safe.
 *
 * @see <a href="https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html">
 *     OWASP: password storage</a>
 */
public final class Passwords {
  /** OWASP's for this function. */
  public static final int ITERATIONS_DEFAULT = 210_000;

  public static final int CHARS_MIN = 8;
  public static final int CHARS_MAX = 1_000;
  private static final String PBKDF2 = "pbkdf2";
  private static final int SALT_BYTES = 16;

  private final HashingStrategy strategy = HashingStrategy.load();
  private final WorkerExecutor workers;
  private final int iterations;
  private final int queueMax;
  private final AtomicInteger queued = new AtomicInteger();

  /**
   * @param iterations what a hash that is made costs
   * @param threads 1 or more
   * @param queueMax passwords that wait or are hashed; more are refused
   */
  public Passwords(Vertx vertx, int iterations, int threads, int queueMax) {
    this.workers = vertx.createSharedWorkerExecutor("skein-passwords", threads);
    this.iterations = iterations;
    this.queueMax = queueMax;
  }

  /** One that cannot be guessed. */
  public static String random() {
    return Secrets.random();
  }

  /** Fails with {@link ErrorCode#OVERLOADED} when too many wait. */
  public Future<String> hash(String password) {
    return onWorker(() -> hashed(password));
  }

  /** Whether the hash is of the password. Fails with {@link ErrorCode#OVERLOADED}. */
  Future<Boolean> verify(String hash, String password) {
    return password.length() > CHARS_MAX
        ? Future.succeededFuture(false)
        : onWorker(() -> strategy.verify(hash, password));
  }

  /**
   * False, after as long as it takes to find that a password is wrong, so that a name that is not
   * there takes as long as one that is. Fails as {@link #verify} does.
   */
  Future<Boolean> verifyNobody(String password) {
    return password.length() > CHARS_MAX
        ? Future.succeededFuture(false)
        : onWorker(() -> hashed(password).isEmpty());
  }

  private String hashed(String password) {
    var salt = Base64.getEncoder().withoutPadding().encodeToString(Secrets.bytes(SALT_BYTES));
    return strategy.hash(PBKDF2, Map.of("it", Integer.toString(iterations)), salt, password);
  }

  @SuppressWarnings("NullAway") // The worker gives what the work gives.
  private <T> Future<T> onWorker(Callable<T> work) {
    if (queued.incrementAndGet() > queueMax) {
      queued.decrementAndGet();
      return Future.failedFuture(
          new SkeinException(
              ErrorCode.OVERLOADED, "Too many passwords are being checked: try again in a moment"));
    }
    return workers.executeBlocking(work, false).onComplete(_ -> queued.decrementAndGet());
  }
}
