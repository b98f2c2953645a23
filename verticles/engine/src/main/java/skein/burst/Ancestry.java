package skein.burst;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The chain of instances that led to this one.
 *
 * @param waitingParents instances that wait for it, one above the other
 * @param causes instances before it of which each started the next, by a dispatch or an event; one
 *     that has lived for {@link Children#REST} when it starts others begins a new chain
 */
public record Ancestry(int waitingParents, int causes) {
  /** The memory of the root from the beginning. */
  Map<String, @Nullable Object> memory() {
    var memory = new HashMap<String, @Nullable Object>();
    if (waitingParents > 0) {
      memory.put(Children.ABOVE, (long) waitingParents);
    }
    if (causes > 0) {
      memory.put(Children.CAUSES, (long) causes);
    }
    return memory;
  }
}
