package skein.node;

import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.node.Http.Answer;

/**
 * Callers that start, resume and wait, on nodes that come and go. What was refused without having
 * happened, or cut off, they try again on the next node; a resume that was cut off and is then
 * answered as one that is over has happened.
 */
final class VersionsLoad {
  private static final int CALLERS = 4;
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration TRY_AGAIN = Duration.ofMillis(200);
  private static final Duration GIVE_UP = Duration.ofSeconds(60);
  private static final Set<String> NOTHING_HAPPENED =
      Set.of("NOT_READY", "NEWER_FORMAT", "OVERLOADED", "IN_PROGRESS", "STORAGE_UNAVAILABLE");
  private static final Set<String> OVER =
      Set.of("ALREADY_RESUMED", "INSTANCE_FINISHED", "BOOKMARK_NOT_FOUND");

  /** Instances that were resumed, and those that wait for a timer. */
  final Queue<String> resumed = new ConcurrentLinkedQueue<>();

  final Queue<String> delayed = new ConcurrentLinkedQueue<>();
  final Queue<String> failed = new ConcurrentLinkedQueue<>();

  private final TestCluster cluster;
  private final String approval;
  private final String delay;
  private final AtomicInteger numbers = new AtomicInteger();
  private final List<Thread> callers = new ArrayList<>();
  private volatile boolean enough;

  /** Publishes what it starts. */
  VersionsLoad(TestCluster cluster) {
    this.cluster = cluster;
    this.approval = "approval-" + cluster.name();
    this.delay = "delay-" + cluster.name();
    cluster.api(0).publish(Workflows.approval(approval));
    cluster.api(0).publish(Workflows.delay(delay, 1));
  }

  void begin() {
    for (int i = 0; i < CALLERS; i++) {
      callers.add(Thread.ofVirtual().start(this::callUntilEnough));
    }
  }

  int done() {
    return resumed.size() + delayed.size();
  }

  boolean awaitMore(int count) {
    int before = done();
    return Eventually.isTrue(Duration.ofSeconds(60), () -> done() >= before + count);
  }

  /** Whether all callers have ended. */
  boolean end() {
    enough = true;
    return Eventually.isTrue(
        GIVE_UP.multipliedBy(2), () -> callers.stream().noneMatch(Thread::isAlive));
  }

  private void callUntilEnough() {
    while (!enough) {
      int number = numbers.getAndIncrement();
      var waiting = start(approval, number);
      if (!waiting.isEmpty()) {
        resume(waiting, number + 1);
      }
      var late = start(delay, number);
      if (!late.isEmpty()) {
        delayed.add(late);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** The id; empty when it has failed. */
  private String start(String definitionId, int number) {
    var key = Map.of("Idempotency-Key", definitionId + "-" + number);
    var request = new JsonObject().put("definitionId", definitionId);
    var answer = answerOf("start", number, api -> api.start(request, key), Set.of());
    return answer == null ? "" : answer.json().getString("id");
  }

  private void resume(String id, int number) {
    if (answerOf("resume of " + id, number, api -> api.resume(id), OVER) != null) {
      resumed.add(id);
    }
  }

  /**
   * Null when it has failed.
   *
   * @param over codes that mean success after an attempt with an unknown outcome
   */
  private @Nullable Answer answerOf(
      String what, int first, Function<Api, Answer> call, Set<String> over) {
    long end = System.nanoTime() + GIVE_UP.toNanos();
    boolean unknown = false;
    for (int number = first; ; number++) {
      String problem;
      try {
        var answer = call.apply(cluster.api(number));
        if (answer.status() < 300) {
          return answer;
        }
        if (unknown && over.contains(answer.code())) {
          return answer;
        }
        problem = answer.toString();
        if (answer.status() == 504) {
          unknown = true;
        } else if (!NOTHING_HAPPENED.contains(answer.code())) {
          failed.add(what + ": " + problem);
          return null;
        }
      } catch (UncheckedIOException e) {
        unknown = true;
        problem = e.toString();
      }
      if (System.nanoTime() > end) {
        failed.add(what + ": " + problem);
        return null;
      }
      LockSupport.parkNanos(TRY_AGAIN.toNanos());
    }
  }
}
