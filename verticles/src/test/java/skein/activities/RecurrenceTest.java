package skein.activities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecurrenceTest {
  private static final Instant SUNDAY = Instant.parse("2026-03-01T10:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 0 * * * *      | 2026-03-01T11:00:00Z",
        "*/15 * * * *     | 2026-03-01T10:15:00Z",
        "30 0 10 * * *    | 2026-03-01T10:00:30Z",
        "0 0 9 * * MON    | 2026-03-02T09:00:00Z",
        "0 0 9 * * 0      | 2026-03-08T09:00:00Z",
        "0 0 9 * * 7      | 2026-03-08T09:00:00Z",
        "0 0 9 * * 1-5    | 2026-03-02T09:00:00Z",
        "0 0 0 L * *      | 2026-03-31T00:00:00Z",
        "0 0 0 29 2 *     | 2028-02-29T00:00:00Z",
        "0 0 0 13 * FRI   | 2026-03-13T00:00:00Z",
        "0 0 0 1 JAN ?    | 2027-01-01T00:00:00Z"
      })
  void a_cron_expression_says_its_next_occurrence(String expression, String next) {
    assertThat(CronSchedule.parse(expression).next(SUNDAY)).isEqualTo(next);
  }

  @Test
  void a_day_that_never_comes_has_no_occurrence() {
    assertThat(CronSchedule.parse("0 0 0 30 2 *").next(SUNDAY)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"BadCronExpression", "* * * *", "61 * * * * *", "0 0 25 * * *", ""})
  void what_is_no_cron_expression_is_refused(String expression) {
    assertThatThrownBy(() -> CronSchedule.parse(expression))
        .isInstanceOf(FaultException.class)
        .hasMessageStartingWith(
            "Error when parsing cron expression: The given cron expression has an invalid format.");
  }

  @Test
  void a_timer_keeps_to_its_grid_however_late_it_is() {
    var payload = Map.of("startAt", "2026-03-01T10:00:00Z", "interval", "PT1M");

    assertThat(Recurrence.next("Elsa.Timer", payload, SUNDAY)).isEqualTo("2026-03-01T10:01:00Z");
    assertThat(Recurrence.next("Elsa.Timer", payload, SUNDAY.plusSeconds(150)))
        .isEqualTo("2026-03-01T10:03:00Z");
    assertThat(Recurrence.next("Elsa.Timer", payload, SUNDAY.minusSeconds(1)))
        .isEqualTo("2026-03-01T10:00:00Z");
    assertThat(Recurrence.next("Elsa.StartAt", payload, SUNDAY)).isNull();
  }
}
