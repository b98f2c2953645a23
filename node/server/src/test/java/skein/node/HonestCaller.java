package skein.node;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A well-behaved client: 20 requests a second, each second start and resume, at their instants
 * whether or not earlier ones are answered. Its latencies count from those instants.
 */
final class HonestCaller {
  private static final int PAIRS_PER_SECOND = 10;

  private final Api api;
  private final String definitionId;

  /** Publishes what it starts. */
  HonestCaller(Api api, String definitionId) {
    this.api = api;
    this.definitionId = definitionId;
    api.publish(Workflows.approval(definitionId));
  }

  /** {@code millis}, of all requests, sorted; {@code failures}: what was not answered with 200. */
  record Seen(List<Long> millis, Queue<String> failures) {
    long p99() {
      return millis.isEmpty()
          ? Long.MAX_VALUE
          : millis.get(Math.min(millis.size() - 1, (int) Math.floor(0.99 * millis.size())));
    }

    @Override
    public String toString() {
      return millis.isEmpty()
          ? "no answer"
          : Measured.percentiles(millis.stream().mapToLong(Long::longValue).toArray());
    }
  }

  /** Calls for that long and waits for the last answers. */
  Seen call(Duration duration) {
    var millis = new ConcurrentLinkedQueue<Long>();
    var failures = new ConcurrentLinkedQueue<String>();
    long pairs = duration.toMillis() * PAIRS_PER_SECOND / 1000;
    long begin = System.nanoTime();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (long i = 0; i < pairs; i++) {
        long due = begin + i * 1_000_000_000L / PAIRS_PER_SECOND;
        sleepUntil(due);
        executor.execute(() -> pair(due, millis, failures));
      }
    }
    return new Seen(millis.stream().sorted().toList(), failures);
  }

  private void pair(long due, Queue<Long> millis, Queue<String> failures) {
    try {
      var id = api.start(definitionId);
      millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - due));
      long since = System.nanoTime();
      api.resume(id).orThrow();
      millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
    } catch (RuntimeException e) {
      failures.add(String.valueOf(e));
    }
  }

  private static void sleepUntil(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while calling", e);
    }
  }
}
