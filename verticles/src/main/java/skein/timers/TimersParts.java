package skein.timers;

import skein.cluster.Cluster;
import skein.cluster.Router;
import skein.storage.DatabaseClock;
import skein.storage.LeaseStore;
import skein.storage.TimerStore;

/**
 * What the scheduler works with; all of it is thread-safe, but the leases, which are the verticle's
 * own.
 */
public record TimersParts(
    TimersOptions options,
    Cluster cluster,
    Router router,
    TimerStore timers,
    LeaseStore leases,
    DatabaseClock clock,
    SchedulerMeter meter) {}
