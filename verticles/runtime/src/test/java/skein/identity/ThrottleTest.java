package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ThrottleTest {
  private static final String HERE = "192.0.2.1";
  private static final String THERE = "198.51.100.7";

  private long now;
  private final Throttle throttle =
      new Throttle(
          new Throttle.Options(
              3, Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofMinutes(1), 50, 2),
          () -> now);

  private void fail(int times, String address, String account) {
    for (int i = 0; i < times; i++) {
      throttle.failed(address, account);
    }
  }

  @Test
  void the_first_refusals_cost_nothing_and_each_next_one_twice_as_much_up_to_a_bound() {
    fail(2, HERE, "kim");
    assertThat(throttle.delay(HERE, "kim")).isZero();
    throttle.failed(HERE, "kim");
    assertThat(throttle.delay(HERE, "kim")).isEqualTo(Duration.ofMillis(100));
    throttle.failed(HERE, "kim");
    assertThat(throttle.delay(HERE, "kim")).isEqualTo(Duration.ofMillis(200));
    fail(1_000, HERE, "kim");
    assertThat(throttle.delay(HERE, "kim")).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void an_account_is_slow_from_everywhere_and_an_address_for_every_account() {
    fail(3, HERE, "kim");

    assertThat(throttle.delay(THERE, "KIM")).isPositive();
    assertThat(throttle.delay(HERE, "lee")).isPositive();
    assertThat(throttle.delay(THERE, "lee")).isZero();
  }

  @Test
  void who_has_got_in_from_an_address_is_not_held_up_by_guesses_from_others() {
    throttle.succeeded(THERE, "kim");
    fail(100, HERE, "kim");

    assertThat(throttle.delay(THERE, "kim")).isZero();
    assertThat(throttle.delay("203.0.113.9", "kim")).isPositive();
  }

  @Test
  void refusals_are_forgotten_after_a_while() {
    fail(100, HERE, "kim");

    now += Duration.ofSeconds(61).toNanos();

    assertThat(throttle.delay(HERE, "kim")).isZero();
    throttle.failed(HERE, "kim");
    assertThat(throttle.delay(HERE, "kim")).isZero();
  }

  @Test
  void what_is_remembered_is_bounded() {
    for (int i = 0; i < 10_000; i++) {
      throttle.failed("10.0." + i / 256 + "." + i % 256, "account-" + i);
      throttle.succeeded("10.0." + i / 256 + "." + i % 256, "account-" + i);
    }

    assertThat(throttle.size()).isEqualTo(100);
  }

  @Test
  void so_many_of_an_address_are_looked_at_at_once() {
    assertThat(throttle.enter(HERE)).isTrue();
    assertThat(throttle.enter(HERE)).isTrue();
    assertThat(throttle.enter(HERE)).isFalse();
    assertThat(throttle.enter(THERE)).isTrue();

    throttle.leave(HERE);

    assertThat(throttle.enter(HERE)).isTrue();
  }

  @Test
  void a_network_of_ipv6_is_one_address() {
    fail(3, "2001:db8:1:2:aaaa::1", "kim");

    assertThat(throttle.delay("2001:db8:1:2:bbbb::2", null)).isPositive();
    assertThat(throttle.delay("2001:db8:1:3::1", null)).isZero();
  }
}
