package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A jar with an activity is brought to one of three nodes after another while instances use it,
 * through a balancer that looks at their readiness. Operations a second: {@code
 * skein.rollout.rate}.
 */
@ExtendWith(TestClusters.class)
@Tag("long")
class ActivityRolloutIT {
  private static final int NODES = 3;
  private static final int RATE = Integer.getInteger("skein.rollout.rate", 40);
  private static final Duration MAX = Duration.ofSeconds(60);

  /** Answers with the nodes as they are, before the next one is restarted. */
  private static final int SETTLED = 80;

  @TempDir Path folder;

  @Test
  void nothing_faults_while_a_jar_is_rolled_out(TestPostgres postgres) throws IOException {
    var each =
        IntStream.range(0, NODES)
            .mapToObj(i -> Map.of("activities.directory", jars(i).toString()))
            .toList();
    var settings = Map.of("node.drain-delay", "2s");
    try (var cluster = TestClusters.another(postgres, "rollout", NODES, settings, each)) {
      cluster.startAll();
      long began = System.nanoTime();
      bringTo(0, cluster.node(0));
      var published =
          cluster.api(1).saveAndPublish(Workflows.greeting("rollout", Greeting.TYPE)).orThrow();
      assertThat(published.json().getJsonArray("validationErrors").encode())
          .contains("other nodes know the activity type");

      var ports = cluster.nodes().stream().map(node -> node.http().base().getPort()).toList();
      try (var balancer = Balancer.of(ports)) {
        var load = new SteadyLoad(new Api(new Http(balancer.base())), "rollout", RATE);
        try (load) {
          awaitMore(load);
          for (int i = 1; i < NODES; i++) {
            bringTo(i, cluster.node(i));
            awaitMore(load);
          }
          bringTo(0, cluster.node(0));
          awaitMore(load);
        }
        check(cluster, load);
        Measured.say(
            "activity jar",
            "rolled out over %d nodes in %.0f s: %d starts and %d resumes, none failed, none"
                + " faulted, %s",
            NODES,
            Measured.seconds(began),
            load.started.size(),
            load.resumed.size(),
            Measured.percentiles(load.millis.stream().mapToLong(Long::longValue).toArray()));
      }
    }
  }

  private Path jars(int node) {
    try {
      return Files.createDirectories(folder.resolve("n" + node));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As an operator does it: stop, put the jar there, start. */
  private void bringTo(int number, ServerProcess node) throws IOException {
    node.terminate();
    assertThat(node.awaitExit(Duration.ofSeconds(30))).as("exit code").isZero();
    Greeting.pack(jars(number).resolve("greeting.jar"));
    node.start();
    node.awaitReady();
  }

  private static void awaitMore(SteadyLoad load) {
    int before = load.answered();
    assertThat(Eventually.isTrue(MAX, () -> load.answered() > before + SETTLED))
        .as("more answers; failed: %s, unknown: %s", load.failed, load.unknown)
        .isTrue();
  }

  private static void check(TestCluster cluster, SteadyLoad load) {
    assertThat(load.failed).as("refused").isEmpty();
    assertThat(load.unknown).as("without an answer").isEmpty();
    var ids = List.copyOf(load.resumed);
    var outcomes =
        Eventually.get(
            MAX,
            () -> Outcome.of(cluster.sql(), ids),
            found -> found.values().stream().allMatch(Outcome::isCompleted));
    assertThat(outcomes).containsOnlyKeys(new HashSet<>(ids));
    assertThat(outcomes.values())
        .allMatch(Outcome::isCompleted)
        .allMatch(Outcome::isGapless)
        .allMatch(outcome -> outcome.lines() == 1);
    assertThat(
            cluster
                .sql()
                .number("select count(*) from workflow_instances where status = 'Faulted'"))
        .as("faulted")
        .isZero();
  }
}
