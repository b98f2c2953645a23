package skein.cluster;

import io.vertx.core.Future;
import skein.model.InstanceId;

/**
 * The cluster's lock per instance: it saves wasted work, it is not what keeps two bursts apart (the
 * revision in the commit is). Answers come on the caller's context.
 */
public interface Locks {
  /** To be called once, before anything else; a node that fails in it must not work. */
  default Future<Void> start() {
    return Future.succeededFuture();
  }

  /**
   * Takes the lock if it is free, expired, or held by a node that is gone; does not wait.
   *
   * @return a token to release it with: positive when the lock was taken, negative when there is
   *     none to take and the caller goes on without; {@link #HELD} when somebody else has it
   */
  Future<Long> tryAcquire(InstanceId instanceId);

  /** The answer of {@link #tryAcquire} when somebody else holds the lock. */
  long HELD = 0;

  /** Frees the lock if this token still holds it; nobody can free another's. */
  void release(InstanceId instanceId, long token);

  /** What this node holds now; at most {@code instancesMax} locks of instances are listed. */
  default HeldLock.Holdings holdings(int instancesMax) {
    return HeldLock.Holdings.NONE;
  }

  /**
   * Takes and frees a lock that this node keeps and nobody else wants; fails when it is not
   * answered for in time. Other nodes have no part in it, whatever state they are in.
   */
  default Future<Void> tryOne() {
    return Future.succeededFuture();
  }
}
