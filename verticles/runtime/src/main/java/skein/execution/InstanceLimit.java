package skein.execution;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import skein.model.Transition;

/**
 * Bounds how many unfinished instances one definition may have. They are counted for the whole
 * cluster every few seconds; in between, a node adds what it has committed itself. So the bound is
 * kept to within what other nodes, and commits during a count, have started since: each node uses
 * at most the room that the last count left. Thread-safe.
 */
public final class InstanceLimit {
  /** Never reached. */
  public static final int NONE = 0;

  /** Definitions whose changes are kept; those of others are seen at the next count. */
  static final int DEFINITIONS_MAX = 10_000;

  private final int max;
  private volatile State state = new State(Map.of());

  /** {@code changes}: what this node has committed since it knows of the count. */
  private record State(Map<String, Long> counted, ConcurrentHashMap<String, LongAdder> changes) {
    State(Map<String, Long> counted) {
      this(counted, new ConcurrentHashMap<>());
    }
  }

  /** {@code max}: unfinished instances of one definition, {@link #NONE} for any number. */
  public InstanceLimit(int max) {
    if (max < 0) {
      throw new IllegalArgumentException("A limit of instances begins at 0: " + max);
    }
    this.max = max;
  }

  int max() {
    return max;
  }

  /**
   * Takes a new count of the cluster in place of all that was known.
   *
   * @param unfinished instances by definition; of those that are missing there are few
   */
  public void counted(Map<String, Long> unfinished) {
    if (max != NONE) {
      state = new State(Map.copyOf(unfinished));
    }
  }

  /** Whether no more instances of the definition are to be started. */
  boolean isReached(String definitionId) {
    if (max == NONE) {
      return false;
    }
    var known = state;
    var change = known.changes().get(definitionId);
    long since = change == null ? 0 : change.sum();
    return known.counted().getOrDefault(definitionId, 0L) + since >= max;
  }

  /** A transition that this node has committed. */
  void committed(Transition transition) {
    if (max == NONE) {
      return;
    }
    var next = transition.next();
    var isStart = transition.expectedRevision() == 0;
    var isUnfinished = !next.status().finished();
    if (isStart && isUnfinished) {
      change(next.definition().definitionId(), 1);
    } else if (!isStart && !isUnfinished && next.timing().isEnd()) {
      change(next.definition().definitionId(), -1);
    }
  }

  private void change(String definitionId, int by) {
    var changes = state.changes();
    var change = changes.get(definitionId);
    if (change == null) {
      if (changes.size() >= DEFINITIONS_MAX) {
        return;
      }
      change = changes.computeIfAbsent(definitionId, _ -> new LongAdder());
    }
    change.add(by);
  }
}
