package skein.timers;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.bus.Refusals;
import skein.cluster.Cluster;
import skein.loop.EventLoop;
import skein.loop.EventLoop.Cancellable;
import skein.loop.ThrottledLog;
import skein.messages.Command;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.storage.TimerShard;
import skein.storage.UnfiredTimers;

/**
 * Fires the due timers of one shard while this node leads it, the earliest first. {@link
 * TimerReader} keeps the upcoming timers filled; in between it wakes at the next due instant.
 * Confined to one event loop.
 */
final class Scheduler {
  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);
  private static final Duration WAKE_MIN = Duration.ofMillis(1);
  private static final Duration WAKE_MAX = Duration.ofSeconds(1);

  /** Pages that wait in memory. */
  private static final int PAGES = 4;

  /** One instance has at most such a part of what may be under way. */
  private static final int INSTANCE_PART = 10;

  /**
   * Timers with large payloads have at least such a part of what may be under way, if they wait.
   */
  private static final int LARGE_PART = 4;

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
  private final PayloadReader payloadReader;

  /** Timers that were sent, or whose payloads are being read. */
  private int inFlight;

  /** The next slot is for a timer with a large payload, if one waits. */
  private boolean largeFirst;

  private boolean turnIsDue;
  private Cancellable wake = Cancellable.NONE;
  private Instant wakeAt = Instant.MAX;

  /** Timers that newer nodes must fire fail here as often as they are due. */
  private final ThrottledLog leftToNewer;

  private boolean ended;

  /**
   * @param leads whether this node may fire, at this very moment
   * @param clockRead done when the database's clock has been read
   * @param budget of all shards of this node
   */
  Scheduler(
      EventLoop loop,
      TimersDependencies dependencies,
      TimerShard shard,
      BooleanSupplier leads,
      Supplier<Future<Void>> clockRead,
      PayloadBudget budget) {
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
    this.payloads =
        new LargePayloads(
            loop, budget.share(this::takeTurn), options.firing().payloads().batchMax());
    this.payloadReader = new PayloadReader(loop, dependencies, payloads, new Large());
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
    payloads.end();
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
    if (!mayFire()) {
      payloads.pause();
      return;
    }
    var now = dependencies.clock().notAhead();
    for (int fired = 0; inFlight < inFlightMax - keptForLarge() && mayFire(); fired++) {
      if (fired == TURN_MAX) {
        takeTurn();
        break;
      }
      if (!fireNext(now)) {
        wakeAt(now, upcoming.nextDue());
        break;
      }
    }
    readPayloads();
    upcoming.setAside(payloads.size());
    reader.next();
  }

  private boolean mayFire() {
    return !ended && leads.getAsBoolean();
  }

  /** Slots that are kept for timers whose payloads are read now or next. */
  private int keptForLarge() {
    if (payloads.toReadSize() == 0) {
      return 0;
    }
    boolean reads = payloads.isReading() || (inFlight < inFlightMax && payloads.mayRead());
    if (!reads) {
      return 0;
    }
    int part = inFlightMax / LARGE_PART - payloads.inFlight();
    return Math.min(payloads.toReadSize(), Math.max(part, largeFirst ? 1 : 0));
  }

  private void readPayloads() {
    int free = mayFire() ? inFlightMax - inFlight : 0;
    if (free <= 0) {
      payloads.pause(); // Other shards may have the memory meanwhile.
      return;
    }
    var batch = payloads.nextToRead(free);
    if (!batch.isEmpty()) {
      largeFirst = false;
      inFlight += batch.size();
      payloadReader.read(batch);
    }
  }

  /** False: nothing is due that can be fired now. */
  private boolean fireNext(Instant now) {
    var ready = payloads.nextReady();
    var timer = ready == null ? upcoming.takeDue(now) : ready;
    if (timer == null) {
      return false;
    }
    if (ready == null && payloads.mustWait(timer)) {
      payloads.add(timer, upcoming.ownerOf(timer));
    } else {
      largeFirst = true;
      inFlight++;
      open(timer);
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

  private final class Large implements PayloadReader.Firing {
    @Override
    public boolean mayFire() {
      return Scheduler.this.mayFire();
    }

    @Override
    public void fire(Timer timer, Timer whole) {
      Scheduler.this.fire(timer, whole);
    }

    @Override
    public void over(Timer timer) {
      Scheduler.this.over(timer);
    }

    @Override
    public void failed(Timer timer, Throwable e, boolean isOwn) {
      Scheduler.this.failed(timer, e, isOwn);
    }

    @Override
    public void waits(Timer timer) {
      inFlight--;
    }

    @Override
    public void takeTurn() {
      Scheduler.this.takeTurn();
    }
  }

  /** A payload that cannot be decrypted fails as a failed execution does. */
  private void open(Timer timer) {
    Timer opened;
    try {
      opened = dependencies.timers().opened(timer);
    } catch (SkeinException e) {
      failed(timer, e, true);
      return;
    }
    fire(timer, opened);
  }

  /** {@code whole}: the same timer with its payload, in the clear. */
  private void fire(Timer timer, Timer whole) {
    var late = Duration.between(timer.dueAt(), dependencies.clock().notAhead());
    if (late.compareTo(dependencies.options().misfireAfter()) > 0) {
      dependencies.meter().misfired();
    }
    loop.bring(dependencies.router().send(new Command.Fire(whole)))
        .onComplete(result -> {
          if (result.failed()) {
            failed(timer, result.cause(), true);
          } else {
            dependencies.meter().fired();
            log.debug("Fired timer {} ({}), due at {}", timer.id(), timer.kind(), timer.dueAt());
            over(timer);
          }
        });
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
   *
   * @param isOwn false: it does not count as a failure of the timer
   */
  private void failed(Timer timer, Throwable e, boolean isOwn) {
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
    if (!mayFire()) {
      over(timer);
      return;
    }
    loop.bring(backOff(timer, e, isOwn)).onComplete(_ -> over(timer));
  }

  private Future<Void> backOff(Timer timer, Throwable e, boolean isOwn) {
    var firing = dependencies.options().firing();
    var unfired =
        new UnfiredTimers(dependencies.timers(), firing.retryDelay(), firing.retryDelayMax());
    return isOwn
        ? unfired.failed(timer, Refusals.toException(Refusals.of(e)))
        : unfired.postponed(timer);
  }
}
