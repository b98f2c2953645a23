package skein.pacing;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Bounds the processor time that heavy work of a node takes together, so that event loops, the
 * collector and a database on the same machine find a processor at once. A piece of work that takes
 * long pauses every few milliseconds, for as long as more was used than there is. Thread-safe.
 *
 * <p>Time is that of the clock: where a thread has to wait for a processor, it pauses for longer.
 */
public final class Pace {
  private static final ScopedValue<Piece> CURRENT = ScopedValue.newInstance();

  /** Between two pauses of a thread. */
  private static final long SLICE_NANOS = 2_000_000;

  /** One pause is no longer, so that ending the work need not wait; the next one follows. */
  private static final long PAUSE_NANOS_MAX = 50_000_000;

  private final double processors;
  private final long freeNanos;
  private final long savedNanosMax;
  private final LongSupplier nanoTime;
  private final LongConsumer sleep;

  /** When all that was used would have been, had it been used evenly. */
  private long usedUntil;

  /**
   * @param processors that heavy work may use together on average; more than 0, 0.5 is one of them
   *     for half of the time
   * @param free what a piece of work takes at most without being heavy; of a heavy piece it does
   *     not count
   * @param saved what may be used without a pause after a time without heavy work
   */
  public record Limits(double processors, Duration free, Duration saved) {
    public static final Limits NONE =
        new Limits(Double.POSITIVE_INFINITY, Duration.ZERO, Duration.ZERO);

    public Limits {
      if (!(processors > 0) || free.isNegative() || saved.isNegative()) {
        throw new IllegalArgumentException(
            "Limits of heavy work: " + processors + ", " + free + ", " + saved);
      }
    }
  }

  public Pace(Limits limits) {
    this(limits, System::nanoTime, LockSupport::parkNanos);
  }

  /**
   * @param nanoTime a clock that goes forward
   * @param sleep takes nanoseconds; may return early when the thread is interrupted
   */
  Pace(Limits limits, LongSupplier nanoTime, LongConsumer sleep) {
    this.processors = limits.processors();
    this.freeNanos = limits.free().toNanos();
    this.savedNanosMax = limits.saved().toNanos();
    this.nanoTime = nanoTime;
    this.sleep = sleep;
    this.usedUntil = nanoTime.getAsLong() - savedNanosMax;
  }

  /** One that never pauses. */
  public static Pace unlimited() {
    return new Pace(Limits.NONE);
  }

  /** Does work that calls {@link #pause} as long as it lasts; on the calling thread. */
  public <T> T run(Callable<T> work) throws Exception {
    return ScopedValue.where(CURRENT, new Piece()).call(work::call);
  }

  /**
   * To be called at least every millisecond by work that may take long; mostly returns at once, and
   * always where the work is done without {@link #run}. Ends early when the thread is interrupted,
   * which it then still is.
   */
  public static void pause() {
    if (CURRENT.isBound()) {
      CURRENT.get().pauseInTime();
    }
  }

  /** Nanoseconds by which more was used, until now, than there was. */
  private synchronized long use(long nanos, long now) {
    usedUntil = Math.max(usedUntil, now - nanos - savedNanosMax) + (long) (nanos / processors);
    return usedUntil - now;
  }

  /** Work of one thread. */
  private final class Piece {
    private long used;
    private long since = nanoTime.getAsLong();

    private void pauseInTime() {
      long now = nanoTime.getAsLong();
      long worked = now - since;
      if (worked < SLICE_NANOS) {
        return;
      }
      since = now;
      long usedBefore = used;
      used += worked;
      long heavy = used - Math.max(usedBefore, freeNanos);
      if (heavy <= 0) {
        return;
      }
      long late = use(heavy, now);
      if (late > 0) {
        sleep.accept(Math.min(late, PAUSE_NANOS_MAX));
        since = nanoTime.getAsLong();
      }
    }
  }
}
