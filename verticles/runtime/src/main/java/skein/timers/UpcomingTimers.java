package skein.timers;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import skein.loop.EventLoop;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.storage.DueTimer;

/**
 * The timers that fall due soon, each once, and those being fired. Definitions take turns with
 * their due timers; of each the earliest is next. Timers whose definition is unknown count as those
 * of one. Confined to one event loop.
 *
 * <p>Bounded: it keeps the earliest, and of one instance so many that it does not crowd out the
 * others. What does not fit is found in the index again. Beside them it keeps some of definitions
 * that have few, which lie further ahead in the index.
 */
final class UpcomingTimers {
  private static final Duration ROW_DIGITS = Duration.ofNanos(1_000);

  /** The share of timers of definitions with few, beside the earliest. */
  private static final int AHEAD_PART = 4;

  private static final String UNKNOWN = "";
  private static final Comparator<Timer> BY_DUE_TIME =
      Comparator.comparing(Timer::dueAt).thenComparing(Timer::id);

  private final EventLoop loop;
  private final int max;
  private final int instanceMax;
  private final int aheadMax;

  /** The earliest. */
  private final TreeSet<Timer> waiting = new TreeSet<>(BY_DUE_TIME);

  /** Further ones. */
  private final TreeSet<Timer> ahead = new TreeSet<>(BY_DUE_TIME);

  /** All that wait, by definition; the next turn is the first one's that has a timer due. */
  private final LinkedHashMap<String, TreeSet<Timer>> turns = new LinkedHashMap<>();

  /** Waiting or being fired, by id. */
  private final Map<String, Timer> known = new HashMap<>();

  private final Map<InstanceId, OfInstance> ofInstance = new HashMap<>();

  /** Fired while the index was being read, with when they were due: what was read may be older. */
  private final Map<String, Instant> fired = new HashMap<>();

  private int aside;
  private boolean isRead;
  private boolean crowded;

  /** How many of an instance are known; they are in the order in which they are due. */
  private record OfInstance(int count, String definition) {}

  /** Why a timer that lies ahead is kept or not. */
  enum Ahead {
    /** It is here, or has been fired. */
    KEPT,
    /** Its instance has as many as it may have. */
    INSTANCE_HAS_ENOUGH,
    DEFINITION_HAS_ENOUGH,
    FULL
  }

  /**
   * @param max that wait
   * @param instanceMax of one instance, waiting or being fired
   */
  UpcomingTimers(EventLoop loop, int max, int instanceMax) {
    this.loop = loop;
    this.max = max;
    this.instanceMax = instanceMax;
    this.aheadMax = Math.max(1, max / AHEAD_PART);
  }

  /** Returns the timer for which there is no room, this one or a later one; null when none. */
  @Nullable Timer add(DueTimer due) {
    loop.check();
    var timer = due.timer();
    if (known.containsKey(timer.id()) || wasFired(timer)) {
      return null;
    }
    if (isCrowdedBy(timer.instanceId())) {
      crowded = true;
      return null;
    }
    if (hasRoomFor(1)) {
      keep(due, waiting);
      return null;
    }
    if (waiting.isEmpty() || !timer.dueAt().isBefore(waiting.last().dueAt())) {
      return timer;
    }
    var last = waiting.last();
    turnAway(last);
    keep(due, waiting);
    return last;
  }

  /** With those of its instance that are due later: they must not be fired before it. */
  private void turnAway(Timer timer) {
    takeOut(timer);
    drop(timer);
    if (ofInstance.containsKey(timer.instanceId())) {
      var later = ahead.stream().filter(a -> a.instanceId().equals(timer.instanceId())).toList();
      later.forEach(this::takeOut);
      later.forEach(this::drop);
    }
  }

  /**
   * Keeps a timer that lies ahead of what was read on, if its definition has less than an equal
   * share of the room for them.
   */
  Ahead addAhead(DueTimer due) {
    loop.check();
    var timer = due.timer();
    if (known.containsKey(timer.id()) || wasFired(timer)) {
      return Ahead.KEPT;
    }
    boolean full = waiting.size() + aside + ahead.size() >= max + aheadMax;
    if (full || ahead.size() >= aheadMax) {
      return Ahead.FULL;
    }
    var those = turns.get(definition(due));
    if (those != null && those.size() > aheadMax / (turns.size() + 1)) {
      return Ahead.DEFINITION_HAS_ENOUGH;
    }
    if (isCrowdedBy(timer.instanceId())) {
      return Ahead.INSTANCE_HAS_ENOUGH;
    }
    keep(due, ahead);
    return Ahead.KEPT;
  }

