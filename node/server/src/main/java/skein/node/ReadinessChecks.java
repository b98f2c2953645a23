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

/** What a node itself knows of whether it should be sent work. Thread-safe. */
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
   * A log that is not taken holds up nobody for long, so it is told alone; so is a node that is
   * alone, unless a number of members is demanded. While the runtime is paused a node goes on
   * answering: else nobody behind a balancer could end the pause.
   */
  List<SelfCheck> list(Quiescence quiescence) {
    var stuckMax = config.node().stuckMax();
    var demanded = config.cluster().size();
    var size = new ClusterSize(cluster, demanded.min(), demanded.grace(), System::nanoTime);
    return List.of(
        new SelfCheck("clusterSize", demanded.min() > 1, size::trouble),
        new SelfCheck("commits", true, lastCommit::trouble),
        new SelfCheck("encryption", true, dataKeys::trouble),
        new SelfCheck("eventLoops", true, () -> loops.trouble(System.nanoTime(), stuckMax)),
        new SelfCheck("runtime", false, () -> whyQuiet(quiescence)),
        new SelfCheck("log", false, () -> Logging.trouble(stuckMax)));
  }

  private static @Nullable String whyQuiet(Quiescence quiescence) {
    var refusal = quiescence.refusal();
    return refusal == null ? null : refusal.getMessage();
  }
}
