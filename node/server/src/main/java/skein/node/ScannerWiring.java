package skein.node;

import skein.cluster.Cluster;
import skein.invariants.ScannerDependencies;
import skein.invariants.ScannerOptions;
import skein.metrics.ScannerMetrics;
import skein.node.config.NodeConfig;
import skein.storage.Database;
import skein.storage.PassStore.Terms;
import skein.storage.ScheduleStore;

/** The dependencies of the scanner, from the configuration. */
final class ScannerWiring {
  private ScannerWiring() {}

  static ScannerDependencies dependencies(
      NodeConfig config,
      NodeServices services,
      Cluster cluster,
      Database database,
      ScannerMetrics metrics) {
    return new ScannerDependencies(
        options(config),
        cluster,
        database,
        services.stores().instances(),
        new ScheduleStore(database),
        services.clock(),
        metrics);
  }

  private static ScannerOptions options(NodeConfig config) {
    var scanner = config.scanner();
    return new ScannerOptions(
        new Terms(
            scanner.interval(), scanner.silenceMax(), ScannerOptions.DEFAULT.terms().courtesy()),
        new ScannerOptions.Pace(scanner.pageSize(), scanner.pause()),
        ScannerOptions.DEFAULT.lookAgain(),
        scanner.grace(),
        scanner.dueBound(),
        scanner.repair(),
        scanner.keep());
  }
}
