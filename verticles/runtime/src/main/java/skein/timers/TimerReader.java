package skein.timers;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.loop.EventLoop;
import skein.model.Timer;
import skein.storage.DeferredPayload;
import skein.storage.DueTimer;
import skein.storage.TimerShard;

/**
 * Keeps the {@link UpcomingTimers} of a shard filled from the index, one page at a time. Confined
 * to one event loop.
 *
 * <p>It reads on from the cursor it has come to as soon as there is room for a page, as far as the
 * horizon. A timer that ends up behind that cursor unseen, because of a lost or missing nudge, is
 * found by looking through what is due shortly, from the beginning, at every poll. When there is no
 * room for upcoming timers the cursor goes back. So whatever is in the index is known, lies ahead
 * of the cursor, or is found by one of the next looks.
 *
 * <p>While the cursor is late, because more is due than there is room for, it also looks ahead of
 * the cursor, through all that is due, for timers of definitions that have few. The cursor does not
 * move by that: what is not kept then is read when its turn comes.
 */
final class TimerReader {
  private static final Logger log = LoggerFactory.getLogger(TimerReader.class);

  /** Pages of one look behind or ahead; the next continues where it ended. */
  private static final int LOOK_PAGES_MAX = 10;

  /** While there is plenty to fire, only one poll of so many looks behind. */
  private static final int LOOK_EVERY = 10;

  private final EventLoop loop;
  private final TimersDependencies dependencies;
  private final TimerShard shard;
  private final int batchMax;

  /** The size of a page that is read ahead of the cursor, and of which little is kept. */
  private final int aheadMax;

  private final UpcomingTimers upcoming;
  private final AnnouncedTimers announced;
  private final Runnable pageAdded;

  private IndexCursor cursor = IndexCursor.BEGINNING;
  private boolean mayHaveMore;

  /** The index may have more ahead of the cursor; before it is read for the first time it may. */
  private boolean hasMore = true;

  /** Until then all that was in the index has been read, unless it {@link #hasMore}. */
  private Instant readUntil = Instant.MIN;

  private IndexCursor looked = IndexCursor.BEGINNING;
  private int lookPages;
  private boolean lookedLast;

  /** Until when timers are due that the look behind sees. */
  private Instant lookUntil = Instant.MIN;

  /** How far it has looked ahead of the cursor; null: it begins at the cursor. */
  private @Nullable IndexCursor lookedAhead;

  private int aheadPages;

  /**
   * Tenants, definitions and instances of which a timer ahead was not kept, so that no later one
   * is.
   */
  private final Set<Object> passedBy = new HashSet<>();

  private int polls;
  private boolean busy;

  /** What is being read lies ahead of the cursor. */
  private boolean readsAhead;

  private boolean ended;

  /** {@code pageAdded}: called after every page. */
  TimerReader(
      EventLoop loop,
      TimersDependencies dependencies,
      TimerShard shard,
      UpcomingTimers upcoming,
      Runnable pageAdded) {
    this.loop = loop;
    this.dependencies = dependencies;
    this.shard = shard;
    this.batchMax = dependencies.options().shardBatchMax();
    this.aheadMax = dependencies.options().reading().batchMax();
    this.upcoming = upcoming;
    this.announced = new AnnouncedTimers(batchMax);
    this.pageAdded = pageAdded;
  }

  /** For good: what is being read is not added any more. */
  void end() {
    loop.check();
    ended = true;
  }

  /** It is time to look: the horizon has moved, and something may lie behind. */
  void poll() {
    loop.check();
    mayHaveMore = true;
    if (upcoming.hasRoomFor(batchMax * 2) || polls % LOOK_EVERY == 0) {
      lookPages = LOOK_PAGES_MAX;
    }
    aheadPages = LOOK_PAGES_MAX;
    polls++;
    next();
  }

  /** Reads the next page if there is one to read and room for it. */
  void next() {
    loop.check();
    if (busy || ended) {
      return;
    }
    boolean on = mayHaveMore && upcoming.hasRoomFor(batchMax);
    boolean behind = lookPages > 0;
    if (behind && !(on && lookedLast)) {
      lookedLast = true;
      lookPages--;
      if (looked.equals(IndexCursor.BEGINNING)) {
        upcoming.lookBegins();
      }
      lookUntil = dependencies.clock().notAhead().plus(lookHorizon());
      read(lookHorizon(), looked, batchMax, this::lookedAt);
    } else if (on) {
      lookedLast = false;
      readsAhead = true;
      var horizon = dependencies.options().reading().horizon();
      var until = dependencies.clock().notAhead().plus(horizon);
      read(horizon, cursor, batchMax, due -> readOn(due, until));
    } else if (aheadPages > 0 && isLate()) {
      aheadPages--;
      readsAhead = true;
      read(Duration.ZERO, beginAhead(), aheadMax, this::lookedAheadAt);
    }
  }

  /** Whether more is due than there is room for. */
  private boolean isLate() {
    return hasMore && cursor.dueAt().isBefore(dependencies.clock().notAhead());
  }

  private void read(Duration horizon, IndexCursor after, int max, Consumer<List<DueTimer>> page) {
    busy = true;
    upcoming.readBegins();
    loop.bring(page(horizon, after, max))
        .recover(e -> {
          log.atWarn().addKeyValue("cause", e.getMessage()).log("timers.not_read");
          return Future.failedFuture(e);
        })
        .onComplete(result -> {
          if (ended) {
            return;
          }
          readsAhead = false;
          busy = false;
          if (result.succeeded()) {
            int found = result.result().size();
            log.debug("Read {} timers of shard {} after {}", found, shard.number(), after.dueAt());
            page.accept(result.result());
            addAnnounced();
          } else {
            addAnnounced();
            mayHaveMore = false; // The next poll continues.
            lookPages = 0;
            aheadPages = 0;
          }
          upcoming.readEnds();
          pageAdded.run();
          next();
        });
  }

