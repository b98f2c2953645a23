package skein.timers;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.bus.Refusals;
import skein.cluster.Cluster;
import skein.cluster.ThrottledLog;
import skein.loop.EventLoop;
import skein.loop.EventLoop.Cancellable;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.storage.TimerShard;

/**
 * Fires the due timers of one shard while this node leads it, the earliest first. {@link
 * TimerReader} keeps the upcoming timers filled; in between it wakes at the next due instant.
 * Confined to one event loop.
 */
final class Scheduler {
  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);
  private static final Duration WAKE_MIN = Duration.ofMillis(1);
  private static final Duration WAKE_MAX = Duration.ofSeconds(1);

  /** The database or the cluster does not answer, whatever it is asked. */
  private static final Set<ErrorCode> OUTAGES =
      EnumSet.of(
          ErrorCode.NOT_READY,
          ErrorCode.RUNTIME_PAUSED,
          ErrorCode.STORAGE_UNAVAILABLE,
          ErrorCode.OUTCOME_UNKNOWN);

  /** Pages that wait in memory. */
  private static final int PAGES = 4;

  /** One instance has at most such a part of what may be under way. */
  private static final int INSTANCE_PART = 10;

  /** Timers fired before others have their turn on the event loop. */
  private static final int TURN_MAX = 100;

  private final EventLoop loop;
  private final TimersDependencies dependencies;
  private final TimerShard shard;
  private final BooleanSupplier leads;
  private final Supplier<Future<Void>> clockRead;
  private int inFlightMax;
  private final UpcomingTimers upcoming;
  private final TimerReader reader;
  private final LargePayloads payloads;
  private int inFlight;
  private boolean turnIsDue;
  private Cancellable wake = Cancellable.NONE;
  private Instant wakeAt = Instant.MAX;

  /** Timers that newer nodes must fire fail here as often as they are due. */
  private final ThrottledLog leftToNewer;

  private boolean ended;

  /**
   * @param leads whether this node may fire, at this very moment
   * @param clockRead done when the database's clock has been read
   */
  Scheduler(
      EventLoop loop,
      TimersDependencies dependencies,
      TimerShard shard,
      BooleanSupplier leads,
      Supplier<Future<Void>> clockRead) {
    this.loop = loop;
    this.dependencies = dependencies;
    this.shard = shard;
    this.leads = leads;
    this.clockRead = clockRead;
    this.leftToNewer = new ThrottledLog(Duration.ofMinutes(1), loop::nanoTime);
    var options = dependencies.options();
    this.inFlightMax = options.shardInFlightMax(1);
    this.upcoming =
        new UpcomingTimers(
            loop, options.shardBatchMax() * PAGES, Math.max(1, inFlightMax / INSTANCE_PART));
    this.payloads = new LargePayloads(loop, options.shardPayloadBytesMax());
    this.reader = new TimerReader(loop, dependencies, shard, upcoming, this::fireDue);
  }

  void begin() {
    loop.check();
    poll();
  }

  /** For good; the next reign has a scheduler of its own. */
  void end() {
    loop.check();
    ended = true;
    reader.end();
    wake.cancel();
    dependencies.meter().ended(shard);
  }

  void nudged(List<Timer> timers) {
    loop.check();
    if (ended) {
      return;
    }
    timers.forEach(reader::told);
    fireDue();
  }

  private void poll() {
    if (ended) {
      return;
    }
    loop.bring(clockRead.get())
        .onFailure(e -> log.atWarn().addKeyValue("cause", e.getMessage()).log("timers.not_read"))
        .onComplete(_ -> {
          if (!ended) {
            measure();
            reader.poll();
            loop.schedule(untilNextPoll(), this::poll);
          }
        });
  }

  private void measure() {
    var members = dependencies.cluster().members();
    inFlightMax =
        dependencies
            .options()
            .shardInFlightMax((int) members.stream().filter(Cluster.Node::executes).count());
    var oldest = upcoming.oldestDue();
    var lag =
        oldest == null ? Duration.ZERO : Duration.between(oldest, dependencies.clock().notAhead());
    dependencies
        .meter()
        .stands(
            shard,
            new SchedulerMeter.Load(
                upcoming.size(), inFlight, lag.isNegative() ? Duration.ZERO : lag));
  }

  /** Sooner when an instance has more than its part: the rest of it is only found by looking. */
  private Duration untilNextPoll() {
    var interval = dependencies.options().reading().pollInterval();
    return upcoming.wasCrowded() ? atLeast(WAKE_MIN, interval.dividedBy(10)) : interval;
  }

  private static Duration atLeast(Duration least, Duration duration) {
    return duration.compareTo(least) < 0 ? least : duration;
  }

  private void fireDue() {
    if (ended || !leads.getAsBoolean()) {
      return;
    }
    var now = dependencies.clock().notAhead();
    for (int fired = 0; inFlight < inFlightMax && leads.getAsBoolean(); fired++) {
      if (fired == TURN_MAX) {
        takeTurn();
        break;
      }
      if (!fireNext(now)) {
        wakeAt(now, upcoming.nextDue());
        break;
      }
    }
    upcoming.setAside(payloads.size());
    reader.next();
  }

  /** False: nothing is due that can be fired now. */
  private boolean fireNext(Instant now) {
    var large = payloads.nextToRead();
    if (large != null) {
      begin(large, now);
      read(large);
      return true;
    }
    var ready = payloads.nextReady();
    if (ready != null) {
      begin(ready, now);
      fire(ready, ready);
      return true;
    }
    var timer = upcoming.takeDue(now);
    if (timer == null) {
      return false;
    }
    if (payloads.mustWait(timer)) {
      payloads.add(timer);
    } else {
      begin(timer, now);
      fire(timer, timer);
    }
    return true;
  }

  /** Many firings that end at once lead to one turn. */
  private void takeTurn() {
    if (turnIsDue) {
      return;
    }
    turnIsDue = true;
    loop.execute(() -> {
      turnIsDue = false;
      fireDue();
    });
  }

  private void wakeAt(Instant now, @Nullable Instant next) {
    if (next == null || !next.isBefore(wakeAt)) {
      return;
    }
    wake.cancel();
    wakeAt = next;
    wake =
        loop.schedule(
            untilWake(Duration.between(now, next)),
            () -> {
              wakeAt = Instant.MAX;
              fireDue();
            });
  }

  /** A millisecond later, since that is how exact a loop's delays are. */
  private static Duration untilWake(Duration left) {
    var due = atLeast(WAKE_MIN, left.plus(WAKE_MIN));
    return due.compareTo(WAKE_MAX) > 0 ? WAKE_MAX : due;
  }

  private void begin(Timer timer, Instant now) {
    inFlight++;
    if (Duration.between(timer.dueAt(), now).compareTo(dependencies.options().misfireAfter()) > 0) {
      dependencies.meter().misfired();
    }
  }

  /** Whether this node still leads is asked again: reading takes time. */
  private void read(Timer timer) {
    loop.bring(dependencies.timers().whole(timer))
        .onComplete(result -> {
          var whole = result.succeeded() ? result.result() : null;
          if (ended || !leads.getAsBoolean()) {
            giveUp(timer);
          } else if (whole == null || whole.dueAt().isAfter(dependencies.clock().notAhead())) {
            payloads.wasNotRead(timer, false);
            if (result.failed()) {
              failed(timer, result.cause());
            } else {
              over(timer); // It is gone, or was postponed.
            }
          } else {
            payloads.wasRead(whole);
            fire(timer, whole);
            takeTurn();
          }
        });
  }

  /** With those of its instance behind it, which keep their order when they are found again. */
  private void giveUp(Timer timer) {
    payloads.wasNotRead(timer, true).forEach(upcoming::forget);
    over(timer);
  }

  /** {@code whole}: the same timer with its payload. */
  private void fire(Timer timer, Timer whole) {
    loop.bring(send(whole))
        .onComplete(result -> {
          if (result.failed()) {
            failed(timer, result.cause());
          } else {
            dependencies.meter().fired();
            log.debug("Fired timer {} ({}), due at {}", timer.id(), timer.kind(), timer.dueAt());
            over(timer);
          }
        });
  }

  /** A payload that cannot be decrypted fails as a failed execution does. */
  private Future<Reply> send(Timer timer) {
    try {
      var opened = dependencies.timers().opened(timer);
      return dependencies.router().send(new Command.Fire(opened));
    } catch (SkeinException e) {
      return Future.failedFuture(e);
    }
  }

  private void over(Timer timer) {
    inFlight--;
    payloads.over(timer);
    upcoming.forget(timer);
    takeTurn();
  }

  /**
   * The row is still there: it is tried again later, and others are not held up by it. By the next
   * leader at once, if this one has failed because it is cut off.
   */
  private void failed(Timer timer, Throwable e) {
    dependencies.meter().failed();
    if (e instanceof SkeinException refused && refused.code() == ErrorCode.NEWER_FORMAT) {
      leftToNewer.happened(times ->
          log.atWarn()
              .addKeyValue("timerId", timer.id())
              .addKeyValue("times", times)
              .log("timer.left_to_newer"));
    } else {
      boolean passing = e instanceof SkeinException refused && refused.code().isTransient();
      var level = passing ? log.atInfo() : log.atWarn();
      level
          .addKeyValue("timerId", timer.id())
          .addKeyValue("kind", timer.kind())
          .addKeyValue("cause", e.toString())
          .log("timer.not_fired");
    }
    if (ended || !leads.getAsBoolean()) {
      over(timer);
      return;
    }
    loop.bring(backOff(timer, e)).onComplete(_ -> over(timer));
  }

  private Future<Void> note(Timer timer, Reply.Refused refused) {
    return dependencies.timers().failed(timer, refused.code().name(), refused.detail());
  }

  /** Later each time, unless what failed is not the timer's: that is over for all at once. */
  private Future<Void> backOff(Timer timer, Throwable e) {
    var delay = dependencies.options().firing().retryDelay();
    return e instanceof SkeinException refused && OUTAGES.contains(refused.code())
        ? dependencies.timers().extendDeadline(List.of(timer.id()), delay.dividedBy(2))
        : dependencies
            .timers()
            .backOff(timer.id(), delay, dependencies.options().firing().retryDelayMax())
            .compose(_ -> note(timer, Refusals.of(e)));
  }
}
