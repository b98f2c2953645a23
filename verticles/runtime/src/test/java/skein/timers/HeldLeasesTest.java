package skein.timers;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import skein.loop.EventLoop;

class HeldLeasesTest {
  private final AtomicLong nanos = new AtomicLong();
  private final HeldLeases heldLeases = new HeldLeases(new StoppedLoop(), Duration.ofSeconds(9));

  @Test
  void a_lease_may_be_acted_on_for_two_thirds_of_its_life_from_the_question_on() {
    heldLeases.took(3, 7, 0);

    seconds(6);
    assertThat(heldLeases.leads(3)).isTrue();
    assertThat(heldLeases.dropLate()).isEmpty();

    nanos.incrementAndGet();
    assertThat(heldLeases.leads(3)).isFalse();
    assertThat(heldLeases.dropLate()).containsExactly(3);
    assertThat(heldLeases.shards()).isEmpty();
  }

  @Test
  void a_renewal_counts_from_when_it_was_asked_for_however_long_the_answer_took() {
    heldLeases.took(0, 1, 0);

    seconds(5);
    heldLeases.renewed(List.of(0), Set.of(0), nanos.get() - Duration.ofSeconds(2).toNanos());

    seconds(9);
    assertThat(heldLeases.leads(0)).isTrue();
    nanos.incrementAndGet();
    assertThat(heldLeases.leads(0)).isFalse();
  }

  @Test
  void what_was_not_renewed_is_lost_at_once_and_what_was_not_asked_for_is_kept() {
    heldLeases.took(0, 1, 0);
    heldLeases.took(1, 4, 0);
    heldLeases.took(2, 1, 0);

    assertThat(heldLeases.renewed(List.of(0, 1), Set.of(0), 0)).containsExactly(1);

    assertThat(heldLeases.shards()).containsExactly(0, 2);
    assertThat(heldLeases.leads(1)).isFalse();
    assertThat(heldLeases.epochs()).containsOnlyKeys(0, 2);
  }

  @Test
  void a_renewal_that_comes_after_stepping_down_brings_nothing_back() {
    heldLeases.took(0, 1, 0);
    seconds(7);
    heldLeases.dropLate();

    heldLeases.renewed(List.of(0), Set.of(0), nanos.get());

    assertThat(heldLeases.leads(0)).isFalse();
  }

  private void seconds(long at) {
    nanos.set(Duration.ofSeconds(at).toNanos());
  }

  /** Always the current one; nothing but its time is asked for. */
  private final class StoppedLoop implements EventLoop {
    @Override
    public boolean isCurrent() {
      return true;
    }

    @Override
    public long nanoTime() {
      return nanos.get();
    }

    @Override
    public void execute(Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Cancellable repeat(Duration interval, Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Void> after(Duration delay) {
      throw new UnsupportedOperationException();
    }
  }
}
