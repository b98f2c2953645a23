package skein.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.node.Eventually;
import skein.node.Measured;
import skein.node.Workflows;

/**
 * Two nodes of three do not hear each other, or one of them not the other, while all reach the
 * database: calls at any node are answered or refused soon, timers fire, and one node alone is
 * unready until the link is whole again.
 */
@ExtendWith(FaultClusters.class)
@Tag("long")
@Tag("alone")
class OneWayFaultIT {
  private static final Duration COLD = Duration.ofSeconds(16);
  private static final Duration BROKEN = Duration.ofSeconds(9);
  private static final Duration PACE = Duration.ofMillis(150);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(3);

  /** Two heartbeats until the link is found, and two seconds. The break lasts longer. */
  private static final double LATE_MAX = 4;

  private static final double FOUND_MAX = 3;
  private static final Duration BACK_MAX = Duration.ofSeconds(40);
  private static final int TIMERS = 12;
  private static final int NAPS = 6;
  private static final Set<String> MAY_BE_ASKED_AGAIN = Set.of("NOT_READY", "TIMEOUT");

  private record Call(int node, double seconds, int status, String code) {
    boolean isAnswered() {
      return status < 300 || MAY_BE_ASKED_AGAIN.contains(code);
    }
  }

  /** Nodes that have just started are given longer. */
  @BeforeAll
  static void let_all_have_run_for_a_while(FaultCluster cluster) {
    awaitAll(cluster);
    Eventually.pause(COLD);
  }

  @ParameterizedTest(name = "from {0} to {1}, both ways: {2}")
  @CsvSource({"0, 1, false", "1, 0, true", "1, 2, false", "2, 1, true", "2, 0, false"})
  void a_link_that_breaks_between_two_nodes_keeps_nobody_waiting(
      int from, int to, boolean bothWays, FaultCluster cluster) {
    var probe = "one-way-probe";
    var naps = "one-way-naps";
    cluster.api(0).publish(Workflows.naps(probe, 0));
    Naps.publish(cluster, naps, NAPS);
    awaitAll(cluster);
    var sleeping = Naps.start(cluster, naps, TIMERS);
    List<Call> calls = Collections.synchronizedList(new ArrayList<>());
    var callers = new ArrayList<Thread>();

    if (bothWays) {
      cluster.network().cut(from, to);
    } else {
      cluster.network().oneWay(from, to);
    }
    long since = System.nanoTime();
    double found = 0;
    while (Measured.seconds(since) < BROKEN.toSeconds()) {
      for (int node = 0; node < FaultCluster.NODES; node++) {
        int at = node;
        callers.add(Thread.ofVirtual().start(() -> calls.add(call(cluster, at, probe))));
      }
      Eventually.pause(PACE);
      found = found == 0 && unready(cluster) == 1 ? Measured.seconds(since) : found;
    }
    int unready = unready(cluster);
    cluster.network().heal();
    callers.forEach(OneWayFaultIT::join);
    long healed = System.nanoTime();
    awaitAll(cluster);
    double back = Measured.seconds(healed);
    boolean allAwoke = sleeping.end(BACK_MAX);
    double late = sleeping.late();

    Measured.say(
        "one-way",
        "%d to %d%s: found after %.1f s; %d calls, the slowest %.2f s, %d to be asked again;"
            + " timers late by %.2f s at most; whole %.1f s after the link",
        from,
        to,
        bothWays ? " and back" : "",
        found,
        calls.size(),
        calls.stream().mapToDouble(Call::seconds).max().orElse(0),
        calls.stream().filter(call -> call.status() >= 300).count(),
        late,
        back);
    assertThat(calls.stream().filter(call -> !call.isAnswered())).as("failed calls").isEmpty();
    assertThat(calls.stream().filter(call -> call.seconds() >= ANSWER_MAX.toSeconds()))
        .as("calls that were not answered within %s", ANSWER_MAX)
        .isEmpty();
    assertThat(found).isPositive().isLessThan(FOUND_MAX);
    assertThat(unready).as("nodes that have stepped aside").isEqualTo(1);
    assertThat(calls.stream().filter(call -> call.status() < 300).map(Call::node).distinct())
        .as("nodes that served")
        .hasSizeGreaterThanOrEqualTo(FaultCluster.NODES - 1);
    assertThat(allAwoke).as("all timers have fired").isTrue();
    assertThat(late).isLessThan(LATE_MAX);
  }

  private static Call call(FaultCluster cluster, int node, String definition) {
    long since = System.nanoTime();
    try {
      var answer = cluster.api(node).start(new JsonObject().put("definitionId", definition));
      boolean refused = answer.status() >= 300;
      return new Call(node, Measured.seconds(since), answer.status(), refused ? answer.code() : "");
    } catch (UncheckedIOException e) {
      return new Call(node, Measured.seconds(since), 599, e.toString());
    }
  }

  private static void join(Thread caller) {
    try {
      assertThat(caller.join(Duration.ofSeconds(60))).as("a caller has ended").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while callers end", e);
    }
  }

  private static int unready(FaultCluster cluster) {
    return (int)
        IntStream.range(0, FaultCluster.NODES).filter(node -> !isReady(cluster, node)).count();
  }

  private static boolean isReady(FaultCluster cluster, int node) {
    return cluster.node(node).http().get("/health/ready").status() == 200;
  }

  private static void awaitAll(FaultCluster cluster) {
    assertThat(Eventually.isTrue(BACK_MAX, () -> unready(cluster) == 0))
        .as("all nodes are ready within %s", BACK_MAX)
        .isTrue();
  }
}
