package skein.cluster;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import skein.cluster.Transport.NoAnswerException;
import skein.loop.EventLoop;

/**
 * What this node has sent in messages of many parts and has no answer to. Each has a number that
 * nothing else has while this node runs. An answer to what is not awaited, or no longer, is
 * dropped. Thread-safe.
 */
final class AwaitedAnswers {
  /** How often it is looked whose time is up; by so much an answer may be waited for longer. */
  private static final Duration SWEEP_INTERVAL = Duration.ofMillis(100);

  private final OrderBus bus;
  private final EventLoop loop;
  private final BatchFailures failures;
  private final AtomicLong lastNumber;
  private final Map<Long, Awaited> awaited = new ConcurrentHashMap<>();
  private @Nullable Future<Void> listening;
  private boolean sweeping;

  /** Gets what comes of it, once, on any thread; must not block or throw. */
  interface End {
    void answered(byte[] bytes);

    void failed(Throwable failure);
  }

  private record Awaited(Line line, long sentNanos, long deadlineNanos, End end) {}

  /**
   * Listens on a loop of its own, not on that of a verticle, which may end before others do.
   *
   * @param number before the first; others should not guess it
   */
  AwaitedAnswers(OrderBus bus, long number) {
    this.bus = bus;
    this.loop = bus.newLoop();
    this.lastNumber = new AtomicLong(number);
    this.failures = new BatchFailures(loop::nanoTime);
  }

  long nanoTime() {
    return loop.nanoTime();
  }

  /** Listens to an address, if it does not do so; done when the other nodes know. */
  synchronized Future<Void> listen(String address) {
    if (!sweeping) {
      sweeping = true;
      loop.execute(() -> loop.repeat(SWEEP_INTERVAL, this::sweep));
    }
    if (listening == null || listening.failed()) {
      Promise<Void> done = Promise.promise();
      listening = done.future();
      loop.execute(() -> bus.listen(address, body -> received(address, body)).onComplete(done));
    }
    return listening;
  }

  /**
   * Gives the number of what is sent next. Fails with {@link NoAnswerException} after the deadline,
   * a time of {@link #nanoTime}.
   */
  long await(Line line, long deadlineNanos, End end) {
    long number = lastNumber.incrementAndGet();
    awaited.put(number, new Awaited(line, nanoTime(), deadlineNanos, end));
    return number;
  }

  /** Whether it was awaited until now; its end is told nothing then. */
  boolean forget(long number) {
    return awaited.remove(number) != null;
  }

  /** How many answers are awaited. */
  int size() {
    return awaited.size();
  }

  private void received(String address, @Nullable Object body) {
    List<NumberedParts.Part> parts;
    try {
      parts = BatchFormat.readAnswers(body);
    } catch (RuntimeException e) {
      failures.unreadable(address, e);
      return;
    }
    long now = nanoTime();
    for (var part : parts) {
      var answered = awaited.remove(part.number());
      if (answered != null) {
        answered.line().heard(now);
        answered.end().answered(part.bytes());
      }
    }
  }

  /** A lane that has said nothing at all in this time may not have been reached. */
  private void sweep() {
    long now = nanoTime();
    awaited.forEach((number, late) -> {
      if (now - late.deadlineNanos() >= 0 && awaited.remove(number, late)) {
        if (late.line().isSilentSince(late.sentNanos())) {
          late.line().close(now);
        }
        late.end().failed(new NoAnswerException("No answer from node " + late.line().node()));
      }
    });
  }
}
