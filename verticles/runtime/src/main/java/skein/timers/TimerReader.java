package skein.timers;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.loop.EventLoop;
import skein.model.Timer;
import skein.storage.TimerShard;

/**
 * Keeps the {@link UpcomingTimers} of a shard filled from the index, one page at a time. Confined
 * to one event loop.
 *
 * <p>It reads on from the cursor it has come to as soon as there is room for a page, as far as the
 * horizon. What comes to lie behind that cursor unseen, because a nudge was lost or nobody nudges,
 * is found by looking through what is due shortly, from the beginning, at every poll. When there is
 * no room for upcoming timers the cursor goes back. So whatever is in the index is known, lies
 * ahead of the cursor, or is found by one of the next looks.
 */
final class TimerReader {
  private static final Logger log = LoggerFactory.getLogger(TimerReader.class);

  /** Pages of one look behind; the next goes on where it ended. */
  private static final int LOOK_PAGES_MAX = 10;

  /** While there is plenty to fire, only one poll of so many looks behind. */
  private static final int LOOK_EVERY = 10;

  private final EventLoop loop;
  private final TimersDependencies dependencies;
  private final TimerShard shard;
  private final int batchMax;
  private final UpcomingTimers upcoming;
  private final Runnable added;

  private IndexCursor cursor = IndexCursor.BEGINNING;
  private boolean mayHaveMore;
  private IndexCursor looked = IndexCursor.BEGINNING;
  private int lookPages;
  private boolean lookedLast;
  private int polls;
  private boolean busy;
  private boolean ended;

  /** {@code added}: told after every page. */
  TimerReader(
      EventLoop loop,
      TimersDependencies dependencies,
      TimerShard shard,
      UpcomingTimers upcoming,
      Runnable added) {
    this.loop = loop;
    this.dependencies = dependencies;
    this.shard = shard;
    this.batchMax = dependencies.options().shardBatchMax();
    this.upcoming = upcoming;
    this.added = added;
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
    polls++;
    next();
  }

  /** Reads the next page if there is one to read and room for it. */
  void next() {
    loop.check();
    if (busy || ended) {
      return;
    }
    boolean ahead = mayHaveMore && upcoming.hasRoomFor(batchMax);
    boolean behind = lookPages > 0;
    if (behind && !(ahead && lookedLast)) {
      lookedLast = true;
      lookPages--;
      read(lookHorizon(), looked, this::lookedAt);
    } else if (ahead) {
      lookedLast = false;
      read(dependencies.options().reading().horizon(), cursor, this::readOn);
    }
  }

  private void read(Duration horizon, IndexCursor after, Consumer<List<Timer>> page) {
    busy = true;
    upcoming.readBegins();
    loop.bring(dependencies.timers().due(shard, horizon, after.dueAt(), after.id(), batchMax))
        .recover(e -> {
          log.atWarn().addKeyValue("cause", e.getMessage()).log("timers.not_read");
          return Future.failedFuture(e);
        })
        .onComplete(result -> {
          if (ended) {
            return;
          }
          busy = false;
          if (result.succeeded()) {
            int found = result.result().size();
            log.debug("Read {} timers of shard {} after {}", found, shard.number(), after.dueAt());
            page.accept(result.result());
          } else {
            mayHaveMore = false; // The next poll goes on.
            lookPages = 0;
          }
          upcoming.readEnds();
          added.run();
          next();
        });
  }

  private void readOn(List<Timer> timers) {
    mayHaveMore = timers.size() == batchMax;
    if (!timers.isEmpty()) {
      cursor = IndexCursor.of(timers.getLast());
    }
    timers.forEach(this::add);
  }

  /** What lies ahead of the cursor is left to reading on: it would be fired before its turn. */
  private void lookedAt(List<Timer> timers) {
    boolean ahead = false;
    for (var timer : timers) {
      ahead |= timer.dueAt().isAfter(cursor.dueAt());
      if (!ahead) {
        add(timer);
      }
    }
    if (ahead) {
      mayHaveMore = true;
    }
    if (ahead || timers.size() < batchMax) {
      looked = IndexCursor.BEGINNING;
      lookPages = 0;
    } else {
      looked = IndexCursor.of(timers.getLast());
    }
  }

  /** What is due later than the poll after the next is looked at later. */
  private Duration lookHorizon() {
    var horizon = dependencies.options().reading().horizon();
    var polls = dependencies.options().reading().pollInterval().multipliedBy(2);
    return polls.compareTo(horizon) < 0 ? polls : horizon;
  }

  /** Whatever has no room is ahead of the cursor from now on. */
  void add(Timer timer) {
    loop.check();
    var left = upcoming.add(timer);
    if (left != null) {
      cursor = cursor.orEarlier(IndexCursor.before(left));
      mayHaveMore = true;
    }
  }
}
