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
   * Takes the lock if it is free, expired, or held by a node that has left; does not wait.
   *
   * @return a token to release it with: positive when the lock was taken, negative when there is
   *     none to take and the caller continues without; {@link #HELD} when another holder has it
   */
  Future<Long> tryAcquire(InstanceId instanceId);

  /** The answer of {@link #tryAcquire} when another holder has the lock. */
  long HELD = 0;

  /** Frees the lock if this token still holds it; a lock of another token is left alone. */
  void release(InstanceId instanceId, long token);

  /** The locks that this node holds now; at most {@code instancesMax} of instances are listed. */
  default HeldLock.Holdings holdings(int instancesMax) {
    return HeldLock.Holdings.NONE;
  }

  /**
   * Takes and frees a lock that only this node uses; fails without an answer in time. Other nodes
   * have no part in it, whatever state they are in.
   */
  default Future<Void> tryOne() {
    return Future.succeededFuture();
  }
}
