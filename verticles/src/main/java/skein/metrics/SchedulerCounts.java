package skein.metrics;

import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;

/** What the scheduler of a node counts while it leads. Thread-safe. */
public final class SchedulerCounts {
  /** Later than this is a misfire, in milliseconds. */
  public static final long LATE_MILLIS = 1_000;

  private final LongAdder fired = new LongAdder();
  private final LongAdder late = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Durations lag = new Durations();
  private final LongAdder elections = new LongAdder();
  private final LongAdder heartbeats = new LongAdder();
  private volatile long heartbeatNanos;
  private volatile boolean leads;

  /** A timer was fired at {@code now}, by the database's clock. */
  public void fired(Instant dueAt, Instant now) {
    long millis = now.toEpochMilli() - dueAt.toEpochMilli();
    fired.increment();
    lag.addMillis(millis);
    if (millis > LATE_MILLIS) {
      late.increment();
    }
  }

  /** This node began or ended to lead. */
  public void leads(boolean now) {
    if (now) {
      elections.increment();
    }
    leads = now;
  }

  /** The right to lead was confirmed. */
  public void heartbeat() {
    heartbeats.increment();
    heartbeatNanos = System.nanoTime();
  }

  public LongAdder fired() {
    return fired;
  }

  /** Fired more than {@link #LATE_MILLIS} after they were due. */
  public LongAdder late() {
    return late;
  }

  /** Firings that were refused or not answered, and are repeated. */
  public LongAdder failed() {
    return failed;
  }

  /** From when a timer was due to when it was fired. */
  public Durations lag() {
    return lag;
  }

  public boolean leads() {
    return leads;
  }

  public LongAdder elections() {
    return elections;
  }

  public LongAdder heartbeats() {
    return heartbeats;
  }

  /** Since the last confirmation, in nanoseconds; 0 when this node does not lead. */
  public long heartbeatAgeNanos() {
    return leads ? System.nanoTime() - heartbeatNanos : 0;
  }
}
