package skein.simulation;

import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import skein.cluster.Cluster;
import skein.cluster.Locks;
import skein.loop.Simulator;
import skein.model.InstanceId;

/** The locks of the cluster: nodes that see the same members share them. */
final class SharedLocks {
  private static final long MICRO = 1_000;

  private final Simulator simulator;
  private final Map<String, Held> held = new HashMap<>();
  private long tokens;

  private record Held(String node, long token) {}

  SharedLocks(Simulator simulator) {
    this.simulator = simulator;
  }

  Locks of(Cluster cluster) {
    return new Locks() {
      @Override
      public Future<Long> tryAcquire(InstanceId id) {
        Simulator.Answer<Long> answer = simulator.answer();
        simulator.after(200 * MICRO, () -> answer.succeed(acquire(cluster, id)));
        return answer.future();
      }

      @Override
      public void release(InstanceId id, long token) {
        held.values().removeIf(lock -> lock.token() == token);
      }
    };
  }

  private Long acquire(Cluster cluster, InstanceId id) {
    var seen = Set.copyOf(cluster.members().stream().map(Cluster.Node::id).toList());
    var key = seen.stream().sorted().toList() + "|" + id;
    var before = held.get(key);
    if (before != null && seen.contains(before.node()) && !before.node().equals(cluster.nodeId())) {
      return Locks.HELD;
    }
    long token = ++tokens;
    held.put(key, new Held(cluster.nodeId(), token));
    return token;
  }
}
