package skein.node.metrics;

import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import skein.storage.CountStore;
import skein.storage.SchedulerMetrics;
import skein.storage.ServerMetrics;

/**
 * Metrics that are read where they are when the page is made, rather than counted.
 *
 * @param scheduler this node's part of the scheduler
 * @param invalidations definitions that this node was asked to drop
 * @param connections to the database
 * @param locking as PostgreSQL said it last
 * @param counts of instances and timers in the cluster
 * @param node of its own
 */
public record SampledMetrics(
    Scheduler scheduler,
    IntSupplier members,
    LongSupplier invalidations,
    Connections connections,
    Supplier<ServerMetrics.Locking> locking,
    Supplier<CountStore.Counts> counts,
    OwnState node) {

  /**
   * @param metrics all zero where the node has no part of the scheduler
   * @param shardsLed shards that this node leads
   */
  public record Scheduler(Supplier<SchedulerMetrics> metrics, IntSupplier shardsLed) {}

  /**
   * @param linesDropped of the log, because they were not read in time
   * @param quiescent whether it begins nothing new, because the runtime is paused or was drained
   * @param certificateDays for which its certificates are valid, by what they are for
   * @param received from other processes of the cluster
   */
  public record OwnState(
      LongSupplier linesDropped,
      BooleanSupplier quiescent,
      Supplier<Map<String, Double>> certificateDays,
      Received received) {}

  /** By port: {@code bus} and {@code members}, each with its messages and their bytes. */
  public record Received(Supplier<Map<String, Long>> messages, Supplier<Map<String, Long>> bytes) {}

  public record Connections(IntSupplier open, IntSupplier max) {}
}
