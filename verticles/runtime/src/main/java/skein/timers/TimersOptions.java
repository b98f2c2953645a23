package skein.timers;

import java.time.Duration;

/**
 * Bounds of the scheduler.
 *
 * @param leaseDuration how long a leader stays leader without renewing; it renews three times in it
 * @param shards parts of all timers that have a leader each; the same on all nodes
 * @param misfireAfter a timer that is fired later than this counts as a misfire
 */
public record TimersOptions(
    Duration leaseDuration, Reading reading, Firing firing, int shards, Duration misfireAfter) {

  /**
   * How the index of timers is read.
   *
   * @param pollInterval between two looks into the index
   * @param horizon how far ahead timers are kept in memory
   * @param batchMax timers read at once; several shards read less each
   */
  public record Reading(Duration pollInterval, Duration horizon, int batchMax) {}

  /**
   * How what is due is fired.
   *
   * @param inFlightMax firings under way, of all shards, for each node that executes
   * @param retryDelay until a timer whose firing failed is fired again, and the grace that the
   *     first nudge of immediate work is given
   * @param retryDelayMax the delay doubles with every failure up to this
   */
  public record Firing(
      int inFlightMax, Duration retryDelay, Duration retryDelayMax, Payloads payloads) {}

  /**
   * How large payloads are read.
   *
   * @param bytesMax in memory, in the clear, of all shards that this node leads, and one payload
   *     more for each of them
   * @param batchMax read by one statement
   * @param retryDelay until one is read again whose reading failed for a passing reason; the delay
   *     doubles each time, and is up to a half shorter (jitter)
   * @param retriesMax after so many, one payload alone by each statement, the timer is postponed,
   *     without counting it as its failure; 0: after it was read alone once
   */
  public record Payloads(long bytesMax, int batchMax, Duration retryDelay, int retriesMax) {}

  /** With smaller pages a shard would ask too often. */
  private static final int SHARD_BATCH_MIN = 100;

  /** Timers that one shard reads at once. */
  int shardBatchMax() {
    return Math.min(reading.batchMax(), Math.max(SHARD_BATCH_MIN, reading.batchMax() / shards));
  }

  /** Firings of one shard under way. */
  int shardInFlightMax(int executors) {
    return Math.clamp((long) firing.inFlightMax() * executors / shards, 1, Integer.MAX_VALUE);
  }
}
