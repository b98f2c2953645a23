package skein.execution;

import java.util.HashMap;
import java.util.Map;
import skein.loop.EventLoop;

/**
 * Counts what was asked for on behalf of each definition and has no answer yet. Confined to one
 * event loop.
 */
final class Unanswered {
  private final EventLoop loop;
  private final int max;
  private final Map<String, Integer> counts = new HashMap<>();

  /** {@code max}: of one definition. */
  Unanswered(EventLoop loop, int max) {
    this.loop = loop;
    this.max = max;
  }

  /** Counts one more; false: there are as many as there may be, and it is not to be asked for. */
  boolean begin(String definitionId) {
    loop.check();
    if (counts.getOrDefault(definitionId, 0) >= max) {
      return false;
    }
    counts.merge(definitionId, 1, Integer::sum);
    return true;
  }

  /** One that was begun has its answer. */
  void end(String definitionId) {
    loop.check();
    counts.computeIfPresent(definitionId, (_, count) -> count > 1 ? count - 1 : null);
  }
}
