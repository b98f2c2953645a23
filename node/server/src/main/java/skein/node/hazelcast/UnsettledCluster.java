package skein.node.hazelcast;

import com.hazelcast.core.HazelcastException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats what a cluster has refused because its members were changing: Hazelcast itself repeats it
 * at once, a hundred times, which may be over before the change is. Thread-safe.
 */
final class UnsettledCluster {
  private static final Logger log = LoggerFactory.getLogger(UnsettledCluster.class);

  /** How Hazelcast says it; there is no exception of its own for it. */
  private static final String UNSETTLED = "topology was not stable";

  private final int attemptsMax;
  private final Duration delay;

  UnsettledCluster(int attemptsMax, Duration delay) {
    this.attemptsMax = attemptsMax;
    this.delay = delay;
  }

  /** Fails as the last attempt does, and at once with what has another reason. */
  <T> Future<T> call(Supplier<Future<T>> action) {
    return call(action, 1);
  }

  private <T> Future<T> call(Supplier<Future<T>> action, int attempt) {
    return action
        .get()
        .recover(e -> {
          if (attempt == attemptsMax || !isUnsettled(e)) {
            return Future.failedFuture(e);
          }
          log.atInfo().addKeyValue("attempt", attempt).log("cluster.unsettled");
          return pause().compose(_ -> call(action, attempt + 1));
        });
  }

  private static boolean isUnsettled(Throwable e) {
    return e instanceof HazelcastException && String.valueOf(e.getMessage()).contains(UNSETTLED);
  }

  private Future<Void> pause() {
    Executor later = CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS);
    return Future.fromCompletionStage(CompletableFuture.runAsync(() -> {}, later));
  }
}
