package skein.node.verify;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts at a steady rate through all nodes in turn, until it is closed. */
final class Load implements AutoCloseable {
  /** Ten a second: nothing that a cluster at work would notice. */
  private static final Duration INTERVAL = Duration.ofMillis(100);

  private static final Duration END_MAX = Duration.ofSeconds(20);

  private final Site site;
  private final String definitionId;
  private final AtomicInteger next = new AtomicInteger();
  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  private record Call(String outcome, long millis) {}

  Load(Site site, String definitionId) {
    this.site = site;
    this.definitionId = definitionId;
  }

  void start() {
    var _ =
        clock.scheduleAtFixedRate(
            () -> callers.execute(this::call), 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void call() {
    var node = site.client(next.getAndIncrement());
    long since = System.nanoTime();
    String outcome;
    try {
      outcome = site.traces().started(node, definitionId).outcome();
    } catch (CheckException e) {
      outcome = "no answer from " + node.base();
    }
    calls.add(new Call(outcome, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since)));
  }

  /** Ends it and waits for all answers. */
  @Override
  public void close() {
    clock.shutdownNow();
    callers.shutdown();
    try {
      if (!callers.awaitTermination(END_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        callers.shutdownNow();
      }
    } catch (InterruptedException e) {
      callers.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /** How many calls got which answer. */
  Map<String, Integer> answers() {
    var answers = new TreeMap<String, Integer>();
    calls.forEach(call -> answers.merge(call.outcome, 1, Integer::sum));
    return answers;
  }

  /** The time that {@code share} of the calls were faster than, such as 0.5. */
  long millis(double share) {
    var sorted = calls.stream().mapToLong(Call::millis).sorted().toArray();
    return sorted.length == 0
        ? 0
        : sorted[(int) Math.min(sorted.length - 1, sorted.length * share)];
  }
}
