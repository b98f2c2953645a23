package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Four nodes in two zones, one of which is lost while they work. */
@ExtendWith(TestClusters.class)
@Tag("long")
@Tag("alone")
class ZoneLossIT {
  private static final int PER_SECOND = 50;
  private static final int BEFORE = 500;
  private static final int AFTER = 500;
  private static final int TIMERS = 100;
  private static final int WAIT_SECONDS = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @Test
  void a_zone_that_is_lost_at_once_takes_nothing_with_it(TestPostgres postgres) {
    var zones = List.of("a", "b", "a", "b").stream().map(z -> Map.of("cluster.zone", z)).toList();
    try (var cluster = TestClusters.another(postgres, "zones", 4, Map.of(), zones)) {
      cluster.startAll();
      var stay = List.of(cluster.node(0), cluster.node(2));
      var lost = List.of(cluster.node(1), cluster.node(3));
      cluster.api(0).publish(Workflows.approval("approve"));
      cluster.api(0).publish(Workflows.delay("wait", WAIT_SECONDS));
      var timers = Together.call(TIMERS, 8, number -> cluster.api(number).start("wait"));
      var load = new SteadyLoad(cluster.api(0), "approve", PER_SECOND);
      long killed;
      double tookOver;
      try (load) {
        assertThat(Eventually.isTrue(PATIENCE, () -> load.answered() >= BEFORE)).isTrue();
        load.millis.clear();
        lost.forEach(ServerProcess::sendKill);
        killed = System.nanoTime();
        assertThat(Eventually.isTrue(PATIENCE, () -> seeEachOtherAlone(stay))).isTrue();
        tookOver = Measured.seconds(killed);
        assertThat(Eventually.isTrue(PATIENCE, () -> load.answered() >= AFTER)).isTrue();
      }

      var ids = new ArrayList<>(timers);
      ids.addAll(load.started);
      var all = Outcome.of(cluster.sql(), ids);
      assertThat(all).as("what was acknowledged").hasSize(new HashSet<>(ids).size());
      assertThat(all.values()).allMatch(Outcome::isGapless);
      assertThat(Outcome.of(cluster.sql(), load.resumed).values())
          .hasSize(load.resumed.size())
          .allMatch(Outcome::isCompleted)
          .allMatch(outcome -> outcome.resumed() == 1);
      assertThat(
              Eventually.isTrue(
                  PATIENCE,
                  () ->
                      Outcome.of(cluster.sql(), timers).values().stream()
                          .allMatch(Outcome::isCompleted)))
          .as("timers that a lost node had set")
          .isTrue();
      assertThat(Outcome.of(cluster.sql(), timers).values())
          .allMatch(outcome -> outcome.lines() == 1 && outcome.resumed() == 1);
      assertThat(load.failed).isEmpty();
      Measured.say(
          "zone lost",
          "members agree %.1f s after SIGKILL to two of four; %s; %d refused, %d unknown",
          tookOver,
          Measured.percentiles(load.millis.stream().mapToLong(Long::longValue).toArray()),
          load.failed.size(),
          load.unknown.size());
    }
  }

  private static boolean seeEachOtherAlone(List<ServerProcess> nodes) {
    return nodes.stream()
        .allMatch(node -> Objects.equals(Scrapes.of(node).get("skein_cluster_members"), 2.0));
  }
}
