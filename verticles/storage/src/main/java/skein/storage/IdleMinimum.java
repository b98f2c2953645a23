package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Keeps some connections of a pool from being closed for idleness: at times it takes as many at
 * once, which opens those that are missing, and gives them back. Thread-safe.
 */
final class IdleMinimum {
  /** So long the first of them waits for the last one. */
  private static final long GATHER_MS = 200;

  private final Vertx vertx;
  private final Pool pool;
  private final int connections;
  private final Duration interval;
  private volatile boolean closed;

  /** {@code interval}: shorter than the pool's idle timeout; begins at once. */
  IdleMinimum(Vertx vertx, Pool pool, int connections, Duration interval) {
    this.vertx = vertx;
    this.pool = pool;
    this.connections = connections;
    this.interval = interval;
    use();
  }

  private void use() {
    if (closed) {
      return;
    }
    var taken = Stream.generate(pool::getConnection).limit(connections).toList();
    Future.join(taken)
        .timeout(GATHER_MS, TimeUnit.MILLISECONDS)
        .onComplete(_ -> {
          taken.forEach(one -> one.onSuccess(SqlConnection::close));
          vertx.setTimer(interval.toMillis(), _ -> use());
        });
  }

  void close() {
    closed = true;
  }
}
