package skein.burst;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a burst may do where others wait for the thread.
 *
 * @param steps activities executed or resumed
 * @param time processor time; null for any
 */
record QuickBound(int steps, @Nullable Duration time) {
  /** Of a burst that nobody waits for. */
  static final QuickBound NONE = new QuickBound(Integer.MAX_VALUE, null);
}
