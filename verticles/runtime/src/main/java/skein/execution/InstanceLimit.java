package skein.execution;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.model.DefinitionRef;
import skein.model.Transition;
import skein.model.WorkflowInstance;
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

  /** Instances by owner that are to be added, whether or not the last count has them. */
  private final ConcurrentHashMap<String, Integer> reserved = new ConcurrentHashMap<>();

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
    int soon = reserved.getOrDefault(owner, 0); // before what they become once they are added
    var known = state;
    var change = known.changes().get(owner);
    long since = change == null ? 0 : change.sum();
    return known.counted().getOrDefault(owner, 0L) + since + soon >= max;
  }

  /**
   * A transition that this node has committed.
   *
   * @param before the state that it was decided on; null: there was no instance
   */
  void committed(@Nullable WorkflowInstance before, Transition transition) {
    var next = transition.next();
    int by = unfinished(next) - unfinished(before);
    if (!isNeverReached && by != 0) {
      change(owner.apply(next.definition()), by);
    }
  }

  private static int unfinished(@Nullable WorkflowInstance instance) {
    return instance == null || instance.status().finished() ? 0 : 1;
  }

  /**
   * Counts an unfinished instance of the definition that is to be added, of which no transition
   * tells, unless its owner has as many as it may; both are one step, also for other threads. It
   * stays counted, whatever counts of the cluster come meanwhile.
   *
   * @return null: it must not be added, and is not counted
   */
  synchronized ImportBounds.@Nullable Reservation tryReserve(DefinitionRef definition) {
    var name = owner.apply(definition);
    if (quota.of(name) == NONE) {
      return ImportBounds.Reservation.NONE;
    }
    if (isReached(name)) {
      return null;
    }
    reserved.merge(name, 1, Integer::sum);
    return new Reserved(name);
  }

  private final class Reserved implements ImportBounds.Reservation {
    private final String name;

    Reserved(String name) {
      this.name = name;
    }

    /** For a moment it counts twice, never not at all. */
    @Override
    public void added() {
      change(name, 1);
      release();
    }

    @Override
    public void release() {
      reserved.merge(name, -1, Integer::sum);
      reserved.remove(name, 0);
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
