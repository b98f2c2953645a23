package skein.ingress;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import skein.loop.Delays;

/** A clock that only moves when it is advanced; everything happens on the caller's thread. */
final class ManualDelays implements Delays {
  private record Due(long at, long number, Promise<Void> promise) {}

  private final PriorityQueue<Due> due =
      new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::number));
  private long now;
  private long number;

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public Future<Void> after(Duration delay) {
    Promise<Void> promise = Promise.promise();
    due.add(new Due(now + Math.max(0, delay.toNanos()), number++, promise));
    return promise.future();
  }

  void advance(Duration time) {
    long end = now + time.toNanos();
    while (!due.isEmpty() && due.peek().at() <= end) {
      var next = due.remove();
      now = Math.max(now, next.at());
      next.promise().complete();
    }
    now = end;
  }

  /** Delays that are not over. */
  int waiting() {
    return due.size();
  }
}
