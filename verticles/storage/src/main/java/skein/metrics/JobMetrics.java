package skein.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Counters of jobs of external workers, by requests to this node. Thread-safe. */
public final class JobMetrics {
  private final LongAdder leased = new LongAdder();
  private final LongAdder completed = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder waiting = new LongAdder();

  /** Leases given. */
  public LongAdder leased() {
    return leased;
  }

  /** Results taken, repetitions included. */
  public LongAdder completed() {
    return completed;
  }

  /** Reports of failure taken, repetitions included. */
  public LongAdder failed() {
    return failed;
  }

  /** Requests refused because their lease was lost. */
  public LongAdder lost() {
    return lost;
  }

  /** Requests that wait for jobs. */
  public LongAdder waiting() {
    return waiting;
  }
}
