package skein.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.Eventually;
import skein.node.Measured;
import skein.node.Together;
import skein.node.Workflows;

/**
 * How long work is stuck: the time from a fault to the first success of every one of some resumes,
 * of whose instances the victim owned a third, asked of the nodes that are left. How often: {@code
 * skein.faults.rounds}.
 */
@ExtendWith(FaultClusters.class)
@Tag("long")
@Tag("alone")
class RecoveryFaultIT {
  private static final int ROUNDS = Integer.getInteger("skein.faults.rounds", 1);
  private static final int STUCK = 30;
  private static final Duration ASK_AGAIN = Duration.ofMillis(50);
  private static final Duration GIVE_UP = Duration.ofSeconds(60);

  /** An attempt with an unknown outcome has happened. */
  private static final Set<String> OVER = Set.of("ALREADY_RESUMED", "INSTANCE_FINISHED");

  @Test
  void of_a_node_that_is_killed(FaultCluster cluster) {
    measure(
        cluster, "kill -9", Duration.ofSeconds(5), victim -> cluster.node(victim).kill(), _ -> {});
  }

  @Test
  void of_a_node_that_is_frozen(FaultCluster cluster) {
    measure(
        cluster,
        "freeze",
        Duration.ofSeconds(15),
        victim -> cluster.node(victim).freeze(),
        victim -> cluster.node(victim).thaw());
  }

  @Test
  void of_a_node_that_is_cut_off(FaultCluster cluster) {
    measure(
        cluster,
        "split",
        Duration.ofSeconds(15),
        victim -> cluster.network().split(node -> node == victim, true),
        _ -> cluster.network().heal());
  }

  @Test
  void of_a_database_that_is_restarted(FaultCluster cluster) {
    measure(
        cluster,
        "database crash and restart",
        Duration.ofSeconds(8),
        _ -> {
          cluster.stopDatabase(true);
          cluster.startDatabase();
        },
        _ -> {});
  }

  private interface Fault {
    void on(int victim);
  }

  private static void measure(
      FaultCluster cluster, String what, Duration max, Fault fault, Fault end) {
    var definition = "recovery-" + what.replace(' ', '-');
    cluster.api(0).publish(Workflows.approval(definition));
    var seconds = new ArrayList<Double>();
    for (int round = 0; round < ROUNDS; round++) {
      int victim = round % FaultCluster.NODES;
      var left = IntStream.range(0, FaultCluster.NODES).filter(n -> n != victim).boxed().toList();
      var ids = Together.call(STUCK, 4, number -> started(cluster, definition, number));
      long since = System.nanoTime();
      fault.on(victim);
      var each = Together.call(STUCK, number -> resume(cluster, left, ids.get(number), since));
      seconds.add(each.stream().mapToDouble(Double::doubleValue).max().orElse(0));
      end.on(victim);
      cluster.heal();
      untilWhole(cluster);
    }
    seconds.sort(null);
    Measured.say(
        "recovery",
        "%s: p50 %.1f s, max %.1f s of %d",
        what,
        seconds.get(seconds.size() / 2),
        seconds.getLast(),
        ROUNDS);
    assertThat(seconds).allMatch(one -> one < max.toSeconds());
  }

  /** Also where the fault before has left a way that is still being found out to be dead. */
  private static String started(FaultCluster cluster, String definition, int number) {
    var request = new JsonObject().put("definitionId", definition);
    return Eventually.get(
            GIVE_UP, () -> cluster.api(number).start(request), answer -> answer.status() < 300)
        .orThrow()
        .json()
        .getString("id");
  }

  /** Seconds from the fault to the success. */
  private static double resume(FaultCluster cluster, List<Integer> nodes, String id, long since) {
    long end = System.nanoTime() + GIVE_UP.toNanos();
    for (int attempt = 0; System.nanoTime() < end; attempt++) {
      try {
        var answer = cluster.api(nodes.get(attempt % nodes.size())).resume(id);
        if (answer.status() < 300 || OVER.contains(answer.code())) {
          return Measured.seconds(since);
        }
      } catch (UncheckedIOException _) {
        // the node has gone
      }
      Eventually.pause(ASK_AGAIN);
    }
    throw new AssertionError("Instance " + id + " was not resumed");
  }

  private static void untilWhole(FaultCluster cluster) {
    var whole = "\"members\":" + FaultCluster.NODES;
    assertThat(
            Eventually.isTrue(
                GIVE_UP,
                () ->
                    cluster.nodes().nodes().stream()
                        .allMatch(node -> node.http().get("/").body().contains(whole))))
        .as("all nodes are members")
        .isTrue();
  }
}
