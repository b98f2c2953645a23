package skein.execution;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Work of many owners for a few threads. The owner whose work has held the threads for the least
 * time is next, so that none waits for longer than about one piece of work of each other owner,
 * however much one of them brings. Owners whose work takes long never have all threads at one time.
 * Not thread-safe.
 *
 * @param <T> a piece of work
 */
final class FairQueue<T> {
  /** Owners that are remembered while they have nothing to do. */
  static final int IDLE_MAX = 1_000;

  private final int threads;
  private final int perOwnerMax;
  private final long longNanos;
  private final Map<String, Share<T>> busy = new HashMap<>();
  private final NavigableSet<Share<T>> waiting =
      new TreeSet<>(
          Comparator.<Share<T>>comparingLong(share -> share.used)
              .thenComparingLong(share -> share.turn));
  private final Map<String, Share<T>> idle =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Share<T>> eldest) {
          return size() > IDLE_MAX;
        }
      };

  private int size;
  private int running;
  private int longRunning;
  private long turns;

  /**
   * The use of the owner that was next last: an owner that comes back counts as having used no
   * less.
   */
  private long floor;

  /**
   * @param threads pieces that may be taken at one time
   * @param perOwnerMax pieces of one owner that wait
   * @param longNanos work is long when the last two pieces of its owner both took more
   */
  FairQueue(int threads, int perOwnerMax, long longNanos) {
    this.threads = threads;
    this.perOwnerMax = perOwnerMax;
    this.longNanos = longNanos;
  }

  private static final class Share<T> {
    final String owner;
    final ArrayDeque<T> items = new ArrayDeque<>();
    int running;

    /** Nanoseconds, with those expected of what runs. */
    long used;

    /** Nanoseconds of the last two pieces; negative: there were none. */
    long last = -1;

    long previous = -1;
    long turn;

    Share(String owner) {
      this.owner = owner;
    }
  }

  /** A piece that is being worked on; {@link #done} must be called at its end. */
  record Turn<T>(T item, String owner, long charged, boolean isLong) {}

  /** Whether there was room. */
  boolean add(String owner, T item) {
    var share = busy.computeIfAbsent(owner, this::awake);
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

  private Share<T> awake(String owner) {
    var known = idle.remove(owner);
    var share = known == null ? new Share<T>(owner) : known;
    share.used = Math.max(share.used, floor);
    return share;
  }

  private void enqueue(Share<T> share) {
    share.turn = ++turns;
    waiting.add(share);
  }

  /** Null when nothing may be begun before something else has ended. */
  @Nullable Turn<T> next() {
    if (running >= threads) {
      return null;
    }
    for (var share : waiting) {
      if (longRunning < threads - 1 || threads == 1 || !mayBeLong(share) || isFirst(share)) {
        return begin(share, mayBeLong(share));
      }
    }
    return null;
  }

  /** The first piece of all takes longer than those that follow, so two must have been long. */
  private boolean mayBeLong(Share<T> share) {
    return share.previous < 0 || Math.min(share.last, share.previous) > longNanos;
  }

  /** An owner about which little is known is tried with one piece at a time. */
  private static boolean isFirst(Share<?> share) {
    return share.previous < 0 && share.running == 0;
  }

  private Turn<T> begin(Share<T> share, boolean isLong) {
    waiting.remove(share);
    floor = Math.max(floor, share.used);
    long charged = Math.max(0, share.last);
    var turn = new Turn<>(share.items.remove(), share.owner, charged, isLong);
    share.used += charged;
    share.running++;
    running++;
    longRunning += isLong ? 1 : 0;
    size--;
    if (!share.items.isEmpty()) {
      enqueue(share);
    }
    return turn;
  }

  /** {@code nanos}: for how long the piece held its thread. */
  void done(Turn<T> turn, long nanos) {
    var share = busy.get(turn.owner());
    if (share == null || share.running == 0) {
      throw new IllegalStateException("Nothing of " + turn.owner() + " was under way");
    }
    boolean isWaiting = waiting.remove(share); // It may have another place among them now.
    share.used += nanos - turn.charged();
    share.previous = share.last;
    share.last = nanos;
    share.running--;
    running--;
    longRunning -= turn.isLong() ? 1 : 0;
    if (isWaiting) {
      waiting.add(share);
    } else if (share.running == 0) {
      busy.remove(share.owner);
      idle.put(share.owner, share);
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
