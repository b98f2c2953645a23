package skein.burst;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a burst on a thread that others wait for.
 *
 * @param steps activities executed or resumed
 * @param time processor time; null for any
 */
record QuickBound(int steps, @Nullable Duration time) {
  /** For a burst without a limit. */
  static final QuickBound NONE = new QuickBound(Integer.MAX_VALUE, null);
}
