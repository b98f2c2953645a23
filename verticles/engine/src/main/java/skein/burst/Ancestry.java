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
 * @param childNumber its number among all instances that its parent has started, from 1; 0 of one
 *     that has no parent or was started by an earlier version
 */
public record Ancestry(int waitingParents, int causes, long childNumber) {
  /** Of an instance that is no other one's child. */
  public Ancestry(int waitingParents, int causes) {
    this(waitingParents, causes, 0);
  }

  /** The memory of the root from the beginning. */
  Map<String, @Nullable Object> memory() {
    var memory = new HashMap<String, @Nullable Object>();
    if (waitingParents > 0) {
      memory.put(Children.ABOVE, (long) waitingParents);
    }
    if (causes > 0) {
      memory.put(Children.CAUSES, (long) causes);
    }
    if (childNumber > 0) {
      memory.put(Children.NUMBER, childNumber);
    }
    return memory;
  }
}
