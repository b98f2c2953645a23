package skein.node.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  @Test
  void medians_are_compared_and_the_ratios_of_pairs_are_their_spread() {
    var json = comparison(List.of(2.0, 1.0, 3.0), List.of(4.0, 4.0, 2.0)).toJson();

    assertThat(json.getString("comparedTo")).isEqualTo("other");
    assertThat(json.getInteger("runs")).isEqualTo(3);
    var cpu = json.getJsonObject("nodeCpuSecondsPer1000");
    assertThat(cpu.getDouble("here")).isEqualTo(2.0);
    assertThat(cpu.getDouble("there")).isEqualTo(4.0);
    assertThat(cpu.getDouble("ratio")).isEqualTo(0.5);
    assertThat(cpu.getDouble("ratioMin")).isEqualTo(0.25);
    assertThat(cpu.getDouble("ratioMax")).isEqualTo(1.5);
  }

  @Test
  void what_one_side_does_not_see_is_not_compared() {
    var comparison =
        new Comparison("other", List.of(result(1.0, 0)), List.of(result(Double.NaN, 0)));

    assertThat(comparison.toJson().containsKey("nodeCpuSecondsPer1000")).isTrue();
    assertThat(comparison.toJson().getValue("nodeCpuSecondsPer1000")).isNull();
  }

  @Test
  void a_figure_that_is_zero_there_has_no_ratio() {
    var cpu =
        comparison(List.of(1.0), List.of(0.0)).toJson().getJsonObject("nodeCpuSecondsPer1000");

    assertThat(cpu.getDouble("there")).isZero();
    assertThat(cpu.getValue("ratio")).isNull();
  }

  @Test
  void the_table_has_a_line_for_each_figure() {
    var table = comparison(List.of(2.0, 1.0, 3.0), List.of(4.0, 4.0, 2.0)).table();

    assertThat(table).startsWith("start, 16 callers, 3 runs of each; there is other");
    assertThat(table.lines())
        .anyMatch(line -> line.matches("nodeCpuSecondsPer1000 +2.0 +4.0 +0.5 +0.25 to 1.5"));
  }

  @Test
  void failures_say_of_which_build_they_are() {
    var comparison = new Comparison("other", List.of(result(1, 1)), List.of(result(1, 1)));

    assertThat(comparison.failures())
        .containsExactly(
            "start with 16 callers: 1 of 1001 operations failed",
            "  it broke",
            "other: start with 16 callers: 1 of 1001 operations failed",
            "other:   it broke");
    assertThat(new Comparisons(List.of(comparison)).failures()).hasSize(4);
  }

  @Test
  void runs_without_a_partner_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> comparison(List.of(1.0, 2.0), List.of(1.0)));
  }

  private static Comparison comparison(List<Double> here, List<Double> there) {
    return new Comparison("other", results(here), results(there));
  }

  private static List<Result> results(List<Double> cpuSeconds) {
    return cpuSeconds.stream().map(seconds -> result(seconds, 0)).toList();
  }

  /** Of a thousand operations; without processor time of nodes when it is no number. */
  private static Result result(double cpuSeconds, long failures) {
    var micros = Outcome.histogram();
    Outcome.record(micros, 1_000_000);
    var errors = Stream.of("it broke").limit(failures).toList();
    var outcome = new Outcome(1_000, failures, errors, micros, 1_000_000_000L);
    var cost = new Reading(1_000, 10, 1, Double.isNaN(cpuSeconds) ? null : cpuSeconds, 1.0, 1_000L);
    return new Result(
        new Result.Setup("start", 16, 1, null),
        Measured.of(outcome, cost),
        List.of(1_000.0),
        Limit.Figure.NOT_MEASURED,
        new JsonObject().put("postgresqlSettings", new JsonObject()),
        new JsonObject());
  }
}
