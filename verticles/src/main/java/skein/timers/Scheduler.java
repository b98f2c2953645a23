package skein.timers;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.messages.Command;
import skein.metrics.SchedulerCounts;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Timer;

/**
 * Fires what is due while this node leads, the earliest first. {@link Reading} keeps the near
 * future filled; in between it wakes at the next due instant. Of one event loop.
 */
final class Scheduler {
  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);
  private static final long WAKE_MILLIS_MAX = 1_000;

  /** Pages that wait in memory. */
  private static final int PAGES = 4;

  /** One instance has at most such a part of what may be under way. */
  private static final int INSTANCE_PART = 10;

  /** Timers fired before others have their turn on the event loop. */
  private static final int TURN_MAX = 100;

  private final Vertx vertx;
  private final TimersParts parts;
  private final BooleanSupplier leads;
  private final SchedulerCounts counts;
  private final NearFuture near;
  private final Reading reading;
  private int inFlight;
  private boolean turnIsDue;
  private long wakeTimer = -1;
  private Instant wakeAt = Instant.MAX;

  /** Tells one reign from the next: what an earlier one left running must not go on. */
  private int reign;

  Scheduler(Vertx vertx, TimersParts parts, BooleanSupplier leads, SchedulerCounts counts) {
    this.vertx = vertx;
    this.parts = parts;
    this.leads = leads;
    this.counts = counts;
    var options = parts.options();
    this.near =
        new NearFuture(
            options.batchMax() * PAGES, Math.max(1, options.inFlightMax() / INSTANCE_PART));
    this.reading = new Reading(parts, near, this::fireDue);
  }

  void begin() {
    reign++;
    near.clear();
    reading.begin();
    poll(reign);
  }

  void end() {
    reign++;
    reading.end();
    near.clear();
  }

  void nudged(List<Timer> timers) {
    timers.forEach(reading::add);
    fireDue();
  }

  private void poll(int mine) {
    if (mine != reign) {
      return;
    }
    parts
        .clock()
        .synchronize()
        .onFailure(e -> log.atWarn().addKeyValue("cause", e.getMessage()).log("timers.not_read"))
        .onComplete(_ -> {
          if (mine == reign) {
            reading.poll();
            vertx.setTimer(untilNextPoll(), _ -> poll(mine));
          }
        });
  }

  /** Sooner when an instance has more than its part: the rest of it is only found by looking. */
  private long untilNextPoll() {
    long interval = parts.options().pollInterval().toMillis();
    return near.wasCrowded() ? Math.max(1, interval / 10) : interval;
  }

  private void fireDue() {
    if (!leads.getAsBoolean()) {
      return;
    }
    var now = parts.clock().notAhead();
    for (int fired = 0; inFlight < parts.options().inFlightMax(); fired++) {
      if (fired == TURN_MAX) {
        takeTurn();
        break;
      }
      var timer = near.takeDue(now);
      if (timer == null) {
        wakeAt(now, near.nextDue());
        break;
      }
      counts.fired(timer.dueAt(), now);
      fire(timer);
    }
    reading.next();
  }

  /** Many firings that end at once lead to one turn. */
  private void takeTurn() {
    if (turnIsDue) {
      return;
    }
    turnIsDue = true;
    vertx.runOnContext(_ -> {
      turnIsDue = false;
      fireDue();
    });
  }

  private void wakeAt(Instant now, @Nullable Instant next) {
    if (next == null || !next.isBefore(wakeAt)) {
      return;
    }
    vertx.cancelTimer(wakeTimer);
    long millis = Math.clamp(Duration.between(now, next).toMillis() + 1, 1, WAKE_MILLIS_MAX);
    wakeAt = next;
    wakeTimer =
        vertx.setTimer(
            millis,
            _ -> {
              wakeAt = Instant.MAX;
              fireDue();
            });
  }

  private void fire(Timer timer) {
    inFlight++;
    int mine = reign;
    parts
        .router()
        .send(new Command.Fire(timer))
        .onComplete(result -> {
          if (result.failed()) {
            failed(timer, result.cause(), mine);
          } else {
            ended(timer, mine);
          }
        });
  }

  private void ended(Timer timer, int mine) {
    inFlight--;
    if (mine == reign) {
      near.forget(timer);
      takeTurn();
    }
  }

  /** The row is still there: it is tried again later, and others are not held up by it. */
  private void failed(Timer timer, Throwable e, int mine) {
    counts.failed().increment();
    var level = isPassing(e) ? log.atInfo() : log.atWarn();
    level
        .addKeyValue("timerId", timer.id())
        .addKeyValue("kind", timer.kind())
        .addKeyValue("cause", e.toString())
        .log("timer.not_fired");
    parts
        .timers()
        .postpone(timer.id(), parts.options().retryDelay(), parts.options().retryDelayMax())
        .onComplete(_ -> ended(timer, mine));
  }

  private static boolean isPassing(Throwable e) {
    return e instanceof SkeinException refused
        && (refused.code() == ErrorCode.NOT_READY || refused.code() == ErrorCode.OVERLOADED);
  }
}
