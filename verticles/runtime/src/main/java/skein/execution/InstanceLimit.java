package skein.execution;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.model.DefinitionRef;
import skein.model.Transition;
import skein.storage.ImportBounds;

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

  /**
   * Counts an unfinished instance of the definition that is to be added, of which no transition
   * tells. A count that comes before it is added is without it, so releasing it later changes
   * nothing.
   */
  ImportBounds.Reservation reserve(DefinitionRef definition) {
    if (isNeverReached) {
      return ImportBounds.Reservation.NONE;
    }
    var change = change(owner.apply(definition), 1);
    return change == null ? ImportBounds.Reservation.NONE : change::decrement;
  }

  /** Returns what counts changes of the owner until the next count; null: they are not counted. */
  private @Nullable LongAdder change(String owner, int by) {
    var changes = state.changes();
    var change = changes.get(owner);
    if (change == null) {
      if (changes.size() >= OWNERS_MAX) {
        return null;
      }
      change = changes.computeIfAbsent(owner, _ -> new LongAdder());
    }
    change.add(by);
    return change;
  }
}
