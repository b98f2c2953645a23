package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import skein.loop.EventLoop;
import skein.storage.CommandTimers;

/**
 * Gives timers that must wait a later due time, many with one statement: those that come while one
 * is under way go together with the next. So a flood of starts that are too early costs the
 * database few commits, which others wait for as well. Confined to one event loop.
 */
final class TimerPostponements {
  private final EventLoop loop;
  private final CommandTimers timers;
  private Batch next = new Batch(new HashMap<>(), Promise.promise());
  private boolean underWay;

  /** {@code delays}: by the timer's id. */
  private record Batch(Map<String, Duration> delays, Promise<Void> done) {}

  TimerPostponements(EventLoop loop, CommandTimers timers) {
    this.loop = loop;
    this.timers = timers;
  }

  /** The timer is due so long from when its statement is executed; ends with that statement. */
  Future<Void> putOff(String timerId, Duration delay) {
    loop.check();
    next.delays.put(timerId, delay);
    var done = next.done.future();
    if (!underWay) {
      send();
    }
    return done;
  }

  private void send() {
    var batch = next;
    next = new Batch(new HashMap<>(), Promise.promise());
    underWay = true;
    loop.bring(timers.putOff(batch.delays))
        .onComplete(result -> {
          underWay = false;
          if (!next.delays.isEmpty()) {
            send();
          }
          batch.done.handle(result);
        });
  }
}
