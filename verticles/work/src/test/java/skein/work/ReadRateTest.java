package skein.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReadRateTest {
  private static final int LARGE = 1_000;
  private static final int PER_SECOND = 10_000;

  private final AtomicLong now = new AtomicLong();
  private final ReadRate rate =
      new ReadRate(new SqlWorkOptions.Reading(LARGE, PER_SECOND), now::get);

  @Test
  void small_results_are_read_at_once_whatever_others_read() {
    rate.pauseMillis(0, 100 * PER_SECOND);

    assertThat(rate.pauseMillis(0, LARGE)).isZero();
    assertThat(rate.pauseMillis(LARGE - 1, 1)).isZero();
  }

  @Test
  void what_is_more_has_its_pace() {
    // A tenth of a second may be had at once.
    assertThat(rate.pauseMillis(0, LARGE + PER_SECOND / 10)).isZero();
    assertThat(rate.pauseMillis(LARGE, PER_SECOND)).isEqualTo(1_000);
    assertThat(rate.pauseMillis(LARGE - 5, 5 + PER_SECOND)).isEqualTo(2_000);

    now.addAndGet(2_000_000_000L);
    assertThat(rate.pauseMillis(LARGE, PER_SECOND / 2)).isEqualTo(500);
  }

  @Test
  void time_without_large_results_is_not_saved_up() {
    now.addAndGet(3_600_000_000_000L);

    assertThat(rate.pauseMillis(LARGE, PER_SECOND)).isEqualTo(900);
  }

  @Test
  void limits_that_make_no_sense_are_refused() {
    assertThatThrownBy(() -> new SqlWorkOptions.Reading(-1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SqlWorkOptions.Reading(0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
