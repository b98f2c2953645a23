package skein.loop;

import io.vertx.core.Future;
import java.time.Duration;

/** The monotonic clock, and delays measured by it. Thread-safe. */
public interface Delays {
  /** Nanoseconds since an arbitrary instant, as {@link System#nanoTime}. */
  long nanoTime();

  /**
   * Succeeds after the delay; at once, though not within this call, when it is zero or negative. It
   * completes on the caller's event loop, if there is one.
   */
  Future<Void> after(Duration delay);
}
