package skein.node.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import skein.cluster.Locks;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Locks as entries of a map, changed where the entry lives. A lock that expired, or whose holder is
 * no member any more, is free. Hazelcast may answer late while entries move, or not at all; then an
 * acquisition fails in time. A lock that may have been taken in spite of that is freed, and a
 * release that failed is tried again until the lock has expired, since no other node would free it.
 * Thread-safe; answers come on the caller's context.
 */
final class HazelcastLocks {
  static final String MAP = "locks";

  private final HazelcastInstance hazelcast;
  private final IMap<String, LockRecord> locks;
  private final long expiryMillis;
  private final long answerMaxMillis;
  private final Duration releaseRetryDelay;

  /** Starts anywhere, so that a token of an earlier run of this node frees nothing. */
  private final AtomicLong lastToken = new AtomicLong(new SecureRandom().nextLong());

  HazelcastLocks(
      HazelcastInstance hazelcast,
      Duration expiry,
      Duration answerMax,
      Duration releaseRetryDelay) {
    this.hazelcast = hazelcast;
    this.locks = hazelcast.getMap(MAP);
    this.expiryMillis = expiry.toMillis();
    this.answerMaxMillis = answerMax.toMillis();
    this.releaseRetryDelay = releaseRetryDelay;
  }

  Future<Long> tryAcquire(String key) {
    long token = nextToken();
    return submit(key, LockStep.Kind.TAKE, token).map(taken -> taken ? token : Locks.HELD);
  }

  /** False when the lock was lost. */
  Future<Boolean> renew(String key, long token) {
    return submit(key, LockStep.Kind.RENEW, token);
  }

  /**
   * Frees the lock if this token still holds it; a lock of another token is left alone. Ends as the
   * first attempt does; when that fails others follow, until one has an answer or the lock has
   * expired.
   */
  Future<Void> release(String key, long token) {
    long expired = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(expiryMillis);
    return free(key, token, expired);
  }

  /** {@code expired}: by {@link System#nanoTime}. */
  private Future<Void> free(String key, long token, long expired) {
    return submit(key, LockStep.Kind.FREE, token)
        .<Void>mapEmpty()
        .onFailure(_ -> {
          if (canRetry(expired)) {
            CompletableFuture.delayedExecutor(releaseRetryDelay.toNanos(), TimeUnit.NANOSECONDS)
                .execute(() -> free(key, token, expired));
          }
        });
  }

  private boolean canRetry(long expired) {
    return hazelcast.getLifecycleService().isRunning()
        && System.nanoTime() + releaseRetryDelay.toNanos() - expired < 0;
  }

  private long nextToken() {
    long token = lastToken.incrementAndGet();
    return token == Locks.HELD ? lastToken.incrementAndGet() : token;
  }

  private UUID self() {
    return hazelcast.getCluster().getLocalMember().getUuid();
  }

  private Future<Boolean> submit(String key, LockStep.Kind kind, long token) {
    var context = Vertx.currentContext();
    Promise<Boolean> promise = Promise.promise();
    try {
      var step = new LockStep(kind, self(), token, expiryMillis);
      CompletionStage<Boolean> submitted = locks.submitToKey(key, step);
      CompletionStage<Boolean> inTime =
          submitted.toCompletableFuture().copy().orTimeout(answerMaxMillis, TimeUnit.MILLISECONDS);
      // Runnable::run: Hazelcast's own choice is a thread of the common pool for every answer
      inTime.whenCompleteAsync(
          (done, failure) -> {
            if (kind == LockStep.Kind.TAKE && failure != null) {
              giveBack(submitted, key, token);
            }
            if (context == null) {
              complete(promise, key, done, failure);
            } else {
              context.runOnContext(_ -> complete(promise, key, done, failure));
            }
          },
          Runnable::run);
    } catch (RuntimeException e) {
      promise.fail(unavailable(key, e));
    }
    return promise.future();
  }

  /**
   * When an answer comes after its caller has given up: after a failure the lock may have been
   * taken too. Not on the thread that answers, which may be one that must not ask.
   */
  private void giveBack(CompletionStage<Boolean> late, String key, long token) {
    late.whenCompleteAsync((taken, failure) -> {
      if (failure != null || Boolean.TRUE.equals(taken)) {
        release(key, token);
      }
    });
  }

  private static void complete(
      Promise<Boolean> promise, String key, @Nullable Boolean done, @Nullable Throwable failure) {
    if (failure == null) {
      promise.complete(Boolean.TRUE.equals(done));
    } else {
      promise.fail(unavailable(key, failure));
    }
  }

  private static SkeinException unavailable(String key, Throwable cause) {
    return new SkeinException(
        ErrorCode.NOT_READY, "The cluster does not answer for the lock " + key, List.of(), cause);
  }
}