  /** Definitions matter where more than a page may wait; before the first one this is unknown. */
  private Future<List<DueTimer>> page(Duration horizon, IndexCursor after, int max) {
    var timers = dependencies.timers();
    return hasMore || polls <= 1
        ? timers.dueWithDefinitions(shard, horizon, after.dueAt(), after.id(), max)
        : timers
            .due(shard, horizon, after.dueAt(), after.id(), max)
            .map(due -> due.stream().map(timer -> new DueTimer(timer, null)).toList());
  }

  /** {@code until}: the page may have what is due until then. */
  private void readOn(List<DueTimer> due, Instant until) {
    mayHaveMore = due.size() == batchMax;
    hasMore = mayHaveMore;
    readUntil = until;
    if (!due.isEmpty()) {
      cursor = IndexCursor.of(due.getLast().timer());
    }
    for (var timer : due) {
      if (announced.isReadAgain(timer.timer())) {
        upcoming.dropLater(timer.timer());
      } else {
        add(timer);
      }
    }
  }

  /**
   * Adds what was announced while a page was being read, before any timer of that page is fired. It
   * may lie behind the cursor now, and later ones of its instance may be in the page.
   */
  private void addAnnounced() {
    added(announced.takeLeft());
    announced.takeAll().forEach(this::told);
  }

  /** Timers ahead of the cursor are left to reading on: they would be fired before their turn. */
  private void lookedAt(List<DueTimer> due) {
    boolean ahead = false;
    for (var timer : due) {
      ahead |= timer.timer().dueAt().isAfter(cursor.dueAt());
      if (!ahead) {
        added(upcoming.addLooking(timer));
      }
    }
    if (ahead) {
      mayHaveMore = true;
    }
    if (ahead || due.size() < batchMax) {
      upcoming.lookEnds(ahead ? cursor.dueAt() : lookUntil);
      looked = IndexCursor.BEGINNING;
      lookPages = 0;
    } else {
      looked = IndexCursor.of(due.getLast().timer());
    }
  }

  /** Timers that are due later than the poll after the next are checked later. */
  private Duration lookHorizon() {
    var horizon = dependencies.options().reading().horizon();
    var polls = dependencies.options().reading().pollInterval().multipliedBy(2);
    return polls.compareTo(horizon) < 0 ? polls : horizon;
  }

  private IndexCursor beginAhead() {
    if (lookedAhead == null || lookedAhead.dueAt().isBefore(cursor.dueAt())) {
      passedBy.clear();
      lookedAhead = cursor;
    }
    return lookedAhead;
  }

  private void lookedAheadAt(List<DueTimer> due) {
    for (var timer : due) {
      if (announced.isReadAgain(timer.timer()) || !pass(timer)) {
        aheadPages = 0; // Continues with this one at the next poll.
        return;
      }
      lookedAhead = IndexCursor.of(timer.timer());
    }
    if (due.size() < aheadMax) {
      lookedAhead = null;
      aheadPages = 0;
    }
  }

  /** Keeps the timer or passes it by; false: there is no room for any. */
  private boolean pass(DueTimer due) {
    var owner = upcoming.owner(due);
    var instance = due.timer().instanceId();
    if (passedBy.contains(owner.tenant())
        || passedBy.contains(owner)
        || passedBy.contains(instance)) {
      return true;
    }
    return switch (upcoming.addAhead(due)) {
      case KEPT -> true;
      case TENANT_HAS_ENOUGH -> passedBy.add(owner.tenant());
      case DEFINITION_HAS_ENOUGH -> passedBy.add(owner);
      case INSTANCE_HAS_ENOUGH -> passedBy.add(instance);
      case FULL -> false;
    };
  }

  /**
   * Adds a timer that was announced to this node, without a large payload. What lies ahead of the
   * cursor is left to reading while there may be more: older ones of its instance may lie before
   * it, and later ones must not be fired before it. While a page is being read which may pass it,
   * it waits for that page.
   */
  void told(Timer timer) {
    loop.check();
    boolean maybePassed = readsAhead && timer.dueAt().isAfter(readUntil);
    if (timer.dueAt().isAfter(cursor.dueAt()) && (hasMore || maybePassed)) {
      leaveToReading(timer);
      if (readsAhead) {
        announced.add(DeferredPayload.of(timer));
      }
    } else {
      add(new DueTimer(DeferredPayload.of(timer), TimerOwners.named(timer)));
    }
  }

  private void leaveToReading(Timer timer) {
    upcoming.dropLater(timer);
    if (lookedAhead != null && !timer.dueAt().isAfter(lookedAhead.dueAt())) {
      passedBy.add(timer.instanceId());
    }
  }

  private void add(DueTimer due) {
    added(upcoming.add(due));
  }

  /** Whatever has no room is ahead of the cursor from now on. */
  private void added(@Nullable Timer left) {
    if (left != null) {
      if (readsAhead) {
        announced.leave(left); // The page that is being read moves the cursor.
      }
      cursor = cursor.orEarlier(IndexCursor.before(left));
      mayHaveMore = true;
      hasMore = true;
    }
  }
}
