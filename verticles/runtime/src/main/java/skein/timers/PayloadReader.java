package skein.timers;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.loop.EventLoop;
import skein.model.SkeinException;
import skein.model.Timer;

/**
 * Reads payloads of {@link LargePayloads}, several by one statement. Confined to one event loop.
 *
 * <p>What could not be read is read again soon, alone, a few times: mostly nothing is wrong with
 * it. Its instance keeps its order meanwhile.
 */
final class PayloadReader {
  private static final Logger log = LoggerFactory.getLogger(PayloadReader.class);

  /** Bits of the jitter. */
  private static final int SPREAD_BITS = 10;

  private static final int GOLDEN_RATIO = 0x9E3779B9;

  private final EventLoop loop;
  private final TimersDependencies dependencies;
  private final LargePayloads payloads;
  private final Firing firing;

  /** What becomes of timers whose payloads were read; each has a slot until then. */
  interface Firing {
    /** Whether this node may fire, at this very moment. */
    boolean mayFire();

    /** {@code whole}: the same timer with its payload in the clear. */
    void fire(Timer timer, Timer whole);

    /** It is gone, or was postponed. */
    void over(Timer timer);

    /** {@code isOwn}: the failure counts as one of the timer. */
    void failed(Timer timer, Throwable e, boolean isOwn);

    /** It waits for its payload again. */
    void waits(Timer timer);

    /** More may be read. */
    void takeTurn();
  }

  PayloadReader(
      EventLoop loop, TimersDependencies dependencies, LargePayloads payloads, Firing firing) {
    this.loop = loop;
    this.dependencies = dependencies;
    this.payloads = payloads;
    this.firing = firing;
  }

  /**
   * Reads {@link LargePayloads#nextToRead}. Whether this node still leads is asked again: reading
   * takes time.
   */
  void read(List<Timer> batch) {
    loop.check();
    Future<List<@Nullable Timer>> reading =
        loop.bring(dependencies.timers().whole(batch, payloads.granted()));
    reading.onComplete((AsyncResult<List<@Nullable Timer>> result) -> {
      try {
        if (result.failed()) {
          failed(batch, result.cause());
        } else if (firing.mayFire()) {
          wereRead(batch, result.result());
        } else {
          putBack(batch);
        }
      } finally {
        payloads.readEnds();
        firing.takeTurn();
      }
    });
  }

  private void wereRead(List<Timer> batch, List<@Nullable Timer> whole) {
    int read = 0;
    while (read < whole.size() && !payloads.isFull()) {
      wasRead(batch.get(read), whole.get(read));
      read++;
    }
    putBack(batch.subList(read, batch.size()));
  }

  /** The first one is next again. */
  private void putBack(List<Timer> rest) {
    for (var timer : rest.reversed()) {
      payloads.putBack(timer);
      firing.waits(timer);
    }
  }

  /** What is encrypted takes other memory than what is fired. */
  private void wasRead(Timer timer, @Nullable Timer whole) {
    if (whole == null || whole.dueAt().isAfter(dependencies.clock().notAhead())) {
      payloads.notRead(timer);
      firing.over(timer); // It is gone, or was postponed.
      return;
    }
    Timer opened;
    try {
      opened = dependencies.timers().opened(whole);
    } catch (SkeinException e) {
      payloads.notRead(timer);
      firing.failed(timer, e, true);
      return;
    }
    payloads.wasRead(opened);
    firing.fire(timer, opened);
  }

  private void failed(List<Timer> batch, Throwable e) {
    boolean passing = e instanceof SkeinException refused && refused.code().isTransient();
    var resting = new ArrayList<Timer>();
    for (var timer : batch) {
      boolean again =
          batch.size() > 1 || (passing && payloads.failures(timer) < options().retriesMax());
      if (again) {
        payloads.rest(timer);
        firing.waits(timer);
        resting.add(timer);
      } else {
        payloads.notRead(timer);
        firing.failed(timer, e, !passing);
      }
    }
    if (!resting.isEmpty()) {
      var delay = delay(resting.getFirst());
      log.debug("{} payloads are read again in {}: {}", resting.size(), delay, e.getMessage());
      loop.schedule(
          delay,
          () -> {
            resting.forEach(payloads::hasRested);
            firing.takeTurn();
          });
    }
  }

  /**
   * Twice as long each time, and up to half of it shorter: from one timer to another, by its id.
   */
  private Duration delay(Timer timer) {
    int failures = payloads.failures(timer);
    long longest = options().retryDelay().multipliedBy(1L << (failures - 1)).toNanos();
    int hash = (timer.id().hashCode() * 31 + failures) * GOLDEN_RATIO;
    double spread = (double) (hash >>> (Integer.SIZE - SPREAD_BITS)) / (1 << SPREAD_BITS);
    return Duration.ofNanos((long) (longest * (1 - spread / 2)));
  }

  private TimersOptions.Payloads options() {
    return dependencies.options().firing().payloads();
  }
}
