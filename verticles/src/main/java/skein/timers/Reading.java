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
 * Keeps the near future of a shard filled from the index, one page at a time. Confined to one event
 * loop.
 *
 * <p>It reads on from the place it has come to as soon as there is room for a page, as far as the
 * horizon. What comes to lie behind that place unseen, because a nudge was lost or nobody nudges,
 * is found by looking through what is due shortly, from the beginning, at every poll. When the near
 * future has no room the place goes back. So whatever is in the index is known, lies ahead of the
 * place, or is found by one of the next looks.
 */
final class Reading {
  private static final Logger log = LoggerFactory.getLogger(Reading.class);

  /** Pages of one look behind; the next goes on where it ended. */
  private static final int LOOK_PAGES_MAX = 10;

  /** While there is plenty to fire, only one poll of so many looks behind. */
  private static final int LOOK_EVERY = 10;

  private final EventLoop loop;
  private final TimersParts parts;
  private final TimerShard shard;
  private final int batchMax;
  private final NearFuture near;
  private final Runnable added;

  private Place place = Place.BEGINNING;
  private boolean mayHaveMore;
  private Place looked = Place.BEGINNING;
  private int lookPages;
  private boolean lookedLast;
  private int polls;
  private boolean busy;
  private boolean ended;

  /** {@code added}: told after every page. */
  Reading(EventLoop loop, TimersParts parts, TimerShard shard, NearFuture near, Runnable added) {
    this.loop = loop;
    this.parts = parts;
    this.shard = shard;
    this.batchMax = parts.options().shardBatchMax();
    this.near = near;
    this.added = added;
  }

  /** For good: what is being read is not added any more. */
  void end() {
    ended = true;
  }

  /** It is time to look: the horizon has moved, and something may lie behind. */
  void poll() {
    mayHaveMore = true;
    if (near.hasRoomFor(batchMax * 2) || polls % LOOK_EVERY == 0) {
      lookPages = LOOK_PAGES_MAX;
    }
    polls++;
    next();
  }

  /** Reads the next page if there is one to read and room for it. */
  void next() {
    if (busy || ended) {
      return;
    }
    boolean ahead = mayHaveMore && near.hasRoomFor(batchMax);
    boolean behind = lookPages > 0;
    if (behind && !(ahead && lookedLast)) {
      lookedLast = true;
      lookPages--;
      read(lookHorizon(), looked, this::lookedAt);
    } else if (ahead) {
      lookedLast = false;
      read(parts.options().horizon(), place, this::readOn);
    }
  }

  private void read(Duration horizon, Place after, Consumer<List<Timer>> page) {
    busy = true;
    near.readBegins();
    loop.bring(parts.timers().due(shard, horizon, after.dueAt(), after.id(), batchMax))
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
          near.readEnds();
          added.run();
          next();
        });
  }

  private void readOn(List<Timer> timers) {
    mayHaveMore = timers.size() == batchMax;
    if (!timers.isEmpty()) {
      place = Place.of(timers.getLast());
    }
    timers.forEach(this::add);
  }

  /** What lies ahead of the place is left to the reading: it would be fired before its turn. */
  private void lookedAt(List<Timer> timers) {
    boolean ahead = false;
    for (var timer : timers) {
      ahead |= timer.dueAt().isAfter(place.dueAt());
      if (!ahead) {
        add(timer);
      }
    }
    if (ahead) {
      mayHaveMore = true;
    }
    if (ahead || timers.size() < batchMax) {
      looked = Place.BEGINNING;
      lookPages = 0;
    } else {
      looked = Place.of(timers.getLast());
    }
  }

  /** What is due later than the poll after the next is looked at later. */
  private Duration lookHorizon() {
    var horizon = parts.options().horizon();
    var polls = parts.options().pollInterval().multipliedBy(2);
    return polls.compareTo(horizon) < 0 ? polls : horizon;
  }

  /** Whatever has no room is ahead of the place from now on. */
  void add(Timer timer) {
    var left = near.add(timer);
    if (left != null) {
      place = place.orEarlier(Place.before(left));
      mayHaveMore = true;
    }
  }
}
