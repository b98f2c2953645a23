package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class OverviewStoreTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void buckets_are_as_small_as_a_curve_of_120_of_them_allows() {
    assertThat(OverviewStore.bucket(null, NOW)).isEqualTo(Duration.ofSeconds(1));
    assertThat(OverviewStore.bucket(NOW.minus(Duration.ofMinutes(1)), NOW))
        .isEqualTo(Duration.ofSeconds(1));
    assertThat(OverviewStore.bucket(NOW.minus(Duration.ofHours(1)), NOW))
        .isEqualTo(Duration.ofSeconds(30));
    assertThat(OverviewStore.bucket(NOW.minus(Duration.ofDays(1)), NOW))
        .isEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void any_time_is_covered_by_121_buckets() {
    for (long seconds = 1; seconds < 100L * 366 * 86_400; seconds = seconds * 3 / 2 + 1) {
      var bucket = OverviewStore.bucket(NOW.minusSeconds(seconds), NOW);

      assertThat(seconds / bucket.toSeconds()).as("%d s", seconds).isLessThanOrEqualTo(121);
    }
  }

  @Test
  void a_clock_that_stands_before_the_newest_instance_makes_no_negative_bucket() {
    assertThat(OverviewStore.bucket(NOW.plusSeconds(9), NOW)).isEqualTo(Duration.ofSeconds(1));
  }
}
