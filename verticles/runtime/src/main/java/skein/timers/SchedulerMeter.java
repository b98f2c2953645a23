package skein.timers;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import skein.storage.SchedulerMetrics;
import skein.storage.TimerShard;

/** Counts what this node's part of the scheduler does. Thread-safe. */
public final class SchedulerMeter {
  private final LongSupplier nanos;
  private final LongAdder fired = new LongAdder();
  private final LongAdder misfired = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Map<TimerShard, Load> loads = new ConcurrentHashMap<>();
  private volatile long confirmedNanos;

  /** How one shard stands. */
  record Load(int known, int inFlight, Duration lag) {}

  /** {@code nanos}: a monotonic clock. */
  public SchedulerMeter(LongSupplier nanos) {
    this.nanos = nanos;
    this.confirmedNanos = nanos.getAsLong();
  }

  void fired() {
    fired.increment();
  }

  void misfired() {
    misfired.increment();
  }

  void failed() {
    failed.increment();
  }

  /** The database has confirmed what was asked for then. */
  void confirmed(long askedNanos) {
    confirmedNanos = askedNanos;
  }

  void stands(TimerShard shard, Load load) {
    loads.put(shard, load);
  }

  void ended(TimerShard shard) {
    loads.remove(shard);
  }

  /** How many shards this node leads. */
  public int leads() {
    return loads.size();
  }

  public SchedulerMetrics metrics() {
    long known = 0;
    long inFlight = 0;
    var lag = Duration.ZERO;
    for (var load : loads.values()) {
      known += load.known();
      inFlight += load.inFlight();
      lag = load.lag().compareTo(lag) > 0 ? load.lag() : lag;
    }
    return new SchedulerMetrics(
        known,
        inFlight,
        fired.sum(),
        misfired.sum(),
        failed.sum(),
        Duration.ofNanos(nanos.getAsLong() - confirmedNanos),
        lag);
  }
}