  private boolean isCrowdedBy(InstanceId instance) {
    var those = ofInstance.get(instance);
    return those != null && those.count() >= instanceMax;
  }

  /** A row has less digits than the nudge about it. */
  private boolean wasFired(Timer timer) {
    var at = fired.get(timer.id());
    return at != null && Duration.between(at, timer.dueAt()).abs().compareTo(ROW_DIGITS) < 0;
  }

  /** Timers of one instance stay together, so that they keep their order. */
  String definition(DueTimer due) {
    loop.check();
    var timer = due.timer();
    var those = ofInstance.get(timer.instanceId());
    if (those != null) {
      return those.definition();
    }
    if (due.definitionId() != null) {
      return due.definitionId();
    }
    return startsInstance(timer.kind())
            && timer.payload() instanceof Map<?, ?> json
            && json.get("definitionId") instanceof String id
        ? id
        : UNKNOWN;
  }

  private static boolean startsInstance(Timer.Kind kind) {
    return switch (kind) {
      case Child, Trigger, ScheduleStart -> true;
      case Bookmark, Start, Resume, Event, ChildDone, Alter, CancelChildren -> false;
      case Schedule, ScheduleDone, Cancel -> false;
    };
  }

  private void keep(DueTimer due, Set<Timer> where) {
    var timer = due.timer();
    var definition = definition(due);
    where.add(timer);
    turns.computeIfAbsent(definition, _ -> new TreeSet<>(BY_DUE_TIME)).add(timer);
    known.put(timer.id(), timer);
    ofInstance.compute(
        timer.instanceId(),
        (_, those) -> new OfInstance(those == null ? 1 : those.count() + 1, definition));
  }

  private void drop(Timer timer) {
    known.remove(timer.id());
    ofInstance.computeIfPresent(
        timer.instanceId(),
        (_, those) ->
            those.count() == 1 ? null : new OfInstance(those.count() - 1, those.definition()));
  }

  /** It does not wait any more. */
  private void takeOut(Timer timer) {
    waiting.remove(timer);
    ahead.remove(timer);
    var definition = definitionOf(timer);
    var turn = turns.get(definition);
    if (turn != null) {
      turn.remove(timer);
      if (turn.isEmpty()) {
        turns.remove(definition);
      }
    }
  }

  private String definitionOf(Timer timer) {
    var those = ofInstance.get(timer.instanceId());
    return those == null ? UNKNOWN : those.definition();
  }

  boolean hasRoomFor(int more) {
    loop.check();
    return waiting.size() + aside + more <= max;
  }

  /** So many that were taken wait for their payloads; they take room as those that wait here. */
  void setAside(int count) {
    loop.check();
    aside = count;
  }

  /** Whether a timer was turned away since this was last asked, for the sake of other instances. */
  boolean wasCrowded() {
    loop.check();
    boolean was = crowded;
    crowded = false;
    return was;
  }

  /**
   * The next timer due at that instant, of the definition whose turn it is; it stays known until
   * {@link #forget}.
   */
  @Nullable Timer takeDue(Instant now) {
    loop.check();
    for (var turn : turns.values()) {
      var first = turn.first();
      if (!first.dueAt().isAfter(now)) {
        takeOut(first);
        goLast(definitionOf(first));
        return first;
      }
    }
    return null;
  }

  private void goLast(String definition) {
    var turn = turns.remove(definition);
    if (turn != null) {
      turns.put(definition, turn);
    }
  }

  @Nullable Instant nextDue() {
    loop.check();
    var next = waiting.isEmpty() ? null : waiting.first().dueAt();
    var further = ahead.isEmpty() ? null : ahead.first().dueAt();
    return next == null || (further != null && further.isBefore(next)) ? further : next;
  }

  /** It was fired. */
  void forget(Timer timer) {
    loop.check();
    drop(timer);
    if (isRead) {
      fired.put(timer.id(), timer.dueAt());
    }
  }

  /** A read begins: its result may be out of date. */
  void readBegins() {
    loop.check();
    isRead = true;
  }

  /** Timers that were read have been added. */
  void readEnds() {
    loop.check();
    isRead = false;
    fired.clear();
  }

  /** How many wait or are being fired. */
  int size() {
    loop.check();
    return known.size();
  }

  /** When the first of those was due, or will be. */
  @Nullable Instant oldestDue() {
    loop.check();
    return known.values().stream().map(Timer::dueAt).min(Comparator.naturalOrder()).orElse(null);
  }
}
