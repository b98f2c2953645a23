package skein.timers;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import skein.model.Timer;

/**
 * Timers that wait, by definition. Definitions take turns; of each the earliest timer is next. Not
 * thread-safe: it belongs to the object that made it.
 */
final class DefinitionTurns {
  static final Comparator<Timer> BY_DUE_TIME =
      Comparator.comparing(Timer::dueAt).thenComparing(Timer::id);

  /** None is empty; the first one's turn is next. */
  private final LinkedHashMap<String, TreeSet<Timer>> turns = new LinkedHashMap<>();

  private int size;

  void add(String definition, Timer timer) {
    var turn = turns.computeIfAbsent(definition, _ -> new TreeSet<>(BY_DUE_TIME));
    size += turn.add(timer) ? 1 : 0;
  }

  void remove(String definition, Timer timer) {
    var turn = turns.get(definition);
    if (turn != null) {
      size -= turn.remove(timer) ? 1 : 0;
      if (turn.isEmpty()) {
        turns.remove(definition);
      }
    }
  }

  /** The earliest timer of the definition whose turn it is; null: none is due at that instant. */
  @Nullable Timer next(Instant now) {
    for (var turn : turns.values()) {
      var first = turn.first();
      if (!first.dueAt().isAfter(now)) {
        return first;
      }
    }
    return null;
  }

  /** The definition has had its turn. */
  void goLast(String definition) {
    var turn = turns.remove(definition);
    if (turn != null) {
      turns.put(definition, turn);
    }
  }

  /** The definition has missed its turn. */
  void goFirst(String definition) {
    var turn = turns.get(definition);
    if (turn != null) {
      turns.putFirst(definition, turn);
    }
  }

  /** Timers that wait, of all definitions. */
  int size() {
    return size;
  }

  int sizeOf(String definition) {
    var turn = turns.get(definition);
    return turn == null ? 0 : turn.size();
  }

  int definitions() {
    return turns.size();
  }
}
