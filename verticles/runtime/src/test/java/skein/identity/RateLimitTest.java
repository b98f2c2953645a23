package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static final String HERE = "192.0.2.1";
  private static final String THERE = "198.51.100.7";

  private long now;
  private final RateLimit limit = new RateLimit(new RateLimit.Options(10, 5, 100), () -> now);

  private int served(int requests, String address) {
    int served = 0;
    for (int i = 0; i < requests; i++) {
      served += limit.takeAt(address).isZero() ? 1 : 0;
    }
    return served;
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void after_a_burst_as_many_are_served_as_come_back() {
    assertThat(served(20, HERE)).isEqualTo(5);
    pass(Duration.ofMillis(300));
    assertThat(served(20, HERE)).isEqualTo(3);
    pass(Duration.ofDays(300));
    assertThat(served(20, HERE)).isEqualTo(5);
  }

  @Test
  void in_the_long_run_it_is_the_rate() {
    int served = 0;
    for (int i = 0; i < 10_000; i++) {
      pass(Duration.ofMillis(7));
      served += served(1, HERE);
    }
    assertThat(served).isBetween(700, 705);
  }

  @Test
  void whoever_waits_as_long_as_told_is_served() {
    served(5, HERE);
    var wait = limit.takeAt(HERE);
    assertThat(wait).isEqualTo(Duration.ofMillis(100));
    pass(wait.minusNanos(1));
    assertThat(limit.takeAt(HERE)).isPositive();
    pass(Duration.ofNanos(1));
    assertThat(limit.takeAt(HERE)).isZero();
  }

  @Test
  void callers_are_told_apart_and_addresses_of_one_network_are_not() {
    var kim = new Caller.User("kim", List.of(), Permissions.NONE);
    var namesake = new Caller.Application("kim", List.of(), Permissions.NONE);
    assertThat(served(20, HERE)).isEqualTo(5);

    assertThat(served(20, THERE)).isEqualTo(5);
    assertThat(limit.takeOf(kim)).isZero();
    assertThat(limit.takeOf(namesake)).isZero();
    assertThat(served(3, "2001:db8::1") + served(3, "2001:db8::2")).isEqualTo(5);
    assertThat(served(1, "2001:db8:0:1::1")).isEqualTo(1);
  }

  @Test
  void no_more_are_remembered_than_may_be() {
    for (int i = 0; i < 10_000; i++) {
      limit.takeAt("10.0." + i / 250 + "." + i % 250);
    }

    assertThat(limit.size()).isEqualTo(100);
  }

  @Test
  void the_largest_rates_are_counted_without_overflow() {
    var large = new RateLimit(new RateLimit.Options(1_000_000_000, 1_000_000, 1), () -> now);
    pass(Duration.ofDays(10_000));
    assertThat(large.takeAt(HERE)).isZero();
    pass(Duration.ofDays(10_000));
    for (int i = 0; i < 1_000_000; i++) {
      assertThat(large.takeAt(HERE).isZero()).isTrue();
    }
    assertThat(large.takeAt(HERE)).isEqualTo(Duration.ofNanos(1));
  }
}
