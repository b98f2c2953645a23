package skein.node.metrics;

import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import skein.storage.CountStore;
import skein.storage.SchedulerMetrics;
import skein.storage.ServerMetrics;

/**
 * Metrics that are read where they are when the page is made, rather than counted.
 *
 * @param scheduler this node's part of the scheduler; all zero when it has none
 * @param shardsLed shards of the scheduler that this node leads
 * @param invalidations definitions that this node was told to drop
 * @param locking as PostgreSQL said it last
 * @param counts of instances and timers in the cluster
 * @param linesDropped of the log, because nobody took them
 */
public record SampledMetrics(
    Supplier<SchedulerMetrics> scheduler,
    IntSupplier shardsLed,
    IntSupplier members,
    LongSupplier invalidations,
    IntSupplier connectionsOpen,
    IntSupplier connectionsMax,
    Supplier<ServerMetrics.Locking> locking,
    Supplier<CountStore.Counts> counts,
    LongSupplier linesDropped) {}
