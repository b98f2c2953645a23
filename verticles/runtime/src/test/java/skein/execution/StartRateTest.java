package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class StartRateTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long MILLISECOND = Duration.ofMillis(1).toNanos();

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
  void each_of_many_definitions_has_its_rate_however_many_take_turns() {
    var rate = new StartRate(10);
    int definitions = 5 * StartRate.OWNERS_MIN;
    int started = 0;
    for (int round = 0; round < 15; round++) {
      for (int i = 0; i < definitions; i++) {
        started += rate.take("d" + i, round).isZero() ? 1 : 0;
      }
    }

    assertThat(started).isEqualTo(10 * definitions);
    assertThat(rate.isTakenByCaller("new", 0)).isTrue();
    assertThat(rate.isSpent("d0", 0)).isTrue();
  }

  @Test
  void postponed_starts_keep_their_instants_while_others_are_forgotten() {
    var rate = new StartRate(1);
    var last = Duration.ZERO;
    for (int i = 0; i < 7; i++) {
      last = rate.take("bulk", 0);
    }
    for (int i = 0; i < 3 * StartRate.OWNERS_MIN; i++) {
      rate.take("d" + i, SECOND + i);
    }

    assertThat(last).isGreaterThan(Duration.ofSeconds(6));
    assertThat(rate.later("bulk", 2 * SECOND).plusSeconds(2)).isEqualTo(last.plusSeconds(10));
  }

  @Test
  void definitions_that_started_nothing_for_a_second_are_forgotten() {
    var rate = new StartRate(10);
    for (int second = 0; second < 10; second++) {
      for (int i = 0; i < StartRate.OWNERS_MIN; i++) {
        rate.isTakenByCaller("d" + second + " " + i, 2L * second * SECOND);
      }
    }

    assertThat(rate.owners()).isLessThanOrEqualTo(2 * StartRate.OWNERS_MIN);
    assertThat(started(rate, "d0 0", 20, 20 * SECOND)).isEqualTo(10);
  }

  @Test
  void a_caller_that_asks_again_when_told_starts_and_none_asks_often() {
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
  void callers_who_never_stop_leave_every_second_start_to_those_that_were_postponed() {
    for (int perSecond : new int[] {1, 3, 10, 100}) {
      var rate = new StartRate(perSecond);
      var due = new PriorityQueue<Long>();
      int byCallers = byCallers(rate, 0);
      for (int i = 0; i < 5 * perSecond; i++) {
        due.add(rate.take("shop", 0).toNanos());
      }
      assertThat(due).as("postponed").doesNotContain(0L);

      long now = 0;
      while (!due.isEmpty() && now < 60 * SECOND) {
        now += MILLISECOND;
        byCallers += byCallers(rate, now); // Always before what comes back.
        comeBack(rate, due, now);
      }

      assertThat(Duration.ofNanos(now))
          .as("until all of five seconds are started, %d a second", perSecond)
          .isLessThanOrEqualTo(Duration.ofSeconds(12));
      assertThat(byCallers)
          .as("by callers, %d a second", perSecond)
          .isGreaterThanOrEqualTo(4 * perSecond);
    }
  }

  /** Those that are due start, or are given another instant. */
  private static void comeBack(StartRate rate, PriorityQueue<Long> due, long now) {
    for (Long next = due.peek(); next != null && next <= now; next = due.peek()) {
      due.remove();
      var delay = rate.take("shop", now);
      if (!delay.isZero()) {
        due.add(now + delay.toNanos());
      }
    }
  }

  @Test
  void callers_have_all_starts_again_when_no_postponed_one_is_expected() {
    var rate = new StartRate(10);
    assertThat(byCallers(rate, 0)).isEqualTo(10);
    var last = rate.take("shop", 0).toNanos();
    long over = last + StartRate.LATE_MAX.toNanos();

    assertThat(byCallers(rate, last + SECOND)).isEqualTo(5);
    assertThat(rate.isSpentForCallers("shop", last + SECOND)).isTrue();
    assertThat(rate.isSpent("shop", last + SECOND)).as("for those that come back").isFalse();
    assertThat(byCallers(rate, over + SECOND)).isEqualTo(10);
    assertThat(byCallers(rate, over + 2 * SECOND)).isEqualTo(10);
  }

  /** As many as callers may start at this moment. */
  private static int byCallers(StartRate rate, long now) {
    int started = 0;
    while (rate.isTakenByCaller("shop", now)) {
      started++;
    }
    return started;
  }

  @Test
  void no_start_is_postponed_for_longer_than_an_hour() {
    var rate = new StartRate(1);
    var longest = Duration.ZERO;
    for (int i = 0; i < 5_000; i++) {
      longest = rate.take("bomb", 0);
    }

    assertThat(longest).isEqualTo(StartRate.DELAY_MAX);
  }
}
