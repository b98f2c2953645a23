package skein.invariants;

import java.time.InstantSource;
import java.util.List;
import skein.cluster.Cluster;
import skein.metrics.ScannerMetrics;
import skein.storage.Database;
import skein.storage.InstanceStore;
import skein.storage.InvariantQueries;
import skein.storage.InvariantRepairs;
import skein.storage.ScheduleStore;
import skein.storage.SchedulerInvariantQueries;

/** The dependencies of the scanner; all of them are thread-safe. */
public record ScannerDependencies(
    ScannerOptions options,
    Cluster cluster,
    Database database,
    InstanceStore instances,
    ScheduleStore schedules,
    InstantSource clock,
    ScannerMetrics metrics) {

  /** The checks in the order of a pass. */
  List<Check> checks() {
    var queries = new InvariantQueries(database);
    var scheduler = new SchedulerInvariantQueries(database);
    var repairs = new InvariantRepairs(database);
    var grace = options.grace();
    return List.of(
        new GoneNodes(scheduler, repairs, cluster),
        new OverdueTimers(scheduler, options.dueBound()),
        new SilentSchedules(scheduler, schedules, clock, grace),
        new ForgottenRuns(scheduler, schedules, clock, grace),
        new OrphanTimers(queries, repairs, grace),
        new OrphanBookmarks(queries, repairs, grace),
        new SilentBookmarks(queries, repairs, instances, grace),
        new StuckInstances(queries, repairs, instances, grace),
        new BrokenHistories(queries));
  }
}
