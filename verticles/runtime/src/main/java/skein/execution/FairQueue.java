package skein.execution;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import skein.execution.FairUsage.Group;
import skein.execution.FairUsage.OwnerQueue;
import skein.loop.Blocking.Owner;

/**
 * Work of many owners, in groups, for a few threads. The group whose work has held the threads for
 * the least time is next, and in it the owner of whom the same is true. So a piece of work waits
 * for about one piece of each other group, however many owners and pieces one of them brings.
 * Owners whose work takes long never have all threads at one time. A group with a bounded share has
 * no more of the time than that while others wait; what it has while none waits is not held against
 * it. Not thread-safe.
 *
 * @param <T> a piece of work
 */
final class FairQueue<T> {
  /** Groups, and owners of one group, that are remembered while they have nothing to do. */
  static final int IDLE_MAX = 1_000;

  /**
   * Idle owners of all groups, by which those of each are bounded where there are many groups. So
   * how many owners of a group are remembered depends on the number of groups, never on how many
   * owners the others have.
   */
  static final int IDLE_OWNERS_MAX = 10_000;

  /** Of the time, in percent: no bound. */
  static final int WHOLE = 100;

  private final int threads;
  private final int perOwnerMax;
  private final long longNanos;
  private final ToIntFunction<String> shareOf;
  private final LongSupplier nanoTime;
  private final Map<Owner, OwnerQueue<T>> busy = new HashMap<>();
  private final Map<String, Group<T>> groups = new HashMap<>();
  private final NavigableSet<Group<T>> waiting = FairUsage.inTurn();
  private final Map<String, Group<T>> idleGroups = new LinkedHashMap<>();

  /** At most as many as there are threads. */
  private final List<Turn<T>> underWay = new ArrayList<>();

  private int size;
  private int longRunning;
  private long turns;

  /** A group that comes back has used no less: what all that were busy had used at some time. */
  private long floor;

  /**
   * @param threads pieces that may be taken at one time
   * @param perOwnerMax pieces of one owner that wait
   * @param longNanos work is long when the last two pieces of its owner both took more
   * @param shareOf of the time, in percent from 1 to {@link #WHOLE}, that a group has at most while
   *     others wait
   * @param nanoTime a clock that goes forward
   */
  FairQueue(
      int threads,
      int perOwnerMax,
      long longNanos,
      ToIntFunction<String> shareOf,
      LongSupplier nanoTime) {
    this.threads = threads;
    this.perOwnerMax = perOwnerMax;
    this.longNanos = longNanos;
    this.shareOf = shareOf;
    this.nanoTime = nanoTime;
  }

  /** A piece that is being worked on; {@link #done} must be told of its end. */
  static final class Turn<T> {
    private final T item;
    private final OwnerQueue<T> share;
    private final boolean isLong;
    private final long begun;

    /** Nanoseconds that its owner is expected to use. */
    private final long expected;

    /** Until when its group is charged for it. */
    private long chargedUntil;

    /**
     * What its group is to be charged until then, and is not yet, less what was expected; more than
     * it took where the share is bounded.
     */
    private long unexpected;

    private Turn(T item, OwnerQueue<T> share, boolean isLong, long begun, long expected) {
      this.item = item;
      this.share = share;
      this.isLong = isLong;
      this.begun = begun;
      this.expected = expected;
      this.chargedUntil = begun;
    }

    T item() {
      return item;
    }

    Owner owner() {
      return share.owner;
    }

    boolean isLong() {
      return isLong;
    }
  }

  /** Whether there was room. */
  boolean add(Owner owner, T item) {
    var known = busy.get(owner);
    var share = known == null ? awake(owner) : known;
    if (share.items.size() >= perOwnerMax) {
      return false; // Not empty, so it stays among those that are busy.
    }
    share.items.add(item);
    size++;
    if (share.items.size() == 1) {
      enqueue(share);
    }
    return true;
  }

  private OwnerQueue<T> awake(Owner owner) {
    var group = groups.computeIfAbsent(owner.group(), this::awakeGroup);
    group.busy++;
    var known = group.idle.remove(owner.name());
    var share = known == null ? new OwnerQueue<>(owner, group) : known;
    share.used = Math.max(share.used, group.floor);
    busy.put(owner, share);
    return share;
  }

  private Group<T> awakeGroup(String name) {
    var known = idleGroups.remove(name);
    var group = known == null ? new Group<T>(name) : known;
    charge();
    floor = Math.max(floor, leastUsed());
    group.used = Math.max(group.used, floor);
    return group;
  }

  /** What the busy group that has used the least has used by now, while something is under way. */
  private long leastUsed() {
    if (underWay.isEmpty()) {
      return floor;
    }
    long least = Long.MAX_VALUE;
    for (var turn : underWay) {
      var group = turn.share.group;
      least = Math.min(least, group.used + group.unexpected);
    }
    for (var group : waiting) {
      if (group.running == 0) {
        least = Math.min(least, group.used);
        break; // Those behind it have used more, and those that run were asked.
      }
    }
    return least;
  }

  private void enqueue(OwnerQueue<T> share) {
    share.turn = ++turns;
    var group = share.group;
    if (group.waiting.isEmpty()) {
      charge(); // With the others that have waited so far.
      group.turn = turns;
      group.waiting.add(share);
      waiting.add(group);
    } else {
      group.waiting.add(share);
    }
  }

