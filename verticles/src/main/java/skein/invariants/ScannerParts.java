package skein.invariants;

import java.time.InstantSource;
import java.util.List;
import skein.burst.Burst;
import skein.cluster.Cluster;
import skein.definitions.DefinitionCache;
import skein.metrics.ScannerFigures;
import skein.storage.Database;
import skein.storage.InstanceStore;
import skein.storage.InvariantQueries;
import skein.storage.InvariantRepairs;

/** What the scanner works with; all of it is thread-safe. */
public record ScannerParts(
    ScannerOptions options,
    Cluster cluster,
    Database database,
    InstanceStore instances,
    DefinitionCache definitions,
    Burst burst,
    InstantSource clock,
    ScannerFigures figures) {

  /** In the order of a pass. */
  List<Check> checks() {
    var queries = new InvariantQueries(database);
    var repairs = new InvariantRepairs(database);
    var grace = options.grace();
    return List.of(
        new GoneNodes(queries, repairs, cluster),
        new OverdueTimers(queries, options.dueBound()),
        new SilentTriggers(queries, repairs, definitions, burst, clock),
        new SilentBookmarks(queries, repairs, instances, grace),
        new StuckInstances(queries, repairs, instances, grace),
        new OrphanBookmarks(queries, repairs, grace),
        new OrphanTimers(queries, repairs));
  }
}
