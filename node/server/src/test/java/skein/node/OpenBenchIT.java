package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scenarios whose callers, or timers, do not wait for one another. */
@Tag("long")
class OpenBenchIT {
  @Test
  void starts_are_measured_while_a_backlog_is_worked_off() throws Exception {
    var result =
        new JsonObject(
            BenchRun.measure(
                BenchRun.LIMIT_NOT_MEASURED,
                "--scenario",
                "catch-up",
                "--due",
                "2000",
                "--rate",
                "50"));

    assertThat(result.getLong("failures")).isZero();
    assertThat(result.getLong("operations")).isPositive();
    assertThat(result.getDouble("usualP99Millis")).isPositive();
    assertThat(result.getDouble("p99ToUsual")).isPositive();
    assertThat(result.getDouble("caughtUpPerSecond")).isPositive();
  }

  @Test
  void timers_are_measured_and_none_is_early() throws Exception {
    var result =
        new JsonObject(
            BenchRun.measure(
                BenchRun.LIMIT_NOT_MEASURED,
                "--scenario",
                "timers",
                "--pending",
                "1000",
                "--due",
                "200",
                "--rate",
                "50"));

    assertThat(result.getLong("failures")).isZero();
    assertThat(result.getLong("operations")).isEqualTo(200);
    assertThat(result.getInteger("early")).isZero();
    assertThat(result.getString("latenessBy")).isEqualTo("commit");
    assertThat(result.getDouble("drainedPerSecond")).isPositive();
    assertThat(result.getDouble("latenessMaxMillis"))
        .isGreaterThanOrEqualTo(result.getDouble("latenessP50Millis"));
    assertThat(result.getLong("readyMillisWithoutPending")).isPositive();
    assertThat(result.getLong("readyMillisWithPending")).isPositive();
  }

  @Test
  void a_long_run_tells_what_the_nodes_held_on_the_way() throws Exception {
    var result =
        new JsonObject(
            BenchRun.measure(
                BenchRun.LIMIT_NOT_MEASURED,
                "--scenario",
                "soak",
                "--rate",
                "20",
                "--waiting",
                "100"));

    assertThat(result.getLong("failures")).isZero();
    assertThat(result.getJsonArray("curve")).isNotEmpty();
    var first = result.getJsonArray("curve").getJsonObject(0);
    for (var figure : List.of("rssBytes", "heapUsedBytes", "threads")) {
      assertThat(first.getJsonArray(figure).getLong(0)).as(figure).isPositive();
    }
    assertThat(result.getJsonArray("liveHeapBytesAfter").getLong(0)).isPositive();
  }
}
