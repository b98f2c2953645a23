package skein.timers;

import skein.cluster.Cluster;
import skein.cluster.Router;
import skein.storage.DatabaseTime;
import skein.storage.DueTimers;
import skein.storage.LeaseStore;

/**
 * The dependencies of the scheduler; all are thread-safe except for the leases, which are the
 * verticle's own.
 */
public record TimersDependencies(
    TimersOptions options,
    Cluster cluster,
    Router router,
    DueTimers timers,
    LeaseStore leases,
    DatabaseTime clock,
    SchedulerMeter meter) {}
