package skein.node;

import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Starts of instances at several nodes in turn, so many a second by the clock, by callers of
 * several kinds whose credentials may be replaced. Each is tried once.
 */
final class CallersLoad implements AutoCloseable {
  private static final Duration ENDED_MAX = Duration.ofSeconds(60);

  private final List<Http> nodes;
  private final List<String> definitionIds;
  private final AtomicReferenceArray<Credential> credentials;
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger good = new AtomicInteger();
  private final Thread clock;
  private volatile boolean enough;

  /**
   * @param underWay requests that were begun with it and are not answered yet
   */
  private record Credential(String authorization, AtomicInteger underWay) {
    Credential(String authorization) {
      this(authorization, new AtomicInteger());
    }
  }

  /** Not answered, or not with success. */
  final Queue<String> failed = new ConcurrentLinkedQueue<>();

  /**
   * @param definitionIds started in turn
   * @param authorizations one for each kind of caller
   */
  CallersLoad(
      List<Http> nodes, List<String> definitionIds, List<String> authorizations, int perSecond) {
    this.nodes = nodes;
    this.definitionIds = definitionIds;
    this.credentials =
        new AtomicReferenceArray<>(
            authorizations.stream().map(Credential::new).toArray(Credential[]::new));
    this.clock =
        Thread.ofPlatform()
            .daemon()
            .name("callers")
            .start(() -> run(Duration.ofSeconds(1).toNanos() / perSecond));
  }

  private void run(long intervalNanos) {
    long due = System.nanoTime();
    for (int number = 0; !enough; number++) {
      due += intervalNanos;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      int turn = number;
      underWay.incrementAndGet();
      callers.execute(() -> {
        start(turn);
        underWay.decrementAndGet();
      });
    }
  }

  private void start(int turn) {
    var node = nodes.get(turn % nodes.size());
    var credential = begun(turn / nodes.size() % credentials.length());
    var definitionId = definitionIds.get(turn % definitionIds.size());
    try {
      var answer =
          node.post(
              "/elsa/api/workflow-instances",
              new JsonObject().put("definitionId", definitionId),
              Map.of("Authorization", credential.authorization()));
      if (answer.status() < 300) {
        good.incrementAndGet();
      } else {
        failed.add(definitionId + ": " + answer);
      }
    } catch (UncheckedIOException e) {
      failed.add(definitionId + ": " + e.getCause());
    } finally {
      credential.underWay().decrementAndGet();
    }
  }

  /** The credential of a request that is counted among those under way with it. */
  private Credential begun(int kind) {
    while (true) {
      var now = credentials.get(kind);
      now.underWay().incrementAndGet();
      if (now.equals(credentials.get(kind))) {
        return now;
      }
      now.underWay().decrementAndGet();
    }
  }

  int answered() {
    return good.get();
  }

  /** Callers of that kind use another from now on; those who have begun are waited for. */
  void replace(int kind, String authorization) {
    var old = credentials.getAndSet(kind, new Credential(authorization));
    if (!Eventually.isTrue(ENDED_MAX, () -> old.underWay().get() == 0)) {
      throw new IllegalStateException("Requests with a replaced credential are not answered");
    }
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
    Eventually.isTrue(ENDED_MAX, () -> underWay.get() == 0);
    callers.close();
  }
}
