package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** All nodes are asked to stop at once, as when a deployment is taken down. */
@ExtendWith(TestClusters.class)
@Tag("long")
class FullStopIT {
  private static final int STOPS = Integer.getInteger("skein.stops", 3);
  private static final Duration STOP_MAX = Duration.ofSeconds(30);
  private static final int WAITING = 30;
  private static final String LEASES =
      "select count(*) from leases where expires_at > clock_timestamp()";

  @Test
  void nodes_that_stop_together_stop_in_order_and_leave_nothing_held(TestCluster cluster) {
    cluster.api(0).publish(Workflows.approval("full-stop"));
    for (int stop = 1; stop <= STOPS; stop++) {
      cluster.startAll();
      var waiting = Together.call(WAITING, 8, number -> cluster.api(number).start("full-stop"));
      var said = cluster.nodes().stream().map(node -> node.output().size()).toList();
      long since = System.nanoTime();

      cluster.nodes().forEach(ServerProcess::terminate);

      for (int i = 0; i < cluster.nodes().size(); i++) {
        var node = cluster.node(i);
        assertThat(node.awaitExit(STOP_MAX)).as("exit code of %s", node.name()).isZero();
        assertThat(after(node, said.get(i)))
            .as(node.name())
            .anyMatch(line -> line.contains("node.stopped"))
            .noneMatch(line -> line.contains("node.halted"));
      }
      Measured.say("full stop", "%d: %.1f s", stop, Measured.seconds(since));
      assertThat(cluster.sql().number(LEASES)).as("leases that are held").isZero();

      cluster.startAll();
      assertThat(waiting).allMatch(id -> cluster.api(0).resume(id).status() == 200);
    }
  }

  private static List<String> after(ServerProcess node, int lines) {
    var output = node.output();
    return output.subList(lines, output.size());
  }
}
