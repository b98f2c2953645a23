package skein.timers;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.Timer;

/**
 * The timers of each instance that are known, of each instance at most so many. Not thread-safe: it
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
    private final String definition;
    private final TreeSet<Timer> waiting = new TreeSet<>(DefinitionTurns.BY_DUE_TIME);

    /** Those that are being fired, too. */
    private int count;

    Part(String definition) {
      this.definition = definition;
    }
  }

  /**
   * A timer that was turned away.
   *
   * @param look the last one that had begun then
   */
  private record Barrier(Instant dueAt, int look) {}

  /** {@code max}: of one instance, waiting or being fired. */
  InstanceParts(int max) {
    this.max = max;
  }

  /** The definition of an instance of which timers are known; null: there are none. */
  @Nullable String definition(InstanceId instance) {
    var part = parts.get(instance);
    return part == null ? null : part.definition;
  }

  void add(Timer timer, String definition) {
    var part = parts.computeIfAbsent(timer.instanceId(), _ -> new Part(definition));
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
    return barrier != null
        && timer.dueAt().isAfter(barrier.dueAt())
        && !(looking && barrier.look() < look);
  }

  /**
   * A timer is turned away.
   *
   * @param seen when the timer was due for whose sake that happens; a look has seen all before it
   */
  void turnAway(Timer timer, Instant seen, boolean looking) {
    var before = barriers.get(timer.instanceId());
    var from = timer.dueAt();
    if (before != null && before.dueAt().isBefore(from)) {
      boolean passed = looking && before.look() < look && !before.dueAt().isAfter(seen);
      from = passed ? from : before.dueAt();
    }
    barriers.put(timer.instanceId(), new Barrier(from, look));
  }

  /** The index is looked through from its beginning. */
  void lookBegins() {
    look++;
  }

  /** The look has seen all that was due until then; those it turned away are barred on. */
  void lookEnds(Instant until) {
    barriers.values().removeIf(barrier -> barrier.look() < look && !barrier.dueAt().isAfter(until));
  }
}
