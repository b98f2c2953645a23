package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import skein.loop.Simulator;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.Timing;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;
import skein.storage.NamedState;

class InstanceCacheTest {
  private static final long HEAP_MAX = 64_000;
  private static final long LARGEST = HEAP_MAX / InstanceCache.PART_MIN;

  private final Simulator simulator = new Simulator(1);

  private void with(int instancesMax, Consumer<InstanceCache> test) {
    var loop = simulator.newLoop("loop");
    var cache = new InstanceCache(loop, new ExecutionOptions.Copies(instancesMax, HEAP_MAX));
    var done = new boolean[1];
    loop.execute(() -> {
      test.accept(cache);
      done[0] = true;
    });
    while (simulator.step(Long.MAX_VALUE)) {
      // until nothing is left to do
    }
    assertThat(done[0]).isTrue();
  }

  private static NamedState state(int number, WorkflowStatus status) {
    var now = Instant.EPOCH;
    var instance =
        new WorkflowInstance(
            new InstanceId("i" + number),
            new DefinitionRef("Order", "order-1", 1),
            status,
            1,
            Labels.NONE,
            new Timing(now, now, status.finished() ? now : null),
            new Counters(0, 0, 0),
            null,
            Map.of(),
            Map.of(),
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            null);
    return new NamedState(instance, UUID.randomUUID());
  }

  private static NamedState waiting(int number) {
    return state(number, WorkflowStatus.Suspended);
  }

  private static long kept(InstanceCache cache) {
    return IntStream.range(0, 1_000)
        .filter(number -> cache.get(new InstanceId("i" + number)) != null)
        .count();
  }

  @Test
  void what_is_kept_is_bounded_by_what_it_takes_in_memory() {
    with(
        10_000,
        cache -> {
          IntStream.range(0, 1_000).forEach(number -> cache.put(waiting(number), LARGEST));

          assertThat(kept(cache)).isEqualTo(HEAP_MAX / LARGEST);
          assertThat(cache.get(new InstanceId("i999"))).isNotNull();
        });
  }

  @Test
  void what_is_kept_is_bounded_by_number() {
    with(
        3,
        cache -> {
          IntStream.range(0, 1_000).forEach(number -> cache.put(waiting(number), 1));

          assertThat(kept(cache)).isEqualTo(3);
        });
    with(
        0,
        cache -> {
          cache.put(waiting(1), 1);

          assertThat(kept(cache)).isZero();
        });
  }

  @Test
  void a_state_that_is_large_by_itself_is_not_kept_nor_the_one_before_it() {
    with(
        10_000,
        cache -> {
          cache.put(waiting(1), LARGEST);
          cache.put(waiting(1), LARGEST + 1);

          assertThat(kept(cache)).isZero();
        });
  }

  @Test
  void what_was_replaced_removed_or_finished_takes_no_room() {
    with(
        10_000,
        cache -> {
          for (int time = 0; time < 1_000; time++) {
            cache.put(waiting(1), LARGEST);
            cache.put(waiting(1), LARGEST / 2);
            cache.put(waiting(2), LARGEST);
            cache.remove(new InstanceId("i2"));
            cache.put(waiting(3), LARGEST);
            cache.put(state(3, WorkflowStatus.Completed), LARGEST);
          }
          assertThat(kept(cache)).isEqualTo(1);

          cache.clear();
          IntStream.range(0, 64).forEach(number -> cache.put(waiting(number), LARGEST));
          assertThat(kept(cache)).isEqualTo(64);
        });
  }
}
