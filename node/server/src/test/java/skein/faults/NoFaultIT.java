package skein.faults;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.Eventually;

/** Nothing is broken: what the others find is not of the suite itself. */
@ExtendWith(FaultClusters.class)
@Tag("long")
class NoFaultIT {
  @Test
  void a_run_without_faults_is_valid(FaultCluster cluster) {
    new Scenario(cluster, "none").run(havoc -> Eventually.pause(havoc.between(4_000, 6_000)));
  }
}
