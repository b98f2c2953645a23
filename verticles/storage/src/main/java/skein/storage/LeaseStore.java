package skein.storage;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The leases of the scheduler's shards, and the nodes that take part. Instants are the database's.
 * Confined to one event loop.
 */
public interface LeaseStore {
  /**
   * A node that takes part.
   *
   * @param id new with every start
   * @param shards nodes that count otherwise have leases of their own
   * @param life of its leases, and of this very entry, when it is not renewed
   * @param horizon how far ahead it takes timers up before they are due
   */
  record Participant(String id, String name, int shards, Duration life, Duration horizon) {}

  /**
   * What a check-in found.
   *
   * @param renewed shards of this node whose lease it still has
   * @param unclaimed epochs, by shard, of valid leases of this node that it did not ask to renew: a
   *     statement of its own took or renewed them after it had stopped waiting for the answer
   * @param ofOthers shards that other nodes hold
   * @param nodes ids of all that take part, this one included, the oldest first
   */
  record Seen(
      Set<Integer> renewed,
      Map<Integer, Long> unclaimed,
      Set<Integer> ofOthers,
      List<String> nodes) {}

  /**
   * Says that the node takes part, renews its leases, and looks around, in one statement.
   *
   * @param epochs by shard; a lease with another epoch is not renewed, nor one that has expired:
   *     its holder has stopped to act on it
   */
  Future<Seen> checkIn(Participant me, Map<Integer, Long> epochs, SchedulerMetrics metrics);

  /** Takes those that are free or expired. The epochs of what was taken, each a new one. */
  Future<Map<Integer, Long>> take(Participant me, Collection<Integer> shards);

  /**
   * Lets other nodes take them at once.
   *
   * @param epochs by shard; a lease with another epoch stays, so that a statement that is carried
   *     out late cannot end a lease that was taken since
   */
  Future<Void> release(Participant me, Map<Integer, Long> epochs);

  /** The node takes part no longer: what it holds is free at once. */
  Future<Void> leave(Participant me);

  /**
   * Does so for nodes that are known to have ended, so that their leases need not expire. Should
   * one of them live on, there are two leaders until it checks in: that costs work, not
   * correctness.
   */
  Future<Void> remove(Collection<String> nodeIds);

  /** Gives up the connection; leases stay as they are. */
  Future<Void> close();
}
