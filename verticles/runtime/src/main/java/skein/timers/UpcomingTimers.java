package skein.timers;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import skein.loop.EventLoop;
import skein.model.Timer;
import skein.storage.DueTimer;
import skein.storage.TimerOwner;

/**
 * The timers that fall due soon, each once, and those being fired. Tenants take turns with their
 * due timers, and in each tenant its definitions; of a definition the earliest is next. Timers
 * whose definition is unknown count as those of one, of the default tenant unless another is known.
 * Confined to one event loop.
 *
 * <p>Bounded: it keeps the earliest, and of one instance so many that it does not crowd out the
 * others. What does not fit is found in the index again. Beside them it keeps some of tenants and
 * definitions that have few, which lie further ahead in the index.
 *
 * <p>Timers of one instance are taken in the order in which they are due, whatever does not fit:
 * none is kept while an earlier one of its instance that was turned away has not been found again.
 */
final class UpcomingTimers {
  private static final Duration ROW_DIGITS = Duration.ofNanos(1_000);

  /** The share of timers of definitions with few, beside the earliest. */
  private static final int AHEAD_PART = 4;

  private static final TimerOwner UNKNOWN = new TimerOwner("", "");

  private final EventLoop loop;
  private final int max;
  private final int aheadMax;

  /** The earliest. */
  private final TreeSet<Timer> waiting = new TreeSet<>(DefinitionTurns.BY_DUE_TIME);

  /** Further ones. */
  private final TreeSet<Timer> ahead = new TreeSet<>(DefinitionTurns.BY_DUE_TIME);

  /** How many of those each tenant has; none has 0. */
  private final Map<String, Integer> aheadOfTenants = new HashMap<>();

  /** All that wait. */
  private final DefinitionTurns turns = new DefinitionTurns();

  /** Waiting or being fired, by id. */
  private final Map<String, Timer> known = new HashMap<>();

  private final InstanceParts instances;
  private final TimerOwners owners = new TimerOwners();

  /** Fired while the index was being read, with when they were due: what was read may be older. */
  private final Map<String, Instant> fired = new HashMap<>();

  private int aside;
  private boolean isRead;
  private boolean crowded;

  /** Why a timer that lies ahead is kept or not. */
  enum Ahead {
    /** It is here, or has been fired. */
    KEPT,
    /** Its instance has as many as it may have. */
    INSTANCE_HAS_ENOUGH,
    DEFINITION_HAS_ENOUGH,
    TENANT_HAS_ENOUGH,
    FULL
  }

  /**
   * @param max that wait
   * @param instanceMax of one instance, waiting or being fired
   */
  UpcomingTimers(EventLoop loop, int max, int instanceMax) {
    this.loop = loop;
    this.max = max;
    this.instances = new InstanceParts(instanceMax);
    this.aheadMax = Math.max(1, max / AHEAD_PART);
  }

  /** Returns the timer for which there is no room, this one or a later one; null when none. */
  @Nullable Timer add(DueTimer due) {
    loop.check();
    return add(due, false);
  }

  /** The same of a timer that was found by the look that {@link #lookBegins began} last. */
  @Nullable Timer addLooking(DueTimer due) {
    loop.check();
    return add(due, true);
  }

  private @Nullable Timer add(DueTimer due, boolean looking) {
    var timer = due.timer();
    if (known.containsKey(timer.id()) || wasFired(timer)) {
      return null;
    }
    if (!fitsInstance(timer, looking)) {
      return null;
    }
    if (hasRoomFor(1)) {
      keep(due, waiting);
      return null;
    }
    if (waiting.isEmpty() || !timer.dueAt().isBefore(waiting.last().dueAt())) {
      dropLater(timer);
      return timer;
    }
    var last = waiting.last();
    dropLater(last);
    takeOut(last);
    drop(last);
    keep(due, waiting);
    return last;
  }

  /**
   * Drops the timers of an instance that wait and are due later than one that is not kept: they
   * must not be fired before it.
   */
  void dropLater(Timer timer) {
    loop.check();
    for (var later : instances.waitingAfter(timer)) {
      takeOut(later);
      drop(later);
    }
  }

