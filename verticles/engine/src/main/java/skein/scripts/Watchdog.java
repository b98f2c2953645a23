package skein.scripts;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts threads that take too long. A script asks for its time itself in its loops and calls,
 * but not within one long built-in function.
 */
public final class Watchdog {
  private static final long LOOK_NANOS = 20_000_000;
  private static final long IDLE_LOOK_NANOS = 100_000_000;
  private static final Set<Watch> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Thread.ofPlatform().daemon().name("skein-scripts-watchdog").start(Watchdog::look);
  }

  private Watchdog() {}

  /**
   * Until it is closed, the calling thread is watched.
   *
   * @param overdue asked by another thread every 20 ms: null, or why the thread is to be
   *     interrupted
   */
  public static Watch watch(Supplier<@Nullable Error> overdue) {
    var watch = new Watch(Thread.currentThread(), overdue);
    RUNNING.add(watch);
    return watch;
  }

  private static void look() {
    while (true) {
      LockSupport.parkNanos(RUNNING.isEmpty() ? IDLE_LOOK_NANOS : LOOK_NANOS);
      RUNNING.forEach(Watch::look);
    }
  }

  /** One thread. */
  public static final class Watch implements AutoCloseable {
    private final Thread thread;
    private final Supplier<@Nullable Error> overdue;
    private @Nullable Error verdict;
    private boolean closed;

    private Watch(Thread thread, Supplier<@Nullable Error> overdue) {
      this.thread = thread;
      this.overdue = overdue;
    }

    private synchronized void look() {
      if (closed || verdict != null) {
        return;
      }
      verdict = overdue.get();
      if (verdict != null) {
        thread.interrupt();
      }
    }

    /** Why the thread was interrupted; null where another thread did it. */
    public synchronized @Nullable Error verdict() {
      return verdict;
    }

    /** The thread's interrupt is taken back if it was the watchdog's. */
    @Override
    public synchronized void close() {
      closed = true;
      RUNNING.remove(this);
      if (verdict != null) {
        Thread.interrupted();
      }
    }
  }
}
