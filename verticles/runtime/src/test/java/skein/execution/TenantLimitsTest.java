package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TenantLimitsTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private static int started(TenantLimits limits, String tenant, int wanted, long now) {
    int started = 0;
    for (int i = 0; i < wanted; i++) {
      started += limits.mayStart(tenant, now) ? 1 : 0;
    }
    return started;
  }

  @Test
  void each_tenant_starts_as_many_in_a_second_as_it_may() {
    var limits = new TenantLimits(new Quota(10, Map.of("bank", 30, "lab", 0)), Quota.UNLIMITED);

    assertThat(started(limits, "shop", 100, SECOND)).isEqualTo(10);
    assertThat(started(limits, "other", 100, SECOND)).isEqualTo(10);
    assertThat(started(limits, "bank", 100, SECOND)).isEqualTo(30);
    assertThat(started(limits, "lab", 100, SECOND)).isEqualTo(100);
    assertThat(started(limits, "", 100, SECOND)).isEqualTo(100);
    assertThat(started(limits, "shop", 100, SECOND + SECOND / 2)).isEqualTo(5);
  }

  @Test
  void starts_that_come_back_are_given_later_and_later_instants() {
    var limits = new TenantLimits(Quota.of(10), Quota.UNLIMITED);
    started(limits, "shop", 10, SECOND);

    var first = limits.untilStart("shop", SECOND);
    var second = limits.untilStart("shop", SECOND);

    assertThat(first).isPositive();
    assertThat(second).isEqualTo(first.plusMillis(100));
    assertThat(limits.untilStart("other", SECOND)).isZero();
    assertThat(limits.untilStart("", SECOND)).isZero();
  }

  @Test
  void callers_that_are_refused_do_not_delay_what_comes_back() {
    var limits = new TenantLimits(Quota.of(10), Quota.UNLIMITED);
    started(limits, "shop", 10, SECOND);
    var first = limits.untilStart("shop", SECOND);

    started(limits, "shop", 1_000, SECOND);

    assertThat(limits.untilStart("shop", SECOND)).isEqualTo(first.plusMillis(100));
  }

  @Test
  void whether_a_start_is_too_early_can_be_asked_without_counting_it() {
    var limits = new TenantLimits(Quota.of(10), Quota.UNLIMITED);
    assertThat(limits.isEarly("shop", SECOND)).isFalse();
    assertThat(started(limits, "shop", 9, SECOND)).isEqualTo(9);
    assertThat(limits.isEarly("shop", SECOND)).isFalse();
    assertThat(started(limits, "shop", 9, SECOND)).isEqualTo(1);

    assertThat(limits.isEarly("shop", SECOND)).isTrue();
    assertThat(limits.isEarly("shop", 2 * SECOND)).isFalse();
    assertThat(limits.isEarly("other", SECOND)).isFalse();
    assertThat(limits.isEarly("", SECOND)).isFalse();
  }

  @Test
  void a_tenant_is_full_with_as_many_instances_as_it_may_have() {
    var limits = new TenantLimits(Quota.UNLIMITED, new Quota(5, Map.of("bank", 50, "lab", 0)));

    limits.counted(Map.of("shop", 5L, "other", 4L, "bank", 49L, "lab", 1_000_000L, "", 9L));

    assertThat(limits.isFull("shop")).isTrue();
    assertThat(limits.isFull("other")).isFalse();
    assertThat(limits.isFull("bank")).isFalse();
    assertThat(limits.isFull("lab")).isFalse();
    assertThat(limits.isFull("")).isFalse();
    assertThat(limits.isFull("unknown")).isFalse();
  }

  @Test
  void without_limits_nothing_is_full_or_too_early() {
    TenantLimits.NONE.counted(Map.of("shop", Long.MAX_VALUE));

    assertThat(TenantLimits.NONE.isFull("shop")).isFalse();
    assertThat(started(TenantLimits.NONE, "shop", 10_000, SECOND)).isEqualTo(10_000);
  }

  @Test
  void instances_are_bounded_where_a_tenant_has_a_limit_of_them() {
    assertThat(TenantLimits.NONE.boundsInstances()).isFalse();
    assertThat(new TenantLimits(Quota.of(5), Quota.UNLIMITED).boundsInstances()).isFalse();
    assertThat(new TenantLimits(Quota.UNLIMITED, Quota.of(5)).boundsInstances()).isTrue();
    var one = new Quota(Quota.NONE, Map.of("shop", 5, "bank", Quota.NONE));
    assertThat(new TenantLimits(Quota.UNLIMITED, one).boundsInstances()).isTrue();
  }

  @Test
  void a_negative_limit_is_refused() {
    assertThatThrownBy(() -> Quota.of(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Quota(0, Map.of("shop", -1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