  /**
   * Whether the timer may be kept, for the sake of other instances and of earlier ones of its own;
   * a later one of its instance makes room for it.
   */
  private boolean fitsInstance(Timer timer, boolean looking) {
    if (instances.isBarred(timer, looking)) {
      instances.keepOut(timer);
      crowded = true;
      return false;
    }
    if (!instances.isFull(timer.instanceId())) {
      return true;
    }
    crowded = true;
    var latest = instances.latestAfter(timer);
    instances.turnAway(latest == null ? timer : latest, timer.dueAt(), looking);
    if (latest != null) {
      takeOut(latest);
      drop(latest);
    }
    return latest != null;
  }

  /** The index is looked through from its beginning, in the order in which timers are due. */
  void lookBegins() {
    loop.check();
    instances.lookBegins();
  }

  /** All that is due until then has been seen, and was added as far as it fits. */
  void lookEnds(Instant until) {
    loop.check();
    instances.lookEnds(until);
  }

  /**
   * Keeps a timer that lies ahead of what was read on, if its definition and its tenant each have
   * less than an equal share of the room for them.
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
    var owner = owner(due);
    int share = shareAhead(owner.tenant());
    if (aheadOfTenants.getOrDefault(owner.tenant(), 0) >= share) {
      return Ahead.TENANT_HAS_ENOUGH;
    }
    int those = turns.sizeOf(owner);
    if (those > 0 && those > share / (turns.definitionsOf(owner.tenant()) + 1)) {
      return Ahead.DEFINITION_HAS_ENOUGH;
    }
    boolean enough =
        instances.isBarred(timer, false)
            || (instances.isFull(timer.instanceId()) && instances.latestAfter(timer) == null);
    if (enough || !fitsInstance(timer, false)) {
      return Ahead.INSTANCE_HAS_ENOUGH;
    }
    keep(due, ahead);
    aheadOfTenants.merge(owner.tenant(), 1, Integer::sum);
    return Ahead.KEPT;
  }

  /**
   * How many timers that lie ahead a tenant may have: an equal share, with one more for a tenant
   * that is not known yet. While there is only the default tenant, it may have all.
   */
  private int shareAhead(String tenant) {
    int others = turns.tenants() - (turns.definitionsOf(tenant) > 0 ? 1 : 0);
    return tenant.isEmpty() && others == 0
        ? aheadMax
        : Math.max(1, aheadMax / (turns.tenants() + 1));
  }

  /** A row has less digits than the nudge about it. */
  private boolean wasFired(Timer timer) {
    var at = fired.get(timer.id());
    return at != null && Duration.between(at, timer.dueAt()).abs().compareTo(ROW_DIGITS) < 0;
  }

  /** Timers of one instance stay together, so that they keep their order. */
  TimerOwner owner(DueTimer due) {
    loop.check();
    var timer = due.timer();
    var known = instances.owner(timer.instanceId());
    if (known != null) {
      return known;
    }
    return owners.of(due);
  }

  private void keep(DueTimer due, Set<Timer> where) {
    var timer = due.timer();
    var owner = owner(due);
    where.add(timer);
    turns.add(owner, timer);
    known.put(timer.id(), timer);
    instances.add(timer, owner);
  }

  private void drop(Timer timer) {
    known.remove(timer.id());
    instances.remove(timer);
  }

  /** It does not wait any more. */
  private void takeOut(Timer timer) {
    waiting.remove(timer);
    var owner = ownerOf(timer);
    if (ahead.remove(timer)) {
      aheadOfTenants.computeIfPresent(owner.tenant(), (_, count) -> count == 1 ? null : count - 1);
    }
    instances.take(timer);
    turns.remove(owner, timer);
  }

  /** Of a timer that is known. */
  TimerOwner ownerOf(Timer timer) {
    loop.check();
    var known = instances.owner(timer.instanceId());
    return known == null ? UNKNOWN : known;
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
   * The next timer due at that instant, of the tenant and the definition whose turn it is; it stays
   * known until {@link #forget}.
   */
  @Nullable Timer takeDue(Instant now) {
    loop.check();
    var next = turns.next(now);
    if (next != null) {
      takeOut(next);
      turns.goLast(ownerOf(next));
    }
    return next;
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
