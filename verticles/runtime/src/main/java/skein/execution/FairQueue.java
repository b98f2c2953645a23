package skein.execution;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import skein.loop.Blocking.Owner;

/**
 * Work of many owners, in groups, for a few threads. The group whose work has held the threads for
 * the least time is next, and in it the owner of whom the same is true. So a piece of work waits
 * for about one piece of each other group, however many owners and pieces one of them brings.
 * Owners whose work takes long never have all threads at one time. A group with a bounded share has
 * no more of the time than that while others wait. Not thread-safe.
 *
 * @param <T> a piece of work
 */
final class FairQueue<T> {
  /** Owners, and groups, that are remembered while they have nothing to do. */
  static final int IDLE_MAX = 1_000;

  /** Of the time, in percent: no bound. */
  static final int WHOLE = 100;

  private final int threads;
  private final int perOwnerMax;
  private final long longNanos;
  private final ToIntFunction<String> shareOf;
  private final Map<Owner, Share<T>> busy = new HashMap<>();
  private final Map<String, Group<T>> groups = new HashMap<>();
  private final NavigableSet<Group<T>> waiting = inTurn();
  private final Map<Owner, Share<T>> idle = bounded();
  private final Map<String, Group<T>> idleGroups = bounded();

  private int size;
  private int running;
  private int longRunning;
  private long turns;

  /** What the group that was next last had used: a group that comes back has used no less. */
  private long floor;

  /**
   * @param threads pieces that may be taken at one time
   * @param perOwnerMax pieces of one owner that wait
   * @param longNanos work is long when the last two pieces of its owner both took more
   */
  FairQueue(int threads, int perOwnerMax, long longNanos) {
    this(threads, perOwnerMax, longNanos, _ -> WHOLE);
  }

  /**
   * {@code shareOf}: of the time, in percent from 1 to {@link #WHOLE}, that a group has at most
   * while others wait.
   */
  FairQueue(int threads, int perOwnerMax, long longNanos, ToIntFunction<String> shareOf) {
    this.threads = threads;
    this.perOwnerMax = perOwnerMax;
    this.longNanos = longNanos;
    this.shareOf = shareOf;
  }

  private static <K, V> Map<K, V> bounded() {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > IDLE_MAX;
      }
    };
  }

  private static <U extends Usage> NavigableSet<U> inTurn() {
    return new TreeSet<>(
        Comparator.<U>comparingLong(usage -> usage.used).thenComparingLong(usage -> usage.turn));
  }

  private abstract static class Usage {
    /** Nanoseconds, with those expected of what runs. */
    long used;

    long turn;
  }

  private static final class Group<T> extends Usage {
    final String name;

    /** Owners with pieces that wait. */
    final NavigableSet<Share<T>> waiting = inTurn();

    /** Owners with pieces that wait or are being worked on. */
    int busy;

    /** Pieces that are being worked on. */
    int running;

    /** What the owner that was next last had used. */
    long floor;

    Group(String name) {
      this.name = name;
    }
  }

  private static final class Share<T> extends Usage {
    final Owner owner;
    final Group<T> group;
    final ArrayDeque<T> items = new ArrayDeque<>();
    int running;

    /** Nanoseconds of the last two pieces; negative: there were none. */
    long last = -1;

    long previous = -1;

    Share(Owner owner, Group<T> group) {
      this.owner = owner;
      this.group = group;
    }
  }

  /**
   * A piece that is being worked on; {@link #done} must be told of its end.
   *
   * @param charged nanoseconds that its owner is expected to use
   * @param groupCharged the same of the group, more where its share is bounded
   */
  record Turn<T>(T item, Owner owner, long charged, long groupCharged, boolean isLong) {}

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

  private Share<T> awake(Owner owner) {
    var group = groups.computeIfAbsent(owner.group(), this::awakeGroup);
    group.busy++;
    var known = idle.remove(owner);
    var share = new Share<>(owner, group);
    if (known != null) {
      share.used = known.used;
      share.last = known.last;
      share.previous = known.previous;
    }
    share.used = Math.max(share.used, group.floor);
    busy.put(owner, share);
    return share;
  }

  private Group<T> awakeGroup(String name) {
    var known = idleGroups.remove(name);
    var group = known == null ? new Group<T>(name) : known;
    group.used = Math.max(group.used, floor);
    return group;
  }

  private void enqueue(Share<T> share) {
    share.turn = ++turns;
    var group = share.group;
    if (group.waiting.isEmpty()) {
      group.turn = turns;
      group.waiting.add(share);
      waiting.add(group);
    } else {
      group.waiting.add(share);
    }
  }

  /** Null when nothing may be begun before something else has ended. */
  @Nullable Turn<T> next() {
    if (running >= threads) {
      return null;
    }
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
  private boolean mayBeLong(Share<T> share) {
    return share.previous < 0 || Math.min(share.last, share.previous) > longNanos;
  }

  /**
   * An owner of whom little is known is tried with one piece at a time, also on the last thread;
   * there it does not go before a group that has used less and has nothing under way.
   */
  private static boolean isFirst(Share<?> share) {
    return share.previous < 0 && share.running == 0;
  }

  private Turn<T> begin(Share<T> share, boolean isLong) {
    var group = share.group;
    waiting.remove(group);
    group.waiting.remove(share);
    floor = Math.max(floor, group.used);
    group.floor = Math.max(group.floor, share.used);
    long charged = Math.max(0, share.last);
    long groupCharged = charge(group, charged);
    var turn = new Turn<>(share.items.remove(), share.owner, charged, groupCharged, isLong);
    group.used += groupCharged;
    share.used += charged;
    share.running++;
    group.running++;
    running++;
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

  /** {@code nanos}: for how long the piece held its thread. */
  void done(Turn<T> turn, long nanos) {
    var share = busy.get(turn.owner());
    if (share == null || share.running == 0) {
      throw new IllegalStateException("Nothing of " + turn.owner() + " was under way");
    }
    var group = share.group;
    // Both may have another place among those that wait now.
    boolean groupWaits = waiting.remove(group);
    boolean shareWaits = group.waiting.remove(share);
    share.used += nanos - turn.charged();
    group.used += charge(group, nanos) - turn.groupCharged();
    share.previous = share.last;
    share.last = nanos;
    share.running--;
    group.running--;
    running--;
    longRunning -= turn.isLong() ? 1 : 0;
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
   * What a group is charged for so much time; it must not be among those that wait. Groups get time
   * in inverse proportion to their charges, so beside {@code n} others a group has its share when
   * it is charged {@code (100 - share) / (share * n)} times as much as they are.
   */
  private long charge(Group<T> group, long nanos) {
    long others = waiting.size();
    long share = shareOf.applyAsInt(group.name);
    return share * (others + 1) >= WHOLE || others == 0
        ? nanos
        : nanos * (WHOLE - share) / (share * others);
  }

  private void rest(Share<T> share) {
    busy.remove(share.owner);
    idle.put(share.owner, share);
    var group = share.group;
    group.busy--;
    if (group.busy == 0) {
      groups.remove(group.name);
      idleGroups.put(group.name, group);
    }
  }

  /** Pieces that wait. */
  int size() {
    return size;
  }

  /** Owners with pieces that wait or are being worked on. */
  int owners() {
    return busy.size();
  }
}
