package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Whether this commit costs more than another one, in processor time of the node for one operation,
 * which varies less than rates do. Takes a quarter of an hour of an otherwise idle machine, so it
 * runs only when the property names the other commit.
 */
@Tag("long")
@Tag("alone")
@EnabledIfSystemProperty(named = PerformanceIT.AGAINST, matches = ".+")
class PerformanceIT {
  static final String AGAINST = "skein.performance";
  private static final String SCENARIOS = "resume,start,steps";
  private static final double RATIO_MAX = 1.15;
  private static final Duration RUN_MAX = Duration.ofHours(1);
  private static final Path LAUNCHER = Path.of("..", "skein");

  @Test
  void an_operation_costs_no_more_than_15_percent_more_than_in_the_other_commit() throws Exception {
    var results = new JsonArray(compare(System.getProperty(AGAINST)));

    assertThat(results).hasSize(SCENARIOS.split(",").length);
    assertThat(results.stream().map(JsonObject.class::cast))
        .allSatisfy(result ->
            assertThat(result.getJsonObject("nodeCpuSecondsPer1000").getDouble("ratio"))
                .as(result.encodePrettily())
                .isPositive()
                .isLessThanOrEqualTo(RATIO_MAX));
  }

  /** What the command writes to its output. */
  private static String compare(String commit) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(
                LAUNCHER.toAbsolutePath().normalize().toString(),
                "bench",
                "--compare",
                commit,
                "--scenario",
                SCENARIOS,
                "--callers",
                "64",
                "--seconds",
                "10",
                "--warmup",
                "40",
                "--output",
                "json")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var output = process.getInputStream()) {
      var text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(RUN_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      return text;
    } finally {
      process.destroy();
    }
  }
}
