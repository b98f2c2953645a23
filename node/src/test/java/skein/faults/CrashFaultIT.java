package skein.faults;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.ServerProcess;

/** Nodes die: SIGKILL. */
@ExtendWith(FaultClusters.class)
class CrashFaultIT {
  @Test
  void nothing_is_lost_or_doubled_when_random_nodes_are_killed(FaultCluster cluster) {
    new Scenario(cluster, "kill")
        .run(havoc ->
            havoc.repeat(2_000, () -> havoc.killAndRestart(cluster.node(havoc.anyNode()))));
  }

  @Test
  @LongRun
  void nothing_is_lost_or_doubled_when_leaders_are_killed(FaultCluster cluster) {
    new Scenario(cluster, "kill-leader")
        .run(havoc -> havoc.repeat(2_000, () -> havoc.killAndRestart(havoc.leader())));
  }

  @Test
  @LongRun
  void nothing_is_lost_or_doubled_when_all_nodes_are_killed(FaultCluster cluster) {
    new Scenario(cluster, "kill-all")
        .run(havoc ->
            havoc.during(
                "kill",
                "all",
                havoc.between(1_000, 3_000),
                cluster.nodes()::killAll,
                () -> cluster.nodes().nodes().forEach(ServerProcess::start)));
  }
}
