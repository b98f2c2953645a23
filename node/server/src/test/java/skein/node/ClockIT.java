package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The wall clock of one leader jumps an hour ahead, that of another an hour back, while timers run:
 * by the database's clock none is early and none is late for it.
 */
@ExtendWith(TestClusters.class)
@EnabledIf(value = "skein.node.WallClock#canBeSet", disabledReason = "libfaketime is not installed")
@Tag("long")
@Tag("alone")
class ClockIT {
  private static final int TIMERS = 600;
  private static final long LATE_MILLIS_MAX = 5_000;

  @Test
  void a_wall_clock_that_jumps_makes_no_timer_early_or_late(
      TestPostgres postgres, @TempDir Path folder) {
    var settings = Map.of("scheduler.shards", "6");
    try (var cluster = TestClusters.another(postgres, "clocks", 3, settings)) {
      var ahead = new WallClock(cluster.node(0), folder);
      var behind = new WallClock(cluster.node(1), folder);
      cluster.startAll();
      assertThat(new Leaders(cluster).awaitSizes(6, 2L, 2L, 2L)).isTrue();
      var log = TimerLog.of(cluster);
      cluster.api(0).publish(Workflows.delayFromInput("clocks"));

      Together.call(TIMERS, 12, number -> start(cluster, number, 3_000));
      ahead.set(Duration.ofHours(1));
      behind.set(Duration.ofHours(-1));
      assertThat(Eventually.isTrue(Duration.ofSeconds(20), () -> jumped(cluster))).isTrue();
      Together.call(TIMERS, 12, number -> start(cluster, number, 1_000));
      boolean all = Eventually.isTrue(Duration.ofSeconds(90), () -> log.gone() >= 2 * TIMERS);

      assertThat(all).as("%d of %d went", log.gone(), 2 * TIMERS).isTrue();
      assertThat(log.twice()).isZero();
      assertThat(log.early()).isZero();
      var late = log.lateMillis();
      assertThat(late[late.length - 1]).isLessThan(LATE_MILLIS_MAX);
      Measured.say(
          "clocks an hour ahead and behind",
          "%d timers late by %s",
          2 * TIMERS,
          Measured.percentiles(late));
    }
  }

  /** The nodes say so themselves, in the times of their logs. */
  private static boolean jumped(TestCluster cluster) {
    cluster.api(2).publish(Workflows.delayFromInput("jump")); // Every node logs the news.
    return hours(cluster.node(0)) == 1
        && hours(cluster.node(1)) == -1
        && hours(cluster.node(2)) == 0;
  }

  /** Ahead of the true time, to the nearest hour of a day. */
  private static long hours(ServerProcess node) {
    var time = LocalTime.parse(node.output().getLast().split(" ", 2)[0]);
    var ahead = Duration.between(LocalTime.now(ZoneId.systemDefault()), time);
    return Math.floorMod(Math.round(ahead.toSeconds() / 3600.0) + 12, 24) - 12L;
  }

  private static String start(TestCluster cluster, int number, long firstMillis) {
    long millis = firstMillis + number * 10L;
    var wait = "00:00:%02d.%03d".formatted(millis / 1000, millis % 1000);
    var request =
        new JsonObject()
            .put("definitionId", "clocks")
            .put("input", new JsonObject().put("wait", wait));
    return cluster.api(number).start(request).orThrow().json().getString("id");
  }
}
