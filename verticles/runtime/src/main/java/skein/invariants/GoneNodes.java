package skein.invariants;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import skein.cluster.Cluster;
import skein.storage.InvariantRepairs;
import skein.storage.SchedulerInvariantQueries;
import skein.storage.Suspect;
import skein.storage.SuspectPage;

/**
 * Leases that a node has not lived to give back, and its place among the nodes that share them.
 * Ended: two leaders would cost work, not correctness. Work of a node that has left comes back by
 * its timer, which other checks look after.
 */
record GoneNodes(SchedulerInvariantQueries queries, InvariantRepairs repairs, Cluster cluster)
    implements Check {
  private static final int LEASES_MAX = 1_000;

  @Override
  public Invariant invariant() {
    return Invariant.LEASE_OF_GONE_NODE;
  }

  @Override
  public Future<SuspectPage> page(String after, int max) {
    return queries.leases(after, max, alive());
  }

  @Override
  public Future<List<Suspect>> again(List<Suspect> suspects) {
    var ids = Set.copyOf(Check.ids(suspects));
    return queries
        .leases("", LEASES_MAX, alive())
        .map(page ->
            page.suspects().stream()
                .filter(suspect -> ids.contains(suspect.id()))
                .collect(Collectors.toList()));
  }

  @Override
  public Future<Boolean> repair(Suspect suspect, Duration known) {
    return repairs.endLease(suspect.id(), alive());
  }

  private List<String> alive() {
    return cluster.members().stream().map(Cluster.Node::id).toList();
  }
}
