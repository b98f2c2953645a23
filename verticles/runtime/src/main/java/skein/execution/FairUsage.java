package skein.execution;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import skein.loop.Blocking.Owner;

/** What a group, or an owner in it, has used of the threads of a {@link FairQueue}. */
abstract class FairUsage {
  /** Nanoseconds, with those expected of what runs. */
  long used;

  /** The lowest is next among those that have used the same. */
  long turn;

  /** The one that has used the least comes first. */
  static <U extends FairUsage> NavigableSet<U> inTurn() {
    return new TreeSet<>(
        Comparator.<U>comparingLong(usage -> usage.used).thenComparingLong(usage -> usage.turn));
  }

  static final class Group<T> extends FairUsage {
    final String name;

    /** Owners with pieces that wait. */
    final NavigableSet<OwnerQueue<T>> waiting = inTurn();

    /** Owners with nothing to do, by name, the one that had its last piece first before others. */
    final Map<String, OwnerQueue<T>> idle = new LinkedHashMap<>();

    /** Owners with pieces that wait or are being worked on. */
    int busy;

    /** Pieces that are being worked on. */
    int running;

    /** What these used that {@code used} lacks, minus what was expected of them: not above zero. */
    long unexpected;

    /** What the owner that was next last had used. */
    long floor;

    Group(String name) {
      this.name = name;
    }
  }

  static final class OwnerQueue<T> extends FairUsage {
    final Owner owner;
    final Group<T> group;
    final ArrayDeque<T> items = new ArrayDeque<>();
    int running;

    /** Nanoseconds of the last two pieces; negative: there were none. */
    long last = -1;

    long previous = -1;

    OwnerQueue(Owner owner, Group<T> group) {
      this.owner = owner;
      this.group = group;
    }
  }
}
