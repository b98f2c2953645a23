package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.loop.Simulator;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.Timing;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;
import skein.storage.Proposal;

class InstanceCacheTest {
  private static final long HEAP_MAX = 64_000;
  private static final long LARGEST = HEAP_MAX / InstanceCache.PART_MIN;
  private static final long ID_BYTES = CommandHistory.of(UUID.randomUUID()).heapBytes();

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

  /** That makes a new instance. */
  private static Proposal state(int number, WorkflowStatus status) {
    return proposal(number, status, 1, null);
  }

  private static Proposal proposal(
      int number, WorkflowStatus status, long revision, @Nullable Proposal before) {
    var now = Instant.EPOCH;
    var instance =
        new WorkflowInstance(
            new InstanceId("i" + number),
            new DefinitionRef("Order", "order-1", 1),
            status,
            revision,
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
    var transition =
        new Transition(
            instance,
            UUID.randomUUID(),
            Transition.Guard.NONE,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of());
    var base = before == null ? null : before.state();
    return Proposal.of(transition, base, UUID.randomUUID(), null);
  }

  private static Proposal waiting(int number) {
    return state(number, WorkflowStatus.Suspended);
  }

  /** Decided on the state that the other one makes. */
  private static Proposal after(Proposal before) {
    long revision = before.state().instance().revision() + 1;
    return proposal(1, WorkflowStatus.Suspended, revision, before);
  }

  private static boolean lacks(InstanceCache cache, UUID command) {
    return cache.hasWithout(new InstanceId("i1"), command);
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

          assertThat(kept(cache)).isEqualTo(HEAP_MAX / (LARGEST + ID_BYTES));
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
          long smaller = LARGEST - ID_BYTES;
          IntStream.range(0, 64).forEach(number -> cache.put(waiting(number), smaller));
          assertThat(kept(cache)).isEqualTo(64);
        });
  }

  @Test
  void the_commands_of_an_instance_that_was_made_here_are_known() {
    with(
        10,
        cache -> {
          var started = waiting(1);
          var resumed = after(started);
          var another = UUID.randomUUID();
          assertThat(lacks(cache, another)).isFalse();

          cache.put(started, 1);
          assertThat(lacks(cache, started.transition().commitId())).isFalse();
          assertThat(lacks(cache, resumed.transition().commitId())).isTrue();

          cache.put(resumed, 1);
          assertThat(lacks(cache, started.transition().commitId())).isFalse();
          assertThat(lacks(cache, resumed.transition().commitId())).isFalse();
          assertThat(lacks(cache, another)).isTrue();
        });
  }

  @Test
  void the_commands_of_a_state_that_was_decided_on_another_one_are_not_known() {
    with(
        10,
        cache -> {
          var started = waiting(1);
          var elsewhere = after(started);
          cache.put(started, 1);
          cache.put(after(elsewhere), 1);
          assertThat(lacks(cache, UUID.randomUUID())).isFalse();
        });
    with(
        10,
        cache -> {
          cache.put(after(waiting(1)), 1);
          assertThat(lacks(cache, UUID.randomUUID())).isFalse();
        });
  }

  @Test
  void an_instance_that_was_deleted_and_made_again_has_the_history_of_the_new_one() {
    with(
        10,
        cache -> {
          var first = waiting(1);
          cache.put(first, 1);
          cache.put(waiting(1), 1);
          assertThat(lacks(cache, first.transition().commitId())).isTrue();
        });
  }

  @Test
  void a_long_history_is_not_known() {
    with(
        10,
        cache -> {
          var last = waiting(1);
          cache.put(last, 1);
          for (int commands = 2; commands <= CommandHistory.COMMANDS_MAX; commands++) {
            last = after(last);
            cache.put(last, 1);
          }
          assertThat(lacks(cache, UUID.randomUUID())).isTrue();

          cache.put(after(last), 1);
          assertThat(lacks(cache, UUID.randomUUID())).isFalse();
        });
  }
}
