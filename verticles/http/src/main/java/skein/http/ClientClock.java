package skein.http;

import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The clock by which clients are timed out. Paused while our event loop is blocked: data that has
 * arrived in that time has not been read, which is not the client's fault. Thread-safe.
 */
final class ClientClock {
  /** More than this between two times that all have come by is not the clients' fault. */
  private static final long STEP_NANOS_MAX = 1_000_000_000L;

  private final LongSupplier clock;
  private final Set<Object> loops = new HashSet<>();
  private final Set<Object> passed = new HashSet<>();
  private long granted;
  private long since;

  ClientClock(LongSupplier clock) {
    this.clock = clock;
    this.since = clock.getAsLong();
  }

  /** Only differences mean something. */
  synchronized long nanos() {
    return granted + Math.min(STEP_NANOS_MAX, clock.getAsLong() - since);
  }

  synchronized void join(Object loop) {
    loops.add(loop);
  }

  synchronized void leave(Object loop) {
    loops.remove(loop);
  }

  /** Whether all have come by since this was last so. */
  synchronized boolean pass(Object loop) {
    passed.add(loop);
    if (!passed.containsAll(loops)) {
      return false;
    }
    granted = nanos();
    since = clock.getAsLong();
    passed.clear();
    return true;
  }
}
