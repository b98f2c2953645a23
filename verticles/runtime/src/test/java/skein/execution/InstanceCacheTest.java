package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.codecs.EncodedInstance;
import skein.codecs.InstanceCodec;
import skein.loop.Simulator;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.Timing;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;
import skein.storage.NamedState;
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

  private static NamedState state(int number, WorkflowStatus status, long revision) {
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
    return new NamedState(instance, UUID.randomUUID());
  }

  private static NamedState waiting(int number) {
    return state(number, WorkflowStatus.Suspended, 1);
  }

  /** {@code heapBytes}: of the state with its bytes, and with what is known of its history. */
  private static void put(InstanceCache cache, NamedState state, long heapBytes) {
    var bytes = InstanceCodec.encode(state.instance());
    long history = state.instance().revision() == 1 ? ID_BYTES : 0;
    cache.put(
        proposal(state, null), new EncodedInstance(bytes, heapBytes - bytes.length - history));
  }

  /** {@code before}: whose state it was decided on; null: none that is known. */
  private static Proposal proposal(NamedState state, @Nullable Proposal before) {
    var transition =
        new Transition(
            state.instance(),
            UUID.randomUUID(),
            Transition.Guard.NONE,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of());
    var builtOn = before == null ? null : before.stateId();
    return new Proposal(transition, builtOn, Objects.requireNonNull(state.id()), null);
  }

  private static Proposal started() {
    return proposal(waiting(1), null);
  }

  private static Proposal after(Proposal before) {
    long revision = before.state().instance().revision() + 1;
    return proposal(state(1, WorkflowStatus.Suspended, revision), before);
  }

  private static void put(InstanceCache cache, Proposal proposal) {
    put(cache, proposal, 1);
  }

  private static void put(InstanceCache cache, Proposal proposal, long stateHeapBytes) {
    var bytes = InstanceCodec.encode(proposal.state().instance());
    cache.put(proposal, new EncodedInstance(bytes, stateHeapBytes));
  }

  private static boolean lacks(InstanceCache cache, UUID command) {
    return cache.hasWithout(new InstanceId("i1"), command);
  }

  private static long kept(InstanceCache cache) {
    return IntStream.range(0, 1_000)
        .filter(number -> cache.get(new InstanceId("i" + number)) != null)
        .count();
  }

  /** Of a state whose bytes alone are kept, such as that with the number 100. */
  private static long packedBytes() {
    int bytes = InstanceCodec.encode(waiting(100).instance()).length;
    return InstanceCache.PACKED_BYTES + bytes + ID_BYTES;
  }

  @Test
  void what_is_kept_is_bounded_by_what_it_takes_in_memory() {
    long decoded = HEAP_MAX / InstanceCache.DECODED_PART / LARGEST;
    with(
        10_000,
        cache -> {
          IntStream.range(100, 1_000).forEach(number -> put(cache, waiting(number), LARGEST));

          assertThat(kept(cache))
              .isEqualTo(decoded + (HEAP_MAX - decoded * LARGEST) / packedBytes());
          assertThat(cache.get(new InstanceId("i999"))).isNotNull();
        });
  }

  @Test
  void states_whose_bytes_take_no_less_are_bounded_likewise() {
    with(
        10_000,
        cache -> {
          IntStream.range(100, 1_000).forEach(number -> put(cache, waiting(number), packedBytes()));

          assertThat(kept(cache)).isEqualTo(HEAP_MAX / packedBytes());
        });
  }

  @Test
  void a_state_of_which_the_bytes_were_kept_is_the_one_that_was_put() {
    with(
        10_000,
        cache -> {
          var states = new ArrayList<NamedState>();
          for (int number = 0; number < 150; number++) {
            states.add(state(number, WorkflowStatus.Suspended, 1 + number % 7));
            put(cache, states.getLast(), LARGEST);
          }

          assertThat(kept(cache)).isEqualTo(150);
          for (var state : states) {
            assertThat(cache.get(state.instance().id())).isEqualTo(state);
          }
          assertThat(cache.get(states.getFirst().instance().id())).isNotSameAs(states.getFirst());
          var last = states.getLast().instance().id();
          assertThat(cache.get(last)).isSameAs(cache.get(last));
        });
  }

  @Test
  void what_was_used_last_need_not_be_decoded() {
    with(
        10_000,
        cache -> {
          var first = waiting(1);
          put(cache, first, LARGEST);
          for (int number = 100; number < 200; number++) {
            put(cache, waiting(number), LARGEST);
            var id = first.instance().id();
            assertThat(cache.get(id)).isSameAs(cache.get(id));
          }
        });
  }

  @Test
  void bytes_that_cannot_be_read_are_given_up() {
    with(
        10_000,
        cache -> {
          var written = new EncodedInstance(new byte[] {-1}, LARGEST - 1 - ID_BYTES);
          cache.put(started(), written);
          for (int number = 100; number < 200; number++) {
            put(cache, waiting(number), LARGEST);
          }

          assertThat(cache.get(new InstanceId("i1"))).isNull();
          assertThat(kept(cache)).isEqualTo(100);
        });
  }

  @Test
  void what_is_kept_is_bounded_by_number() {
    with(
        3,
        cache -> {
          IntStream.range(0, 1_000).forEach(number -> put(cache, waiting(number), 200));

          assertThat(kept(cache)).isEqualTo(3);
          assertThat(cache.get(new InstanceId("i997"))).isNotNull();
        });
    with(
        0,
        cache -> {
          put(cache, waiting(1), 200);

          assertThat(kept(cache)).isZero();
        });
    with(
        100,
        cache -> {
          IntStream.range(0, 1_000).forEach(number -> put(cache, waiting(number), LARGEST));

          assertThat(kept(cache)).as("some of them decoded").isEqualTo(100);
          assertThat(cache.get(new InstanceId("i900"))).isNotNull();
        });
  }

  @Test
  void a_state_that_is_large_by_itself_is_not_kept_nor_the_one_before_it() {
    with(
        10_000,
        cache -> {
          put(cache, waiting(1), LARGEST);
          put(cache, waiting(1), LARGEST + 1);

          assertThat(kept(cache)).isZero();
        });
  }

  @Test
  void what_was_replaced_removed_or_finished_takes_no_room() {
    with(
        10_000,
        cache -> {
          for (int time = 0; time < 1_000; time++) {
            put(cache, waiting(1), LARGEST);
            put(cache, waiting(1), LARGEST / 2);
            put(cache, waiting(2), LARGEST);
            cache.remove(new InstanceId("i2"));
            put(cache, waiting(3), LARGEST);
            put(cache, state(3, WorkflowStatus.Completed, 2), LARGEST);
          }
          assertThat(kept(cache)).isEqualTo(1);

          cache.clear();
          assertThat(kept(cache)).isZero();
          IntStream.range(0, 64).forEach(number -> put(cache, waiting(number), LARGEST));
          assertThat(decoded(cache)).isEqualTo(64);
        });
  }

  @Test
  void bytes_that_were_replaced_removed_or_finished_take_no_room() {
    with(
        10_000,
        cache -> {
          for (int time = 0; time < 10; time++) {
            IntStream.range(0, 120).forEach(number -> put(cache, waiting(number), LARGEST));
            assertThat(kept(cache)).isEqualTo(120);
            IntStream.range(0, 40).forEach(number -> cache.remove(new InstanceId("i" + number)));
            IntStream.range(40, 120)
                .forEach(number -> put(cache, state(number, WorkflowStatus.Cancelled, 2), LARGEST));
            assertThat(kept(cache)).isZero();
          }

          IntStream.range(0, 64).forEach(number -> put(cache, waiting(number), LARGEST));
          assertThat(decoded(cache)).isEqualTo(64);
        });
  }

  /** Those that are given out as the same object each time. */
  private static long decoded(InstanceCache cache) {
    return IntStream.range(0, 1_000)
        .mapToObj(number -> new InstanceId("i" + number))
        .filter(id -> cache.get(id) != null && isSame(cache.get(id), cache.get(id)))
        .count();
  }

  @SuppressWarnings("ReferenceEquality") // that is what is asked for
  private static boolean isSame(@Nullable NamedState one, @Nullable NamedState other) {
    return one == other;
  }

  @Test
  void the_commands_of_an_instance_that_was_made_here_are_known() {
    with(
        10,
        cache -> {
          var started = started();
          var resumed = after(started);
          var another = UUID.randomUUID();
          assertThat(lacks(cache, another)).isFalse();

          put(cache, started);
          assertThat(lacks(cache, started.transition().commitId())).isFalse();
          assertThat(lacks(cache, resumed.transition().commitId())).isTrue();

          put(cache, resumed);
          assertThat(lacks(cache, started.transition().commitId())).isFalse();
          assertThat(lacks(cache, resumed.transition().commitId())).isFalse();
          assertThat(lacks(cache, another)).isTrue();
        });
  }

  @Test
  void they_are_known_where_the_bytes_alone_are_kept() {
    with(
        10_000,
        cache -> {
          var started = started();
          put(cache, started, LARGEST / 2);
          for (int number = 100; number < 200; number++) {
            put(cache, waiting(number), LARGEST);
          }
          assertThat(cache.get(new InstanceId("i1"))).isNotSameAs(cache.get(new InstanceId("i1")));
          assertThat(lacks(cache, started.transition().commitId())).isFalse();
          assertThat(lacks(cache, UUID.randomUUID())).isTrue();

          var resumed = after(started);
          put(cache, resumed);
          assertThat(lacks(cache, started.transition().commitId())).isFalse();
          assertThat(lacks(cache, resumed.transition().commitId())).isFalse();
          assertThat(lacks(cache, UUID.randomUUID())).isTrue();
        });
  }

  @Test
  void the_commands_of_a_state_that_was_decided_on_another_one_are_not_known() {
    with(
        10,
        cache -> {
          var started = started();
          put(cache, started);
          put(cache, after(after(started)));
          assertThat(lacks(cache, UUID.randomUUID())).isFalse();
        });
    with(
        10,
        cache -> {
          put(cache, after(started()));
          assertThat(lacks(cache, UUID.randomUUID())).isFalse();
        });
  }

  @Test
  void an_instance_that_was_deleted_and_made_again_has_the_history_of_the_new_one() {
    with(
        10,
        cache -> {
          var first = started();
          put(cache, first);
          put(cache, started());
          assertThat(lacks(cache, first.transition().commitId())).isTrue();
        });
  }

  @Test
  void a_long_history_is_not_known() {
    with(
        10,
        cache -> {
          var last = started();
          put(cache, last);
          for (int commands = 2; commands <= CommandHistory.COMMANDS_MAX; commands++) {
            last = after(last);
            put(cache, last);
          }
          assertThat(lacks(cache, UUID.randomUUID())).isTrue();

          put(cache, after(last));
          assertThat(lacks(cache, UUID.randomUUID())).isFalse();
        });
  }
}
