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
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import skein.cluster.Locks;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

/**
 * Locks as entries of a map, changed where the entry lives. On the owner of the instance, which is
 * where bursts run, no network is in the way. A lock whose holder is no member any more is free.
 */
public final class HazelcastLocks implements Locks {
  /** The map; its keys are instance ids, so a lock lives on the owner of its instance. */
  static final String MAP = "locks";

  private final HazelcastInstance hazelcast;
  private final IMap<String, LockRecord> locks;
  private final long expiryMillis;

  /** Starts anywhere, so that a token of an earlier run of this node frees nothing. */
  private final AtomicLong lastToken = new AtomicLong(new SecureRandom().nextLong());

  public HazelcastLocks(HazelcastInstance hazelcast, Duration expiry) {
    this.hazelcast = hazelcast;
    this.locks = hazelcast.getMap(MAP);
    this.expiryMillis = expiry.toMillis();
  }

  @Override
  public Future<Long> tryAcquire(InstanceId instanceId) {
    long token = nextToken();
    return submit(instanceId, LockStep.Kind.TAKE, token).map(taken -> taken ? token : HELD);
  }

  @Override
  public Future<Boolean> renew(InstanceId instanceId, long token) {
    return submit(instanceId, LockStep.Kind.RENEW, token);
  }

  @Override
  public Future<Void> release(InstanceId instanceId, long token) {
    return submit(instanceId, LockStep.Kind.FREE, token).mapEmpty();
  }

  private long nextToken() {
    long token = lastToken.incrementAndGet();
    return token == HELD ? lastToken.incrementAndGet() : token;
  }

  private UUID self() {
    return hazelcast.getCluster().getLocalMember().getUuid();
  }

  private Future<Boolean> submit(InstanceId instanceId, LockStep.Kind kind, long token) {
    var context = Vertx.currentContext();
    Promise<Boolean> promise = Promise.promise();
    try {
      var step = new LockStep(kind, self(), token, expiryMillis);
      // Runnable::run: Hazelcast's own choice is a thread of the common pool for every answer
      locks
          .submitToKey(instanceId.value(), step)
          .whenCompleteAsync(
              (done, failure) -> {
                if (context == null) {
                  complete(promise, instanceId, done, failure);
                } else {
                  context.runOnContext(_ -> complete(promise, instanceId, done, failure));
                }
              },
              Runnable::run);
    } catch (RuntimeException e) {
      promise.fail(unavailable(instanceId, e));
    }
    return promise.future();
  }

  private static void complete(
      Promise<Boolean> promise,
      InstanceId instanceId,
      @Nullable Boolean done,
      @Nullable Throwable failure) {
    if (failure == null) {
      promise.complete(Boolean.TRUE.equals(done));
    } else {
      promise.fail(unavailable(instanceId, failure));
    }
  }

  private static SkeinException unavailable(InstanceId instanceId, Throwable cause) {
    return new SkeinException(
        ErrorCode.NOT_READY,
        "The cluster does not answer for the lock of instance " + instanceId,
        List.of(),
        cause);
  }
}