  /** Null when nothing may be begun before something else has ended. */
  @Nullable Turn<T> next() {
    if (underWay.size() >= threads) {
      return null;
    }
    charge();
    boolean mayTry = true;
    for (var group : waiting) {
      for (var share : group.waiting) {
        if (longRunning < threads - 1
            || threads == 1
            || !mayBeLong(share)
            || (mayTry && isFirst(share))) {
          return begin(share, mayBeLong(share));
        }
      }
      // Else a group that always has new owners would keep it from ever being next.
      mayTry = mayTry && group.running > 0;
    }
    return null;
  }

  /** The first piece of all takes longer than those that follow, so two must have been long. */
  private boolean mayBeLong(OwnerQueue<T> share) {
    return share.previous < 0 || Math.min(share.last, share.previous) > longNanos;
  }

  /**
   * An owner of whom little is known is tried with one piece at a time, also on the last thread;
   * there it does not go before a group that has used less and has nothing under way.
   */
  private static boolean isFirst(OwnerQueue<?> share) {
    return share.previous < 0 && share.running == 0;
  }

  private Turn<T> begin(OwnerQueue<T> share, boolean isLong) {
    long now = charge();
    var group = share.group;
    waiting.remove(group);
    group.waiting.remove(share);
    floor = Math.max(floor, group.used);
    group.floor = Math.max(group.floor, share.used);
    long expected = Math.max(0, share.last);
    var turn = new Turn<>(share.items.remove(), share, isLong, now, expected);
    underWay.add(turn);
    long groupExpected = charge(group, expected);
    turn.unexpected -= groupExpected;
    group.unexpected -= groupExpected;
    group.used += groupExpected;
    share.used += expected;
    share.running++;
    group.running++;
    longRunning += isLong ? 1 : 0;
    size--;
    group.turn = ++turns;
    if (!share.items.isEmpty()) {
      share.turn = ++turns;
      group.waiting.add(share);
    }
    if (!group.waiting.isEmpty()) {
      waiting.add(group);
    }
    return turn;
  }

  /** The piece has left its thread, which it held since {@link #next} gave it. */
  void done(Turn<T> turn) {
    long now = charge();
    if (!underWay.remove(turn)) {
      throw new IllegalStateException("Nothing of " + turn.owner() + " was under way");
    }
    var share = turn.share;
    var group = share.group;
    // Both may have another place among those that wait now.
    boolean groupWaits = waiting.remove(group);
    boolean shareWaits = group.waiting.remove(share);
    long nanos = now - turn.begun;
    share.used += nanos - turn.expected;
    settle(turn);
    share.previous = share.last;
    share.last = nanos;
    share.running--;
    group.running--;
    longRunning -= turn.isLong ? 1 : 0;
    if (shareWaits) {
      group.waiting.add(share);
    } else if (share.running == 0) {
      rest(share);
    }
    if (groupWaits) {
      waiting.add(group);
    }
  }

  /**
   * Charges the groups for what is under way, until now: before the next one is chosen, and before
   * a change of the groups that wait, since more is charged while there are others.
   */
  private long charge() {
    long now = nanoTime.getAsLong();
    for (var turn : underWay) {
      var group = turn.share.group;
      long part = charge(group, now - turn.chargedUntil);
      turn.chargedUntil = now;
      turn.unexpected += part;
      group.unexpected += part;
      if (turn.unexpected > 0) {
        boolean groupWaits = waiting.remove(group);
        settle(turn);
        if (groupWaits) {
          waiting.add(group);
        }
      }
    }
    return now;
  }

  /** The group must not be among those that wait. */
  private static void settle(Turn<?> turn) {
    var group = turn.share.group;
    group.used += turn.unexpected;
    group.unexpected -= turn.unexpected;
    turn.unexpected = 0;
  }

  /**
   * What a group is charged for so much time in which the groups wait that do now. Groups get time
   * in inverse proportion to their charges, so beside {@code n} others a group has its share when
   * it is charged {@code (100 - share) / (share * n)} times as much as they are.
   */
  private long charge(Group<T> group, long nanos) {
    int others = waiting.size() - (waiting.contains(group) ? 1 : 0);
    long share = shareOf.applyAsInt(group.name);
    return share * (others + 1) >= WHOLE || others == 0
        ? nanos
        : nanos * (WHOLE - share) / (share * others);
  }

  private void rest(OwnerQueue<T> share) {
    busy.remove(share.owner);
    var group = share.group;
    group.idle.put(share.owner.name(), share);
    group.busy--;
    if (group.busy == 0) {
      groups.remove(group.name);
      idleGroups.put(group.name, group);
      forgetEldest(idleGroups, IDLE_MAX);
    }
    int known = groups.size() + idleGroups.size();
    forgetEldest(group.idle, Math.max(1, Math.min(IDLE_MAX, IDLE_OWNERS_MAX / known)));
  }

  private static void forgetEldest(Map<?, ?> idle, int max) {
    var eldest = idle.keySet().iterator();
    for (int i = idle.size(); i > max; i--) {
      eldest.next();
      eldest.remove();
    }
  }

  /** Removes all pieces that wait. */
  List<T> clear() {
    charge();
    var items = new ArrayList<T>(size);
    for (var group : waiting) {
      for (var share : group.waiting) {
        items.addAll(share.items);
        share.items.clear();
        if (share.running == 0) {
          rest(share);
        }
      }
      group.waiting.clear();
    }
    waiting.clear();
    size = 0;
    return items;
  }

  /** Pieces that wait. */
  int size() {
    return size;
  }

  /** Owners with pieces that wait or are being worked on. */
  int owners() {
    return busy.size();
  }

  /** Owners that are remembered while they have nothing to do. */
  int idleOwners() {
    return groups.values().stream().mapToInt(group -> group.idle.size()).sum()
        + idleGroups.values().stream().mapToInt(group -> group.idle.size()).sum();
  }
}
