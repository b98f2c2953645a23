package skein.node.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LatenessTest {
  @Test
  void percentiles_are_the_smallest_that_so_many_do_not_exceed() {
    var late = Lateness.of(IntStream.rangeClosed(1, 200).mapToObj(Duration::ofMillis).toList());

    assertThat(late.p50()).isEqualTo(Duration.ofMillis(100));
    assertThat(late.p99()).isEqualTo(Duration.ofMillis(198));
    assertThat(late.max()).isEqualTo(Duration.ofMillis(200));
    assertThat(late.problems(200)).isEmpty();
  }

  @Test
  void what_is_early_or_missing_is_a_problem() {
    var late = Lateness.of(List.of(Duration.ofMillis(-1), Duration.ofMillis(5)));

    assertThat(late.early()).isEqualTo(1);
    assertThat(late.problems(3))
        .containsExactly(
            "1 of 3 timers were not fired in time",
            "1 of 3 timers were fired before they were due");
  }

  @Test
  void none_is_told_as_zero() {
    var json = new JsonObject();

    Lateness.of(List.of()).addTo(json);

    assertThat(json.getDouble("latenessMaxMillis")).isZero();
    assertThat(json.getInteger("early")).isZero();
  }
}
