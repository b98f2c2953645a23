package skein.faults;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes are frozen, SIGSTOP, and continue without notice, SIGCONT. */
@ExtendWith(FaultClusters.class)
@Tag("long")
class PauseFaultIT {
  /** Longer than the life of a lease, the heartbeat's limit and every deadline of a statement. */
  private static final Duration LONG = Duration.ofSeconds(7);

  @Test
  @LongRun
  void a_random_node_that_stood_still_does_no_harm(FaultCluster cluster) {
    new Scenario(cluster, "pause")
        .run(havoc ->
            havoc.repeat(
                1_500,
                () -> havoc.pause(cluster.node(havoc.anyNode()), havoc.between(500, 7_000))));
  }

  @Test
  void a_leader_that_stood_still_for_longer_than_its_lease_does_no_harm(FaultCluster cluster) {
    new Scenario(cluster, "pause-leader")
        .run(havoc -> havoc.repeat(1_500, () -> havoc.pause(havoc.leader(), LONG)));
  }

  @Test
  void a_node_that_is_starved_does_no_harm(FaultCluster cluster) {
    new Scenario(cluster, "starved")
        .run(havoc ->
            havoc.repeat(
                1_500,
                () -> havoc.starve(cluster.node(havoc.anyNode()), havoc.between(3_000, 6_000))));
  }
}
