package skein.timers;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import skein.loop.EventLoop;
import skein.model.InstanceId;
import skein.model.Timer;

/**
 * The timers that fall due soon, each once, and those being fired. Bounded: it keeps the earliest,
 * and of one instance so many that it does not crowd out the others. What does not fit is found in
 * the index again. Confined to one event loop.
 */
final class UpcomingTimers {
  private static final Duration ROW_DIGITS = Duration.ofNanos(1_000);

  private final EventLoop loop;
  private final int max;
  private final int instanceMax;
  private final TreeSet<Timer> waiting =
      new TreeSet<>(Comparator.comparing(Timer::dueAt).thenComparing(Timer::id));

  /** Waiting or being fired, by id. */
  private final Map<String, Timer> known = new HashMap<>();

  private final Map<InstanceId, Integer> ofInstance = new HashMap<>();

  /** Fired while the index was being read, with when they were due: what was read may be older. */
  private final Map<String, Instant> fired = new HashMap<>();

  private boolean isRead;
  private boolean crowded;

  /**
   * @param max that wait
   * @param instanceMax of one instance, waiting or being fired
   */
  UpcomingTimers(EventLoop loop, int max, int instanceMax) {
    this.loop = loop;
    this.max = max;
    this.instanceMax = instanceMax;
  }

  /** Returns the timer for which there is no room, this one or a later one; null when none. */
  @Nullable Timer add(Timer timer) {
    loop.check();
    if (known.containsKey(timer.id()) || wasFired(timer)) {
      return null;
    }
    if (ofInstance.getOrDefault(timer.instanceId(), 0) >= instanceMax) {
      crowded = true;
      return null;
    }
    if (waiting.size() < max) {
      keep(timer);
      return null;
    }
    var last = waiting.last();
    if (!timer.dueAt().isBefore(last.dueAt())) {
      return timer;
    }
    waiting.pollLast();
    drop(last);
    keep(timer);
    return last;
  }

  /** A row has less digits than the nudge about it. */
  private boolean wasFired(Timer timer) {
    var at = fired.get(timer.id());
    return at != null && Duration.between(at, timer.dueAt()).abs().compareTo(ROW_DIGITS) < 0;
  }

  private void keep(Timer timer) {
    waiting.add(timer);
    known.put(timer.id(), timer);
    ofInstance.merge(timer.instanceId(), 1, Integer::sum);
  }

  private void drop(Timer timer) {
    known.remove(timer.id());
    ofInstance.computeIfPresent(timer.instanceId(), (_, count) -> count == 1 ? null : count - 1);
  }

  boolean hasRoomFor(int more) {
    loop.check();
    return waiting.size() + more <= max;
  }

  /** Whether a timer was turned away since this was last asked, for the sake of other instances. */
  boolean wasCrowded() {
    loop.check();
    boolean was = crowded;
    crowded = false;
    return was;
  }

  /** The next timer due at that instant; it stays known until {@link #forget}. */
  @Nullable Timer takeDue(Instant now) {
    loop.check();
    return waiting.isEmpty() || waiting.first().dueAt().isAfter(now) ? null : waiting.pollFirst();
  }

  @Nullable Instant nextDue() {
    loop.check();
    return waiting.isEmpty() ? null : waiting.first().dueAt();
  }

  /** It was fired. */
  void forget(Timer timer) {
    loop.check();
    drop(timer);
    if (isRead) {
      fired.put(timer.id(), timer.dueAt());
    }
  }

  /** From here on what is read may be out of date. */
  void readBegins() {
    loop.check();
    isRead = true;
  }

  /** What was read has been added. */
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
