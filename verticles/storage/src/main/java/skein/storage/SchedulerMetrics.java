package skein.storage;

import java.time.Duration;

/**
 * The figures of one node's part of the scheduler since its start, and its present state.
 *
 * @param known timers in memory: due soon, or being fired
 * @param inFlight timers that were sent and are not answered
 * @param fired timers that were sent and answered
 * @param misfired of these, sent later than {@code scheduler.misfire-after}
 * @param failed refused or unanswered; they are fired again
 * @param heartbeat since the database last confirmed that this node takes part
 * @param lag how long the oldest timer that is known has been due; zero when none is
 */
public record SchedulerMetrics(
    long known,
    long inFlight,
    long fired,
    long misfired,
    long failed,
    Duration heartbeat,
    Duration lag) {}
