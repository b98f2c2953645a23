package skein.node;

import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import skein.node.Http.Answer;

/**
 * Starts of instances that wait, and resumes of those, in turn, so many a second by the clock. Each
 * is tried once; its time counts from when it was due.
 */
final class SteadyLoad implements AutoCloseable {
  private final Api api;
  private final String definitionId;
  private final long intervalNanos;
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger underWay = new AtomicInteger();
  private final Queue<String> waiting = new ConcurrentLinkedQueue<>();
  private final Thread clock;
  private volatile boolean enough;

  final Queue<String> started = new ConcurrentLinkedQueue<>();
  final Queue<String> resumed = new ConcurrentLinkedQueue<>();

  /** Answered, and not with success. */
  final Queue<String> failed = new ConcurrentLinkedQueue<>();

  /** Their outcome is unknown. */
  final Queue<String> unknown = new ConcurrentLinkedQueue<>();

  final Queue<Long> millis = new ConcurrentLinkedQueue<>();

  /** Of the resumes alone. */
  final Queue<Long> resumeMillis = new ConcurrentLinkedQueue<>();

  SteadyLoad(Api api, String definitionId, int perSecond) {
    this.api = api;
    this.definitionId = definitionId;
    this.intervalNanos = Duration.ofSeconds(1).toNanos() / perSecond;
    this.clock = Thread.ofPlatform().daemon().name("load").start(this::run);
  }

  private void run() {
    long due = System.nanoTime();
    for (int number = 0; !enough; number++) {
      due += intervalNanos;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      var id = number % 2 == 0 ? null : waiting.poll();
      long dueAt = due;
      underWay.incrementAndGet();
      callers.execute(() -> {
        if (id == null) {
          start(dueAt);
        } else {
          resume(id, dueAt);
        }
        underWay.decrementAndGet();
      });
    }
  }

  private void start(long dueAt) {
    var request = new JsonObject().put("definitionId", definitionId);
    try {
      var answer = api.start(request);
      if (isGood("start", answer, dueAt)) {
        var id = answer.json().getString("id");
        started.add(id);
        waiting.add(id);
      }
    } catch (UncheckedIOException e) {
      unknown.add("start: " + e.getCause());
    }
  }

  private void resume(String id, long dueAt) {
    try {
      if (isGood("resume " + id, api.resume(id), dueAt)) {
        resumed.add(id);
        resumeMillis.add((System.nanoTime() - dueAt) / 1_000_000);
      }
    } catch (UncheckedIOException e) {
      unknown.add("resume " + id + ": " + e.getCause());
    }
  }

  private boolean isGood(String what, Answer answer, long dueAt) {
    if (answer.status() < 300) {
      millis.add((System.nanoTime() - dueAt) / 1_000_000);
      return true;
    }
    (answer.status() == 502 || answer.status() == 504 ? unknown : failed).add(what + ": " + answer);
    return false;
  }

  int answered() {
    return millis.size();
  }

  /** Asks for no more, and waits for what is under way. */
  @Override
  public void close() {
    enough = true;
    try {
      clock.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Eventually.isTrue(Duration.ofSeconds(90), () -> underWay.get() == 0);
    callers.close();
  }
}
