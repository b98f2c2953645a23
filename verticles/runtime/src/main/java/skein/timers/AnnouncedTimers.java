package skein.timers;

import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import skein.model.Timer;

/**
 * Timers that were announced while a page was being read, which may lie within that page and not be
 * in it: they were committed later. Not thread-safe: it belongs to the object that made it.
 *
 * <p>Bounded: it keeps the earliest. What has no room is read again, and with it all that is due at
 * that instant or later.
 */
final class AnnouncedTimers {
  private final int max;
  private final TreeSet<Timer> timers = new TreeSet<>(DefinitionTurns.BY_DUE_TIME);

  /** The earliest that has no room. */
  private @Nullable Timer left;

  AnnouncedTimers(int max) {
    this.max = max;
  }

  void add(Timer timer) {
    timers.add(timer);
    if (timers.size() > max) {
      leave(timers.removeLast());
    }
  }

  /** There is no room for this timer. */
  void leave(Timer timer) {
    if (left == null || timer.dueAt().isBefore(left.dueAt())) {
      left = timer;
    }
  }

  /** Whether a timer of the page must be read again, behind one that has no room. */
  boolean isReadAgain(Timer timer) {
    return left != null && !timer.dueAt().isBefore(left.dueAt());
  }

  /** The earliest that has no room; null: there is none. It is forgotten here. */
  @Nullable Timer takeLeft() {
    var taken = left;
    left = null;
    return taken;
  }

  /** Those that are kept, the earliest first; they are forgotten here. */
  List<Timer> takeAll() {
    var all = List.copyOf(timers);
    timers.clear();
    return all;
  }
}
