package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** This version and the next one, in one cluster and on one database. */
@ExtendWith(TestClusters.class)
@Tag("long")
class MixedVersionsIT {
  private static final Duration EXIT_MAX = Duration.ofSeconds(60);
  private static final Duration END_MAX = Duration.ofMinutes(2);
  private static final int NODES = 3;
  private static final int STAGE = 30;
  private static final Map<String, String> SETTINGS =
      Map.of(
          "upgrades.rollback-window", "5s",
          "upgrades.look-interval", "500ms",
          "cluster.heartbeat-timeout", "30s", // Members that seem dead are another test's.
          "timers.retry-delay", "1s",
          "timers.retry-delay-max", "4s");

  @Test
  void an_upgrade_goes_forward_and_back_under_load_and_fails_nothing(TestPostgres postgres) {
    var next = NextVersion.jar(TestClusters.folder());
    var now = Path.of(ServerProcess.jar());
    try (var cluster = TestClusters.another(postgres, "mixed", NODES, SETTINGS)) {
      cluster.startAll();
      var load = new VersionsLoad(cluster);
      load.begin();
      more(load, "with this version alone");

      restart(cluster, 2, next);
      more(load, "with the next version beside this one, which has migrated");
      assertThat(schema(cluster)).isEqualTo(NextVersion.NEWEST_SCHEMA);
      assertThat(ofNextFormat(cluster)).as("states that this version could not read").isZero();

      restart(cluster, 1, next);
      restart(cluster, 0, next);
      boolean written =
          Eventually.isTrue(Duration.ofSeconds(60), () -> ofNextFormat(cluster) > STAGE);
      assertThat(written).as("states in the next format when no node needs the old one").isTrue();
      cluster.api(0).publish(Workflows.approval("left"));
      var waiting = started(cluster, "left");

      restart(cluster, 0, now);
      more(load, "with one node rolled back");
      restart(cluster, 1, now);
      more(load, "with two nodes rolled back");
      assertThat(load.end()).as("all callers have ended").isTrue();
      assertThat(load.failed).as("calls that failed").isEmpty();
      check(cluster, load.resumed, 2);
      check(cluster, load.delayed, 1);
      Measured.say(
          "two versions",
          "%d resumed and %d fired on the way forward and back, none failed",
          load.resumed.size(),
          load.delayed.size());

      restart(cluster, 2, now);
      isLeftAlone(cluster, waiting);
      restart(cluster, 1, next);
      check(cluster, waiting, 2);
    }
  }

  private static List<String> started(TestCluster cluster, String definitionId) {
    return IntStream.range(0, 6).mapToObj(i -> cluster.api(i).start(definitionId)).toList();
  }

  private static void more(VersionsLoad load, String when) {
    assertThat(load.awaitMore(STAGE))
        .as("%d more %s; failed: %s", STAGE, when, load.failed)
        .isTrue();
  }

  private static void restart(TestCluster cluster, int number, Path jar) {
    var node = cluster.node(number);
    node.terminate();
    node.awaitExit(EXIT_MAX);
    node.runs(jar);
    node.start();
    node.awaitReady();
  }

  private static long schema(TestCluster cluster) {
    return cluster.sql().number("select max(version)::bigint from schema_version");
  }

  private static long ofNextFormat(TestCluster cluster) {
    return cluster
        .sql()
        .number(
            "select count(*) from workflow_instances where get_byte(state, 0) = $1",
            NextVersion.NEWEST_FORMAT);
  }

  /** This version alone neither fails them nor drops the event that is on its way to them. */
  private static void isLeftAlone(TestCluster cluster, List<String> waiting) {
    for (int i = 0; i < NODES; i++) {
      var answer = cluster.api(i).resume(waiting.get(i));
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.code()).isEqualTo("NEWER_FORMAT");
    }
    cluster.api(0).http().post("/elsa/api/events/Approve/trigger").orThrow();
    boolean postponed =
        Eventually.isTrue(
            END_MAX,
            () -> cluster.sql().number("select count(*) from timers where attempts > 1") > 0);
    assertThat(postponed).as("timers are postponed").isTrue();
    assertThat(cluster.logged("timer.left_to_newer")).hasSizeBetween(1, 2 * NODES);
    assertThat(
            cluster
                .sql()
                .number("select count(*) from workflow_instances where status = 'Faulted'"))
        .isZero();
  }

  /** {@code lines}: that each of them writes. */
  private static void check(TestCluster cluster, Collection<String> ids, int lines) {
    var outcomes =
        Eventually.get(
            END_MAX,
            () -> Outcome.of(cluster.sql(), ids),
            found -> found.values().stream().allMatch(Outcome::isCompleted));
    assertThat(outcomes).hasSize(ids.size());
    assertThat(outcomes.values())
        .allMatch(Outcome::isCompleted)
        .allMatch(Outcome::isGapless)
        .allMatch(outcome -> outcome.lines() == lines && outcome.resumed() == 1);
  }
}
