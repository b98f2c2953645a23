package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import skein.loop.SimulatedLoop;
import skein.loop.Simulator;

class SlotsTest {
  private static final int MAX = 2;

  private final Simulator simulator = new Simulator(1);
  private final SimulatedLoop loop = simulator.newLoop("loop");
  private final Slots slots = new Slots(loop, MAX);
  private final List<Promise<Integer>> begun = new ArrayList<>();
  private final List<Future<Integer>> answers = new ArrayList<>();

  private void onLoop(Runnable work) {
    loop.execute(work);
    settle();
  }

  private void settle() {
    long until = simulator.now() + Duration.ofSeconds(1).toNanos();
    while (simulator.step(until)) {
      // until nothing is left to do
    }
  }

  private void submit(int count) {
    onLoop(() -> {
      for (int i = 0; i < count; i++) {
        answers.add(
            slots.run(() -> {
              Promise<Integer> promise = Promise.promise();
              begun.add(promise);
              return promise.future();
            }));
      }
    });
  }

  @Test
  void so_much_is_under_way_and_the_rest_follows_in_order() {
    submit(5);
    assertThat(begun).hasSize(MAX);

    onLoop(() -> begun.get(1).complete(7));
    assertThat(answers.get(1).result()).isEqualTo(7);
    assertThat(begun).hasSize(MAX + 1);

    onLoop(() -> begun.get(0).fail("lost"));
    assertThat(answers.get(0).failed()).isTrue();
    assertThat(begun).hasSize(MAX + 2);
  }

  @Test
  void what_throws_gives_its_room_up() {
    onLoop(() -> {
      for (int i = 0; i < 3 * MAX; i++) {
        answers.add(
            slots.run(() -> {
              throw new IllegalStateException("thrown");
            }));
      }
    });
    assertThat(answers).hasSize(3 * MAX).allMatch(Future::failed);

    submit(1);
    assertThat(begun).hasSize(1);
  }

  @Test
  void very_many_that_end_at_once_take_no_stack() {
    onLoop(() -> {
      for (int i = 0; i < 100_000; i++) {
        answers.add(slots.run(() -> Future.succeededFuture(1)));
      }
    });

    assertThat(answers).hasSize(100_000).allMatch(Future::succeeded);
  }
}
