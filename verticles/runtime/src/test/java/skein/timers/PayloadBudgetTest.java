package skein.timers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import skein.loop.SimulatedLoop;
import skein.loop.Simulator;

/** A hundred bytes, which two shards share. */
class PayloadBudgetTest {
  private final Simulator simulator = new Simulator(1);
  private final SimulatedLoop loop = simulator.newLoop("n1");
  private final List<String> woken = new ArrayList<>();
  private final PayloadBudget budget = new PayloadBudget(loop, 100);
  private final PayloadBudget.Share a = share("a");
  private final PayloadBudget.Share b = share("b");

  private PayloadBudget.Share share(String name) {
    return on(() -> budget.share(() -> woken.add(name)));
  }

  private <T> T on(Supplier<T> task) {
    return simulator.seenOn(loop, task);
  }

  private void run(Runnable task) {
    on(() -> {
      task.run();
      return true;
    });
  }

  private long take(PayloadBudget.Share share) {
    return on(share::take);
  }

  /** It has none in the end, and waits for some. */
  private void makeWait(PayloadBudget.Share share) {
    assertThat(take(share)).as("one payload").isEqualTo(1);
    assertThat(take(share)).as("more than there is").isZero();
    run(() -> share.settle(1, 0));
  }

  @Test
  void each_takes_an_equal_part_at_a_time_and_one_alone_all_of_it() {
    assertThat(take(a)).isEqualTo(50);
    assertThat(take(a)).isEqualTo(50);
    assertThat(take(a)).isZero();
    assertThat(on(budget::taken)).isEqualTo(100);
  }

  @Test
  void what_was_read_counts_in_place_of_what_was_taken_for_it() {
    long taken = take(a);
    run(() -> a.settle(taken, 30));
    assertThat(on(budget::taken)).isEqualTo(30);
    long more = take(a);
    run(() -> a.settle(more, 200));
    makeWait(b);
    run(() -> a.giveBack(200));
    assertThat(woken).contains("b");
    assertThat(take(b)).isEqualTo(50);
  }

  @Test
  void one_that_waits_comes_before_one_that_had_some() {
    take(a);
    take(a);
    makeWait(b);
    run(() -> a.giveBack(20));
    assertThat(woken).containsExactly("b");

    assertThat(take(a)).as("the other one is first").isZero();
    assertThat(take(b)).isEqualTo(20);
    run(() -> a.giveBack(20));
    assertThat(take(b)).isZero();
    assertThat(take(a)).isEqualTo(20);
  }

  @Test
  void one_that_withdraws_or_ends_lets_the_next_one_in() {
    take(a);
    take(a);
    makeWait(b);
    assertThat(take(a)).isZero();
    run(() -> a.giveBack(10));
    assertThat(woken).containsExactly("b");

    run(b::withdraw);
    assertThat(woken).containsExactly("b", "a");
    assertThat(take(a)).isEqualTo(10);

    makeWait(b);
    assertThat(take(a)).isZero();
    run(b::end);
    run(b::end);
    run(() -> a.giveBack(60));
    assertThat(woken).endsWith("a");
    assertThat(take(a)).as("alone").isEqualTo(60);
    assertThat(take(b)).isZero();
  }

  @Test
  void one_that_has_none_reads_one_payload_whatever_another_one_has() {
    take(a);
    take(a);

    long taken = take(b);
    assertThat(taken).isEqualTo(1);
    run(() -> b.settle(taken, 70));
    assertThat(on(budget::taken)).isEqualTo(170);
    assertThat(take(b)).as("while it has that one").isZero();

    run(() -> b.giveBack(70));
    assertThat(take(b)).isEqualTo(1);
  }
}
