package skein.timers;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.storage.TimerOwner;

/**
 * The known timers of each instance, at most {@code instanceMax} of one. Not thread-safe: it
 * belongs to the object that made it.
 *
 * <p>An instance keeps its earliest timers. Once one was turned away, no later one of its instance
 * is let in, so that they are fired in the order in which they are due: until a look through the
 * index, which sees all of them in that order, has begun after that and has passed the place.
 */
final class InstanceParts {
  private final int max;
  private final Map<InstanceId, Part> parts = new HashMap<>();
  private final Map<InstanceId, Barrier> barriers = new HashMap<>();
  private int look;

  private static final class Part {
    private final TimerOwner owner;
    private final TreeSet<Timer> waiting = new TreeSet<>(DefinitionTurns.BY_DUE_TIME);

    /** Those that are being fired, too. */
    private int count;

    Part(TimerOwner owner) {
      this.owner = owner;
    }
  }

  /**
   * Timers of one instance that were not let in.
   *
   * @param first when the first one is due, or before
   * @param last when the last one is due
   * @param look the last one that had begun when the first was turned away
   * @param unseen when the first one is due of those that were not let in since the present look
   *     began, which may not see them; null: there are none
   */
  private record Barrier(Instant first, Instant last, int look, @Nullable Instant unseen) {
    Barrier with(Instant dueAt) {
      boolean isFirst = unseen == null || dueAt.isBefore(unseen);
      return new Barrier(first, max(last, dueAt), look, isFirst ? dueAt : unseen);
    }

    /** The look has begun after the first was turned away, and has seen what is due until then. */
    @Nullable Barrier afterLook(int number, Instant until) {
      if (look >= number || first.isAfter(until)) {
        return this;
      }
      var rest = last.isAfter(until) ? until : null;
      var next = unseen == null || (rest != null && rest.isBefore(unseen)) ? rest : unseen;
      return next == null ? null : new Barrier(next, last, number, null);
    }

    static Instant max(Instant a, Instant b) {
      return a.isBefore(b) ? b : a;
    }
  }

  /** {@code max}: of one instance, waiting or being fired. */
  InstanceParts(int max) {
    this.max = max;
  }

  /** The owner of an instance of which timers are known; null: there are none. */
  @Nullable TimerOwner owner(InstanceId instance) {
    var part = parts.get(instance);
    return part == null ? null : part.owner;
  }

  void add(Timer timer, TimerOwner owner) {
    var part = parts.computeIfAbsent(timer.instanceId(), _ -> new Part(owner));
    part.waiting.add(timer);
    part.count++;
  }

  /** It is being fired. */
  void take(Timer timer) {
    var part = parts.get(timer.instanceId());
    if (part != null) {
      part.waiting.remove(timer);
    }
  }

  void remove(Timer timer) {
    var part = parts.get(timer.instanceId());
    if (part != null) {
      part.waiting.remove(timer);
      part.count--;
      if (part.count == 0) {
        parts.remove(timer.instanceId());
      }
    }
  }

  boolean isFull(InstanceId instance) {
    var part = parts.get(instance);
    return part != null && part.count >= max;
  }

  /** The latest one that waits, if it is due after that timer of its instance. */
  @Nullable Timer latestAfter(Timer timer) {
    var later = waitingAfter(timer);
    return later.isEmpty() ? null : later.getLast();
  }

  /** Those of its instance that wait and are due after it, in that order. */
  List<Timer> waitingAfter(Timer timer) {
    var part = parts.get(timer.instanceId());
    return part == null ? List.of() : List.copyOf(part.waiting.tailSet(timer, false));
  }

  /**
   * Whether an earlier timer of its instance was turned away, and may not be fired yet.
   *
   * @param looking it was found by the look that has begun last
   */
  boolean isBarred(Timer timer, boolean looking) {
    var barrier = barriers.get(timer.instanceId());
    if (barrier == null) {
      return false;
    }
    var from = looking && barrier.look() < look ? barrier.unseen() : barrier.first();
    return from != null && timer.dueAt().isAfter(from);
  }

  /** A timer that is barred is not let in, and the look that is under way may not see it. */
  void keepOut(Timer timer) {
    barriers.computeIfPresent(timer.instanceId(), (_, barrier) -> barrier.with(timer.dueAt()));
  }

  /**
   * A timer is turned away.
   *
   * @param seen when the timer was due for whose sake that happens; a look has seen all before it
   */
  void turnAway(Timer timer, Instant seen, boolean looking) {
    var before = barriers.get(timer.instanceId());
    var from = timer.dueAt();
    var last = timer.dueAt();
    if (before != null) {
      boolean passed = looking && before.look() < look && !before.first().isAfter(seen);
      var first = passed ? before.unseen() : before.first();
      from = first != null && first.isBefore(from) ? first : from;
      last = Barrier.max(before.last(), last);
    }
    barriers.put(timer.instanceId(), new Barrier(from, last, look, null));
  }

  /** The index is looked through from its beginning. */
  void lookBegins() {
    look++;
    barriers.replaceAll(
        (_, barrier) -> new Barrier(barrier.first(), barrier.last(), barrier.look(), null));
  }

  /**
   * The look has seen all that was due until then and was there when it began; those it turned away
   * are barred on.
   */
  void lookEnds(Instant until) {
    for (var instance : List.copyOf(barriers.keySet())) {
      barriers.computeIfPresent(instance, (_, barrier) -> barrier.afterLook(look, until));
    }
  }
}
