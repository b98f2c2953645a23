package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class StartRateTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  @Test
  void as_many_as_in_a_second_start_at_once_and_then_as_many_a_second() {
    var rate = new StartRate(10);

    assertThat(started(rate, "bomb", 100, 5 * SECOND)).isEqualTo(10);
    assertThat(started(rate, "bomb", 100, 6 * SECOND)).isEqualTo(10);
    assertThat(started(rate, "bomb", 100, 6 * SECOND + SECOND / 2)).isEqualTo(5);
    assertThat(started(rate, "bomb", 100, 60 * SECOND)).isEqualTo(10);
  }

  private static int started(StartRate rate, String definitionId, int wanted, long now) {
    int started = 0;
    for (int i = 0; i < wanted; i++) {
      started += rate.take(definitionId, now).isZero() ? 1 : 0;
    }
    return started;
  }

  @Test
  void definitions_do_not_share() {
    var rate = new StartRate(10);
    started(rate, "bomb", 1_000, 0);

    assertThat(started(rate, "honest", 10, 0)).isEqualTo(10);
  }

  @Test
  void who_asks_again_when_told_starts_and_nobody_asks_often() {
    var rate = new StartRate(100);
    var due = new PriorityQueue<Long>();
    for (int i = 0; i < 5_000; i++) {
      due.add(0L);
    }
    int asked = 0;
    long last = 0;
    while (!due.isEmpty()) {
      long now = due.remove();
      var delay = rate.take("bulk", now);
      asked++;
      if (!delay.isZero()) {
        due.add(now + delay.toNanos());
      }
      last = now;
    }

    assertThat(asked).isLessThanOrEqualTo(2 * 5_000);
    assertThat(Duration.ofNanos(last)).isBetween(Duration.ofSeconds(49), Duration.ofSeconds(50));
  }

  @Test
  void nobody_is_sent_away_for_longer_than_an_hour() {
    var rate = new StartRate(1);
    var longest = Duration.ZERO;
    for (int i = 0; i < 5_000; i++) {
      longest = rate.take("bomb", 0);
    }

    assertThat(longest).isEqualTo(StartRate.DELAY_MAX);
  }
}
