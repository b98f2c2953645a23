package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long a node waits between two looks at a lock that another one holds. */
class LockRetryTest {
  private static final ExecutionOptions.Contention GUIDE =
      new ExecutionOptions.Contention(
          Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofMillis(500), 5);

  @ParameterizedTest
  @CsvSource({
    "1, 0.9, 100",
    "2, 0.5, 150",
    "3, 0.5, 250",
    "4, 0, 100",
    "4, 0.5, 300",
    "99, 0.5, 300"
  })
  void a_wait_is_drawn_below_a_bound_that_doubles_up_to_the_most(
      int looks, double random, long millis) {
    assertThat(GUIDE.lockRetryDelay(looks, random)).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void a_most_below_the_least_does_not_count() {
    var fixed =
        new ExecutionOptions.Contention(
            Duration.ofSeconds(30), Duration.ofMillis(50), Duration.ofMillis(1), 5);

    assertThat(fixed.lockRetryDelay(9, 0.99)).isEqualTo(Duration.ofMillis(50));
  }
}
