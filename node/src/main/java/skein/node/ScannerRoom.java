package skein.node;

import skein.cluster.Cluster;
import skein.invariants.ScannerOptions;
import skein.invariants.ScannerParts;
import skein.metrics.ScannerFigures;
import skein.node.config.NodeConfig;
import skein.storage.Database;
import skein.storage.PassStore.Terms;
import skein.storage.ScheduleStore;

/** What the scanner works with, from the configuration. */
final class ScannerRoom {
  private ScannerRoom() {}

  static ScannerParts parts(
      NodeConfig config, Rooms rooms, Cluster cluster, Database database, ScannerFigures figures) {
    return new ScannerParts(
        options(config),
        cluster,
        database,
        rooms.instances(),
        new ScheduleStore(database),
        rooms.clock(),
        figures);
  }

  private static ScannerOptions options(NodeConfig config) {
    var scanner = config.scanner();
    return new ScannerOptions(
        new Terms(
            scanner.interval(), scanner.silenceMax(), ScannerOptions.DEFAULT.terms().courtesy()),
        scanner.pageSize(),
        scanner.pause(),
        ScannerOptions.DEFAULT.lookAgain(),
        scanner.grace(),
        scanner.dueBound(),
        scanner.repair(),
        scanner.keep());
  }
}
