package skein.loop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Limits the rate of a log line about what may happen very often. Thread-safe. */
public final class ThrottledLog {
  private static final long NEVER = Long.MIN_VALUE;

  private final long intervalNanos;
  private final LongSupplier nanos;
  private final AtomicLong last = new AtomicLong(NEVER);
  private final AtomicLong count = new AtomicLong();

  /** {@code nanos}: a monotonic clock. */
  public ThrottledLog(Duration interval, LongSupplier nanos) {
    this.intervalNanos = interval.toNanos();
    this.nanos = nanos;
  }

  /** Logs it the first time, and then once an interval, with how often it has happened since. */
  public void happened(LongConsumer say) {
    count.incrementAndGet();
    long now = nanos.getAsLong();
    long before = last.get();
    if ((before == NEVER || now - before >= intervalNanos) && last.compareAndSet(before, now)) {
      say.accept(count.getAndSet(0));
    }
  }
}
