package skein.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.ServerProcess;

/** Nodes die: SIGKILL. */
@ExtendWith(FaultClusters.class)
@Tag("long")
class CrashFaultIT {
  @Test
  void nothing_is_lost_or_doubled_when_random_nodes_are_killed(FaultCluster cluster) {
    new Scenario(cluster, "kill")
        .run(havoc ->
            havoc.repeat(2_000, () -> havoc.killAndRestart(cluster.node(havoc.anyNode()))));
  }

  @Test
  void a_call_that_its_node_did_not_survive_is_repeated_with_the_same_key(FaultCluster cluster) {
    var fell = new AtomicInteger();
    new Scenario(cluster, "kill-call")
        .run(havoc ->
            havoc.repeat(
                1_500,
                () -> {
                  if (havoc.killOverCall(havoc.anyNode(), havoc.random().nextBoolean())) {
                    fell.incrementAndGet();
                  }
                }));
    assertThat(fell).as("nodes that died over a call").hasPositiveValue();
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
