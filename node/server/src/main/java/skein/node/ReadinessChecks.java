package skein.node;

import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.cluster.Cluster;
import skein.cluster.ClusterSize;
import skein.cluster.Quiescence;
import skein.http.SelfCheck;
import skein.links.LoopWatch;
import skein.node.config.NodeConfig;
import skein.node.logging.Logging;
import skein.storage.DataKeys;

/** The checks by which a node decides whether it is ready. Thread-safe. */
final class ReadinessChecks {
  private final NodeConfig config;
  private final Cluster cluster;
  private final LastCommit lastCommit;
  private final DataKeys dataKeys;
  private final LoopWatch loops;

  ReadinessChecks(
      NodeConfig config,
      Cluster cluster,
      LastCommit lastCommit,
      DataKeys dataKeys,
      LoopWatch loops) {
    this.config = config;
    this.cluster = cluster;
    this.lastCommit = lastCommit;
    this.dataKeys = dataKeys;
    this.loops = loops;
  }

  /**
   * A log that is not read delays no caller for long, so it is only reported; so is a node that is
   * alone, unless a number of members is required, and one with another {@code tenancy.enabled}
   * than others, as all are for a while when it is changed on one after the other. While the
   * runtime is paused a node keeps answering: otherwise no caller behind a balancer could end the
   * pause.
   */
  List<SelfCheck> list(Quiescence quiescence) {
    var stuckMax = config.node().stuckMax();
    var demanded = config.cluster().size();
    var tenancy = new TenancyAgreement(cluster, config.tenancy().enabled());
    var size = new ClusterSize(cluster, demanded.min(), demanded.grace(), System::nanoTime);
    return List.of(
        new SelfCheck("clusterSize", demanded.min() > 1, size::trouble),
        new SelfCheck("commits", true, lastCommit::trouble),
        new SelfCheck("encryption", true, dataKeys::trouble),
        new SelfCheck("eventLoops", true, () -> loops.trouble(System.nanoTime(), stuckMax)),
        new SelfCheck("runtime", false, () -> whyQuiet(quiescence)),
        new SelfCheck("tenancy", false, tenancy::trouble),
        new SelfCheck("log", false, () -> Logging.trouble(stuckMax)));
  }

  private static @Nullable String whyQuiet(Quiescence quiescence) {
    var refusal = quiescence.refusal();
    return refusal == null ? null : refusal.getMessage();
  }
}
