package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes, as the launcher starts them, restarted one after another, under load through a
 * balancer that looks at their readiness. How often: {@code skein.rolling.rounds}; operations a
 * second: {@code skein.rolling.rate}; through what: {@code skein.rolling.balancer}; with nodes that
 * come and go: {@code skein.rolling.scale}.
 */
@ExtendWith(TestClusters.class)
@Tag("long")
@Tag("alone")
class RollingRestartIT {
  private static final int ROUNDS = Integer.getInteger("skein.rolling.rounds", 1);
  private static final int RATE = Integer.getInteger("skein.rolling.rate", 200);
  private static final int NODES = 3;
  private static final int SETTLED = 400;

  /** Of a cluster that runs, not of one that has just begun: until then callers wait their turn. */
  private static final int WARM = 1_500;

  private static final int WARM_CALLERS = 4;

  /**
   * At the full rate. On two slow processors the JIT compilers of three nodes are busy for about a
   * minute, and a node that starts at that time gets no processor.
   */
  private static final int WARM_STEADY = 60 * RATE;

  private static final String OLD_SECRET = "old-secret-".repeat(6);
  private static final String NEW_SECRET = "new-secret-".repeat(6);

  private static final Map<String, String> SETTINGS = Map.of("node.drain-delay", "2s");

  @TempDir private static Path folder;

  private final List<Double> stops = new ArrayList<>();
  private final List<Double> starts = new ArrayList<>();

  @Test
  void a_rolling_restart_fails_nothing(TestPostgres postgres) throws IOException {
    underLoad(
        postgres,
        "rolling",
        NODES,
        NODES,
        Map.of(),
        (cluster, load) -> {
          for (int round = 0; round < ROUNDS; round++) {
            cluster.nodes().forEach(node -> restart(node, load));
          }
        });
  }

  /** Accepted by all, then proved by all, then alone, as the README has it. */
  @Test
  @EnabledIfSystemProperty(named = "skein.rolling.secret", matches = "true")
  void the_secret_between_nodes_is_replaced_by_three_rolling_restarts_and_nothing_fails(
      TestPostgres postgres) throws IOException {
    var file = folder.resolve("cluster-secret");
    write(file, OLD_SECRET);
    underLoad(
        postgres,
        "rolling_secret",
        NODES,
        NODES,
        Map.of("cluster.secret-file", file.toString()),
        (cluster, load) -> {
          for (var secrets :
              List.of(OLD_SECRET + "\n" + NEW_SECRET, NEW_SECRET + "\n" + OLD_SECRET, NEW_SECRET)) {
            write(file, secrets);
            cluster.nodes().forEach(node -> restart(node, load));
          }
          for (var node : cluster.nodes()) {
            assertThat(node.http().get("/").body()).contains("\"members\":" + NODES);
            assertThat(String.join("\n", node.output())).doesNotContain(OLD_SECRET, NEW_SECRET);
          }
        });
  }

  /** Whole or not at all, for its owner alone. */
  private static void write(Path file, String text) throws IOException {
    var next = Files.writeString(file.resolveSibling("next"), text + "\n");
    Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Two more, then three away, those among them that were there from the start. */
  @Test
  @EnabledIfSystemProperty(named = "skein.rolling.scale", matches = "true")
  void nodes_that_are_added_and_taken_away_fail_nothing(TestPostgres postgres) throws IOException {
    underLoad(
        postgres,
        "scale",
        NODES + 2,
        NODES,
        Map.of(),
        (cluster, load) -> {
          for (var added : cluster.nodes().subList(NODES, NODES + 2)) {
            start(added);
            awaitMore(load, SETTLED);
          }
          for (var away : cluster.nodes().subList(0, NODES)) {
            stop(away);
            awaitMore(load, SETTLED);
          }
        });
  }

  private interface Changes {
    void make(TestCluster cluster, SteadyLoad load) throws IOException;
  }

  /**
   * @param first how many of the nodes run when the load begins
   * @param more settings of all nodes
   */
  private void underLoad(
      TestPostgres postgres,
      String name,
      int nodes,
      int first,
      Map<String, String> more,
      Changes changes)
      throws IOException {
    var settings = new HashMap<>(SETTINGS);
    settings.putAll(more);
    try (var cluster = TestClusters.another(postgres, name, nodes, settings)) {
      cluster.nodes().stream().limit(first).forEach(ServerProcess::start);
      cluster.nodes().stream().limit(first).forEach(ServerProcess::awaitReady);
      cluster.api(0).publish(Workflows.approval(name));
      Together.call(
          WARM,
          WARM_CALLERS,
          number -> {
            var api = cluster.api(number % first);
            return api.resume(api.start(name)).orThrow();
          });
      var ports = cluster.nodes().stream().map(node -> node.http().base().getPort()).toList();
      try (var balancer = Balancer.of(ports)) {
        var load = new SteadyLoad(new Api(new Http(balancer.base())), name, RATE);
        long since = System.nanoTime();
        try (load) {
          awaitMore(load, WARM_STEADY);
          load.millis.clear();
          changes.make(cluster, load);
        }
        say(name, balancer, load, Measured.seconds(since));

        assertThat(load.failed).as("refused").isEmpty();
        assertThat(load.unknown).as("without an answer").isEmpty();
        check(cluster, load);
      }
    }
  }

  private void restart(ServerProcess node, SteadyLoad load) {
    stop(node);
    start(node);
    awaitMore(load, SETTLED);
  }

  private void stop(ServerProcess node) {
    long since = System.nanoTime();
    node.terminate();
    assertThat(node.awaitExit(Duration.ofSeconds(30))).as("exit code").isZero();
    stops.add(Measured.seconds(since));
  }

  private void start(ServerProcess node) {
    long since = System.nanoTime();
    node.start();
    node.awaitReady();
    starts.add(Measured.seconds(since));
  }

  /** Until the balancer has seen the nodes for a while. */
  private static void awaitMore(SteadyLoad load, int count) {
    int before = load.answered();
    assertThat(Eventually.isTrue(Duration.ofSeconds(90), () -> load.answered() > before + count))
        .as("more answers; failed: %s, unknown: %s", load.failed, load.unknown)
        .isTrue();
  }

  private void say(String name, Balancer balancer, SteadyLoad load, double seconds) {
    Measured.say(
        name,
        "through %s in %.0f s: %d starts and %d resumes, %d failed, %d unknown, %s; stopped in %s s,"
            + " ready in %s s",
        balancer,
        seconds,
        load.started.size(),
        load.resumed.size(),
        load.failed.size(),
        load.unknown.size(),
        Measured.percentiles(load.millis.stream().mapToLong(Long::longValue).toArray()),
        rounded(stops),
        rounded(starts));
  }

  private static List<String> rounded(List<Double> seconds) {
    return seconds.stream().map("%.1f"::formatted).toList();
  }

  private static void check(TestCluster cluster, SteadyLoad load) {
    var outcomes = Outcome.of(cluster.sql(), List.copyOf(load.started));
    assertThat(load.resumed).doesNotHaveDuplicates();
    assertThat(outcomes).containsOnlyKeys(load.started);
    assertThat(outcomes.values()).allMatch(Outcome::isGapless);
    var resumed = new HashSet<>(load.resumed);
    outcomes.forEach((id, outcome) -> {
      assertThat(outcome.resumed()).as(id).isEqualTo(resumed.contains(id) ? 1 : 0);
      assertThat(outcome.isCompleted()).as(id).isEqualTo(resumed.contains(id));
    });
  }
}
