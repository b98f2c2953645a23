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
import java.util.function.Predicate;
import skein.messages.Addresses;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.Timer;
import skein.storage.TimerStore;

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

  private final Vertx vertx;
  private final TimerStore timers;
  private final Predicate<Timer> slow;

  /** {@code slow}: which timers take 20 milliseconds more. */
  FakeLane(Vertx vertx, TimerStore timers, Predicate<Timer> slow) {
    this.vertx = vertx;
    this.timers = timers;
    this.slow = slow;
    vertx.eventBus().<Command>consumer(Addresses.execution("n1", 0), this::receive);
  }

  private void receive(Message<Command> message) {
    if (!(message.body() instanceof Command.Fire(var timer))) {
      throw new IllegalStateException("The scheduler fires, and nothing else: " + message.body());
    }
    received.add(timer.id());
    if (refusals.merge(timer.id(), -1, Integer::sum) >= 0) {
      message.reply(new Reply.Refused(ErrorCode.OVERLOADED, "The lane is full", List.of()));
      return;
    }
    var rest = slow.test(timer) ? vertx.timer(20, TimeUnit.MILLISECONDS) : Future.succeededFuture();
    rest.compose(_ -> timers.isDue(timer.id()))
        .compose(due -> {
          if (!due) {
            notDue.add(timer.id());
            return Future.succeededFuture();
          }
          return timers.remove(timer.id()).onSuccess(_ -> consumed.add(timer.id()));
        })
        .onSuccess(_ -> message.reply(new Reply.Delivered(0, 0, List.of())));
  }

  /** Waits until so many were consumed, at most twenty seconds. */
  void awaitConsumed(int count) {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (consumed.size() < count && System.nanoTime() < end) {
      vertx.timer(10, TimeUnit.MILLISECONDS).await();
    }
  }
}
