package skein.timers;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.messages.Command;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Timer;

/**
 * Fires what is due while this node leads. Reads the index every poll interval, page by page as far
 * as the horizon, and wakes at the next due instant in between. Of one event loop.
 */
final class Scheduler {
  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);
  private static final long WAKE_MILLIS_MAX = 1_000;

  private final Vertx vertx;
  private final TimersParts parts;
  private final BooleanSupplier leads;
  private final NearFuture near;
  private int inFlight;
  private long wakeTimer = -1;

  /** Tells one reign from the next: what an earlier one left running must not go on. */
  private int reign;

  Scheduler(Vertx vertx, TimersParts parts, BooleanSupplier leads) {
    this.vertx = vertx;
    this.parts = parts;
    this.leads = leads;
    this.near = new NearFuture(parts.options().batchMax() * 4);
  }

  void begin() {
    reign++;
    near.clear();
    poll(reign);
  }

  void end() {
    reign++;
    near.clear();
  }

  void nudged(List<Timer> timers) {
    timers.forEach(near::add);
    fireDue();
  }

  private void poll(int mine) {
    if (mine != reign) {
      return;
    }
    parts
        .clock()
        .synchronize()
        .compose(_ -> readPages(mine, Instant.EPOCH, ""))
        .onFailure(e -> log.atWarn().addKeyValue("cause", e.getMessage()).log("timers.not_read"))
        .onComplete(
            _ -> vertx.setTimer(parts.options().pollInterval().toMillis(), _ -> poll(mine)));
  }

  private Future<Void> readPages(int mine, Instant after, String afterId) {
    if (mine != reign || near.isFull()) {
      return Future.succeededFuture();
    }
    int max = parts.options().batchMax();
    return parts
        .timers()
        .due(parts.options().horizon(), after, afterId, max)
        .compose(page -> {
          if (mine != reign) {
            return Future.succeededFuture();
          }
          page.forEach(near::add);
          fireDue();
          if (page.size() < max) {
            return Future.succeededFuture();
          }
          var last = page.getLast();
          return readPages(mine, last.dueAt(), last.id());
        });
  }

  private void fireDue() {
    if (!leads.getAsBoolean()) {
      return;
    }
    var now = parts.clock().notAhead();
    while (inFlight < parts.options().inFlightMax()) {
      var timer = near.takeDue(now);
      if (timer == null) {
        break;
      }
      fire(timer);
    }
    wakeAtNext(now);
  }

  private void wakeAtNext(Instant now) {
    if (wakeTimer != -1) {
      vertx.cancelTimer(wakeTimer);
      wakeTimer = -1;
    }
    var next = near.nextDue();
    if (next == null || inFlight >= parts.options().inFlightMax()) {
      return; // The next poll or the end of a firing goes on.
    }
    long millis = Math.clamp(Duration.between(now, next).toMillis() + 1, 1, WAKE_MILLIS_MAX);
    wakeTimer =
        vertx.setTimer(
            millis,
            _ -> {
              wakeTimer = -1;
              fireDue();
            });
  }

  private void fire(Timer timer) {
    inFlight++;
    int mine = reign;
    parts
        .router()
        .send(new Command.Fire(timer))
        .recover(e -> failed(timer, e))
        .onComplete(_ -> {
          inFlight--;
          if (mine == reign) {
            near.forget(timer);
            fireDue();
          }
        });
  }

  /** The row is still there: it is tried again later, and others are not held up by it. */
  private <T> Future<T> failed(Timer timer, Throwable e) {
    var level = isPassing(e) ? log.atInfo() : log.atWarn();
    level
        .addKeyValue("timerId", timer.id())
        .addKeyValue("kind", timer.kind())
        .addKeyValue("cause", e.toString())
        .log("timer.not_fired");
    return parts
        .timers()
        .postpone(timer.id(), parts.options().retryDelay(), parts.options().retryDelayMax())
        .transform(_ -> Future.failedFuture(e));
  }

  private static boolean isPassing(Throwable e) {
    return e instanceof SkeinException refused
        && (refused.code() == ErrorCode.NOT_READY || refused.code() == ErrorCode.OVERLOADED);
  }
}
