package skein.timers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TenureTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Tenure tenure = new Tenure(Duration.ofSeconds(9), nanos::get);

  @Test
  void a_lease_may_be_acted_on_for_two_thirds_of_its_life_from_the_question_on() {
    tenure.took(3, 7, 0);

    seconds(6);
    assertThat(tenure.leads(3)).isTrue();
    assertThat(tenure.dropLate()).isEmpty();

    nanos.incrementAndGet();
    assertThat(tenure.leads(3)).isFalse();
    assertThat(tenure.dropLate()).containsExactly(3);
    assertThat(tenure.shards()).isEmpty();
  }

  @Test
  void a_renewal_counts_from_when_it_was_asked_for_however_long_the_answer_took() {
    tenure.took(0, 1, 0);

    seconds(5);
    tenure.renewed(List.of(0), Set.of(0), nanos.get() - Duration.ofSeconds(2).toNanos());

    seconds(9);
    assertThat(tenure.leads(0)).isTrue();
    nanos.incrementAndGet();
    assertThat(tenure.leads(0)).isFalse();
  }

  @Test
  void what_was_not_renewed_is_lost_at_once_and_what_was_not_asked_for_is_kept() {
    tenure.took(0, 1, 0);
    tenure.took(1, 4, 0);
    tenure.took(2, 1, 0);

    assertThat(tenure.renewed(List.of(0, 1), Set.of(0), 0)).containsExactly(1);

    assertThat(tenure.shards()).containsExactly(0, 2);
    assertThat(tenure.leads(1)).isFalse();
    assertThat(tenure.epochs()).containsOnlyKeys(0, 2);
  }

  @Test
  void a_renewal_that_comes_after_stepping_down_brings_nothing_back() {
    tenure.took(0, 1, 0);
    seconds(7);
    tenure.dropLate();

    tenure.renewed(List.of(0), Set.of(0), nanos.get());

    assertThat(tenure.leads(0)).isFalse();
  }

  private void seconds(long at) {
    nanos.set(Duration.ofSeconds(at).toNanos());
  }
}
