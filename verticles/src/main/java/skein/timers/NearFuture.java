package skein.timers;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.model.Timer;

/**
 * The timers that fall due soon, each once, and those being fired. Bounded: what does not fit is
 * found in the index again. Of one event loop.
 */
final class NearFuture {
  private final int max;
  private final PriorityQueue<Timer> waiting =
      new PriorityQueue<>(Comparator.comparing(Timer::dueAt).thenComparing(Timer::id));
  private final Set<String> known = new HashSet<>();

  NearFuture(int max) {
    this.max = max;
  }

  /** False when it is known already, or there is no room. */
  boolean add(Timer timer) {
    if (waiting.size() >= max || !known.add(timer.id())) {
      return false;
    }
    waiting.add(timer);
    return true;
  }

  boolean isFull() {
    return waiting.size() >= max;
  }

  /** The next timer due at that instant; it stays known until {@link #forget}. */
  @Nullable Timer takeDue(Instant now) {
    var first = waiting.peek();
    if (first == null || first.dueAt().isAfter(now)) {
      return null;
    }
    return waiting.poll();
  }

  @Nullable Instant nextDue() {
    var first = waiting.peek();
    return first == null ? null : first.dueAt();
  }

  void forget(Timer timer) {
    known.remove(timer.id());
  }

  void clear() {
    waiting.clear();
    known.clear();
  }
}
