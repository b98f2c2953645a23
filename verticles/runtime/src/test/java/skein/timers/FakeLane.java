package skein.timers;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import skein.messages.Addresses;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.Timer;
import skein.storage.Database;
import skein.storage.TimerRows;

/** Receives what is fired in place of the execution, and consumes each timer that is due. */
final class FakeLane {
  /** Ids in the order in which they came, those that were refused too. */
  final Queue<String> received = new ConcurrentLinkedQueue<>();

  /** Ids in the order in which they were consumed. */
  final Queue<String> consumed = new ConcurrentLinkedQueue<>();

  /** Ids of those that came before they were due by the database's clock, or once too often. */
  final Queue<String> notDue = new ConcurrentLinkedQueue<>();

  /** How often a timer is refused before it is taken. */
  final Map<String, Integer> refusals = new ConcurrentHashMap<>();

  /** Why it is refused then. */
  volatile ErrorCode refusal = ErrorCode.OVERLOADED;

  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger underWayMax = new AtomicInteger();
  private final Vertx vertx;
  private final Database database;
  private final Predicate<Timer> slow;
  private final Duration delay;

  /**
   * @param slow which timers take longer
   * @param delay by how much
   */
  FakeLane(Vertx vertx, Database database, Predicate<Timer> slow, Duration delay) {
    this.vertx = vertx;
    this.database = database;
    this.slow = slow;
    this.delay = delay;
    vertx.eventBus().<Command>consumer(Addresses.execution("n1", 0), this::receive);
  }

  private void receive(Message<Command> message) {
    if (!(message.body() instanceof Command.Fire(var timer))) {
      throw new IllegalStateException("The scheduler fires, and nothing else: " + message.body());
    }
    received.add(timer.id());
    underWayMax.accumulateAndGet(underWay.incrementAndGet(), Math::max);
    if (refusals.merge(timer.id(), -1, Integer::sum) >= 0) {
      underWay.decrementAndGet();
      message.reply(new Reply.Refused(refusal, "Not now", List.of()));
      return;
    }
    var rest =
        slow.test(timer)
            ? vertx.timer(delay.toMillis(), TimeUnit.MILLISECONDS)
            : Future.succeededFuture();
    rest.compose(_ -> TimerRows.consume(database, timer.id()))
        .onSuccess(done -> (done ? consumed : notDue).add(timer.id()))
        .onSuccess(_ -> {
          underWay.decrementAndGet();
          message.reply(new Reply.Delivered(0, 0, List.of()));
        });
  }

  /** As many as were here at one time, at most. */
  int underWayMax() {
    return underWayMax.get();
  }

  /** Waits until so many were consumed, at most twenty seconds. */
  void awaitConsumed(int count) {
    awaitConsumed(count, Duration.ofSeconds(20));
  }

  void awaitConsumed(int count, Duration max) {
    long end = System.nanoTime() + max.toNanos();
    while (consumed.size() < count && System.nanoTime() < end) {
      vertx.timer(10, TimeUnit.MILLISECONDS).await();
    }
  }
}
