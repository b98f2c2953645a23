package skein.cluster;

import io.vertx.core.Future;
import skein.model.InstanceId;

/**
 * The cluster's lock per instance: it saves wasted work, it is not what keeps two bursts apart (the
 * revision in the commit is). Answers come on the caller's context.
 */
public interface Locks {
  /**
   * Takes the lock if it is free, expired, or held by a node that is gone; does not wait.
   *
   * @return a token to release it with, or {@link #HELD} when somebody else has it
   */
  Future<Long> tryAcquire(InstanceId instanceId);

  /** The answer of {@link #tryAcquire} when somebody else holds the lock. */
  long HELD = 0;

  /** Frees the lock if this token still holds it; nobody can free another's. */
  void release(InstanceId instanceId, long token);
}
