package skein.execution;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import skein.model.DefinitionRef;
import skein.model.Transition;

/**
 * Bounds how many unfinished instances one definition, or one tenant, may have. They are counted
 * for the whole cluster every few seconds; in between, a node adds what it has committed itself. So
 * the bound is kept to within what other nodes, and commits during a count, have started since:
 * each node uses at most the room that the last count left. Thread-safe.
 */
public final class InstanceLimit {
  /** Never reached. */
  public static final int NONE = Quota.NONE;

  /** Owners whose changes are kept; those of others are seen at the next count. */
  static final int OWNERS_MAX = 10_000;

  private final Quota quota;
  private final boolean isNeverReached;
  private final Function<DefinitionRef, String> owner;
  private volatile State state = new State(Map.of());

  /** {@code changes}: what this node has committed since it knows of the count. */
  private record State(Map<String, Long> counted, ConcurrentHashMap<String, LongAdder> changes) {
    State(Map<String, Long> counted) {
      this(counted, new ConcurrentHashMap<>());
    }
  }

  /** {@code max}: unfinished instances of one definition, {@link #NONE} for any number. */
  public InstanceLimit(int max) {
    this(Quota.of(max), DefinitionRef::definitionId);
  }

  /**
   * @param quota unfinished instances by owner
   * @param owner whose the instances of a definition are
   */
  InstanceLimit(Quota quota, Function<DefinitionRef, String> owner) {
    this.quota = quota;
    this.isNeverReached = quota.isUnlimited();
    this.owner = owner;
  }

  int max(String owner) {
    return quota.of(owner);
  }

  /**
   * Takes a new count of the cluster in place of all that was known.
   *
   * @param unfinished instances by owner; of those that are missing there are few
   */
  public void counted(Map<String, Long> unfinished) {
    if (!isNeverReached) {
      state = new State(Map.copyOf(unfinished));
    }
  }

  /** Whether no more instances of the owner are to be started. */
  boolean isReached(String owner) {
    int max = quota.of(owner);
    if (max == NONE) {
      return false;
    }
    var known = state;
    var change = known.changes().get(owner);
    long since = change == null ? 0 : change.sum();
    return known.counted().getOrDefault(owner, 0L) + since >= max;
  }

  /** A transition that this node has committed. */
  void committed(Transition transition) {
    if (isNeverReached) {
      return;
    }
    var next = transition.next();
    var isStart = transition.expectedRevision() == 0;
    var isUnfinished = !next.status().finished();
    if (isStart && isUnfinished) {
      change(owner.apply(next.definition()), 1);
    } else if (!isStart && !isUnfinished && next.timing().isEnd()) {
      change(owner.apply(next.definition()), -1);
    }
  }

  /** There are so many more unfinished instances of the definition, which no transition tells. */
  void changed(DefinitionRef definition, int by) {
    if (!isNeverReached) {
      change(owner.apply(definition), by);
    }
  }

  private void change(String owner, int by) {
    var changes = state.changes();
    var change = changes.get(owner);
    if (change == null) {
      if (changes.size() >= OWNERS_MAX) {
        return;
      }
      change = changes.computeIfAbsent(owner, _ -> new LongAdder());
    }
    change.add(by);
  }
}
