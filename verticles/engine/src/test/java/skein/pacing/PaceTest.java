package skein.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import skein.pacing.Pace.Limits;

class PaceTest {
  private static final Duration FREE = Duration.ofMillis(5);
  private static final Duration SAVED = Duration.ofMillis(50);

  private long now = 1_000_000_000_000L;
  private long slept;
  private long longestSleep;

  private Pace pace(double processors, Duration free, Duration saved) {
    return new Pace(new Limits(processors, free, saved), () -> now, this::sleep);
  }

  private void sleep(long nanos) {
    now += nanos;
    slept += nanos;
    longestSleep = Math.max(longestSleep, nanos);
  }

  /** Work that asks every tenth of a millisecond; in milliseconds that it needs. */
  private Void work(long millis) {
    for (long i = 0; i < 10 * millis; i++) {
      now += 100_000;
      Pace.pause();
    }
    return null;
  }

  @Test
  void heavy_work_pauses_until_it_has_had_its_share() throws Exception {
    var pace = pace(0.5, Duration.ZERO, Duration.ZERO);

    pace.run(() -> work(500));

    assertThat(slept).isCloseTo(Duration.ofMillis(500).toNanos(), within(10_000_000L));
    assertThat(longestSleep).isLessThanOrEqualTo(3_000_000);
  }

  @Test
  void short_work_never_pauses_however_much_there_is_of_it() throws Exception {
    var pace = pace(0.5, FREE, Duration.ZERO);

    for (int i = 0; i < 100; i++) {
      pace.run(() -> work(FREE.toMillis()));
    }

    assertThat(slept).isZero();
  }

  @Test
  void what_was_not_used_is_saved_up_to_a_bound() throws Exception {
    var pace = pace(0.5, Duration.ZERO, SAVED);
    pace.run(() -> work(20)); // 40 ms of those saved
    assertThat(slept).isZero();

    now += Duration.ofHours(1).toNanos();
    pace.run(() -> work(20));
    assertThat(slept).isZero();
    pace.run(() -> work(100));

    assertThat(slept).isPositive();
  }

  @Test
  void pieces_share_what_there_is() throws Exception {
    var pace = pace(0.5, Duration.ZERO, Duration.ZERO);

    for (int i = 0; i < 10; i++) {
      pace.run(() -> work(50));
    }

    assertThat(slept).isCloseTo(Duration.ofMillis(500).toNanos(), within(10_000_000L));
  }

  @Test
  void after_a_long_time_without_asking_the_debt_is_paid_in_short_pauses() throws Exception {
    var pace = pace(0.25, Duration.ZERO, Duration.ZERO);

    pace.run(() -> {
      now += Duration.ofMillis(300).toNanos();
      return work(100);
    });

    assertThat(longestSleep).isLessThanOrEqualTo(50_000_000);
    assertThat(slept).isGreaterThan(Duration.ofMillis(900).toNanos());
  }

  @Test
  void work_that_is_not_paced_does_not_pause() {
    pace(0.1, Duration.ZERO, Duration.ZERO);

    work(1_000);

    assertThat(slept).isZero();
  }

  @Test
  void an_unlimited_pace_never_pauses() throws Exception {
    var pace = new Pace(Limits.NONE, () -> now, this::sleep);

    pace.run(() -> work(1_000));

    assertThat(slept).isZero();
  }

  @Test
  void results_and_failures_come_through() throws Exception {
    assertThat(Pace.unlimited().run(() -> "result")).isEqualTo("result");
    assertThatThrownBy(() ->
            Pace.unlimited()
                .run(() -> {
                  throw new IllegalStateException("failure");
                }))
        .hasMessage("failure");
  }

  @Test
  void a_share_of_nothing_is_refused() {
    assertThatThrownBy(() -> new Limits(0, FREE, SAVED))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Limits(Double.NaN, FREE, SAVED))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
