package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.Http.Answer;

@ExtendWith(TestClusters.class)
@Tag("alone")
class GracefulStopIT {
  private static final Duration DRAIN = Duration.ofSeconds(25);
  private static final int WAITING = 3_000;
  private static final int CALLERS = 24;
  private static final int BEFORE = 300;
  private static final int AFTER = 300;
  private static final int NODES = 3;
  private static final Duration PROBE_INTERVAL = Duration.ofMillis(200);

  private final Queue<String> started = new ConcurrentLinkedQueue<>();
  private final Queue<String> resumed = new ConcurrentLinkedQueue<>();
  private final Queue<String> failed = new ConcurrentLinkedQueue<>();
  private final Queue<String> broken = new ConcurrentLinkedQueue<>();
  private final Set<Integer> unready = ConcurrentHashMap.newKeySet();
  private final AtomicInteger elsewhere = new AtomicInteger();
  private final AtomicInteger numbers = new AtomicInteger();
  private volatile boolean enough;

  @Test
  void a_node_that_is_asked_to_stop_fails_nothing(TestCluster cluster) {
    cluster.api(0).publish(Workflows.approval("drain-resume"));
    cluster.api(0).publish(Workflows.lines("drain-start", "first", "second"));
    var waiting =
        new ConcurrentLinkedQueue<>(
            Together.call(WAITING, 32, number -> cluster.api(number).start("drain-resume")));

    var balancers =
        IntStream.range(0, NODES)
            .mapToObj(
                node -> Thread.ofVirtual().start(() -> watchReadiness(node, cluster.node(node))))
            .toList();
    var callers = Thread.ofVirtual().start(() -> callUntilEnough(cluster, waiting));
    awaitMore(BEFORE);
    long since = System.nanoTime();
    cluster.node(1).terminate();
    int code = cluster.node(1).awaitExit(DRAIN.plusSeconds(5));
    double seconds = Measured.seconds(since);
    awaitMore(AFTER);
    enough = true;
    assertThat(Eventually.isTrue(Duration.ofSeconds(90), () -> !callers.isAlive())).isTrue();
    assertThat(
            Eventually.isTrue(
                Duration.ofSeconds(10), () -> balancers.stream().noneMatch(Thread::isAlive)))
        .isTrue();

    assertThat(failed).as("requests that no node took").isEmpty();
    assertThat(broken).as("requests that were cut off").isEmpty();
    check(cluster, started, 0);
    check(cluster, resumed, 1);
    assertThat(code).as("exit code").isZero();
    assertThat(seconds).isLessThan(DRAIN.toMillis() / 1000.0);
    Measured.say(
        "graceful stop",
        "%d starts and %d resumes while a node left in %.1f s: none failed, %d went elsewhere",
        started.size(),
        resumed.size(),
        seconds,
        elsewhere.get());
  }

  private void awaitMore(int count) {
    int before = started.size() + resumed.size();
    boolean more =
        Eventually.isTrue(
            Duration.ofSeconds(30), () -> started.size() + resumed.size() >= before + count);
    assertThat(more).as("%d more answers; failed: %s", count, failed).isTrue();
  }

  private void callUntilEnough(TestCluster cluster, Queue<String> waiting) {
    Together.call(
        CALLERS,
        _ -> {
          while (!enough) {
            callOnce(cluster, waiting.poll(), numbers.getAndIncrement());
          }
          return true;
        });
  }

  /** A start, and while there is an instance waiting, a resume. */
  private void callOnce(TestCluster cluster, @Nullable String waiting, int number) {
    var id = "drain-start-" + number;
    var key = Map.of("Idempotency-Key", id);
    var start = new JsonObject().put("definitionId", "drain-start");
    var answer = elsewhereIfRefused(cluster, number, api -> api.start(start, key));
    if (answer.status() < 300) {
      started.add(answer.json().getString("id"));
    } else {
      failed.add("start " + id + ": " + answer);
    }
    if (waiting != null) {
      answer = elsewhereIfRefused(cluster, number, api -> api.resume(waiting));
      if (answer.status() < 300) {
        resumed.add(waiting);
      } else {
        failed.add("resume " + waiting + ": " + answer);
      }
    }
  }

  /**
   * As a load balancer does it: a node that is not ready gets no new requests. Each by itself, so
   * that one that is slow to answer does not hide that another one leaves.
   */
  private void watchReadiness(int number, ServerProcess node) {
    while (!enough) {
      if (isReady(node)) {
        unready.remove(number);
      } else {
        unready.add(number);
      }
      LockSupport.parkNanos(PROBE_INTERVAL.toNanos());
    }
  }

  private static boolean isReady(ServerProcess node) {
    try {
      return node.http().get("/health/ready").status() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  /** The next node that is ready, from this number on. */
  private int ready(int from) {
    for (int i = from; i < from + NODES; i++) {
      if (!unready.contains(i % NODES)) {
        return i;
      }
    }
    return from;
  }

  /** The next node when one refuses the connection or says 503. */
  private Answer elsewhereIfRefused(TestCluster cluster, int first, Function<Api, Answer> request) {
    var answer = new Answer(0, "not asked", "");
    for (int attempt = 0; attempt < 6; attempt++) {
      try {
        answer = request.apply(cluster.api(ready(first + attempt)));
        if (answer.status() != 503) {
          return answer;
        }
      } catch (UncheckedIOException e) {
        answer = new Answer(0, String.valueOf(e.getCause()), "");
        if (!(e.getCause() instanceof ConnectException)) {
          broken.add(String.valueOf(e.getCause()));
        }
      }
      elsewhere.incrementAndGet();
    }
    return answer;
  }

  private static void check(TestCluster cluster, Queue<String> ids, int timesResumed) {
    var outcomes = Outcome.of(cluster.sql(), List.copyOf(ids));
    assertThat(outcomes).containsOnlyKeys(ids);
    assertThat(outcomes.values())
        .allMatch(Outcome::isCompleted)
        .allMatch(Outcome::isGapless)
        .allMatch(outcome -> outcome.lines() == 2 && outcome.resumed() == timesResumed);
  }
}
