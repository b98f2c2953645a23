package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import skein.codecs.InstanceCodec;
import skein.exchange.Files;
import skein.graph.Graph;
import skein.model.Bookmark;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * An instance on its way through a world in which everything may happen between two bursts: its
 * state is stored and read back after each, or exported and imported, bursts are lost before they
 * are committed and decided again, and what it waits for comes in any order.
 */
final class Journey {
  private static final int BURSTS_MAX = 2_000;

  final List<String> lines = new ArrayList<>();
  final List<String> completed = new ArrayList<>();
  final List<String> served = new ArrayList<>();
  final Map<String, Integer> failures = new HashMap<>();
  int bursts;

  private final Graph graph;
  private final Random random;
  private final Set<String> rows = new HashSet<>();
  private final Set<String> timers = new HashSet<>();
  private Instant now = Workflows.NOW;
  private long sequence;
  private byte[] bytes = {};

  Journey(Graph graph, long seed) {
    this.graph = graph;
    this.random = new Random(seed);
  }

  /** Decides a burst from a state; the state is null before the first. */
  private interface Deciding
      extends BiFunction<@Nullable WorkflowInstance, BurstInputs, Transition> {}

  WorkflowInstance travel() {
    var state =
        commit(
            null,
            (_, in) -> Workflows.BURST.start(graph, Workflows.ID, Workflows.request(Map.of()), in));
    while (!state.status().finished()) {
      assertThat(++bursts).as("bursts").isLessThan(BURSTS_MAX);
      var bookmark = next(state);
      var due = bookmark.dueAt();
      now = now.plusSeconds(random.nextInt(1_200));
      now = due != null && due.isAfter(now) ? due : now;
      Map<String, @Nullable Object> input =
          due == null ? Map.of("payload", bookmark.activityId()) : Map.of();
      if (!bookmark.ofEngine()) {
        served.add(bookmark.activityId());
      }
      state =
          commit(
              state,
              (before, in) ->
                  Workflows.BURST.resume(
                      graph, Objects.requireNonNull(before), bookmark.id(), input, false, in));
    }
    return state;
  }

  private Bookmark next(WorkflowInstance state) {
    var open = state.bookmarks().stream().filter(bookmark -> mayServe(bookmark, state)).toList();
    assertThat(open).as("what a suspended instance waits for").isNotEmpty();
    return open.get(random.nextInt(open.size()));
  }

  private boolean mayServe(Bookmark bookmark, WorkflowInstance state) {
    return !Attempts.TIMEOUT.equals(bookmark.tag())
        || (failures.getOrDefault(bookmark.activityId(), 0) < Step.ATTEMPTS - 1
            && state.bookmarks().stream().anyMatch(slow -> isSlowIn(bookmark, slow)));
  }

  private static boolean isSlowIn(Bookmark timeout, Bookmark slow) {
    return slow.activityId().startsWith(Step.SLOW)
        && slow.nodeId().equals(timeout.nodeId() + ":" + slow.activityId());
  }

  private WorkflowInstance commit(@Nullable WorkflowInstance before, Deciding deciding) {
    if (random.nextInt(4) == 0) {
      var lost = deciding.apply(before, inputs()); // Its node dies before the commit.
      assertThat(lost.expectedRevision()).isEqualTo(before == null ? 0 : before.revision());
      now = now.plus(Duration.ofSeconds(random.nextInt(60)));
    }
    var stored = bytes;
    var inputs = inputs();
    var transition = deciding.apply(before, inputs);
    if (random.nextInt(3) == 0) {
      var read = before == null ? null : InstanceCodec.decode(stored, before.revision());
      assertThat(deciding.apply(read, inputs)).as("decided again").isEqualTo(transition);
    }
    if (before != null) {
      assertThat(InstanceCodec.encode(before))
          .as("the state it was decided from")
          .isEqualTo(stored);
    }
    note(transition);
    var next = transition.next();
    bytes = InstanceCodec.encode(next);
    var read = InstanceCodec.decode(bytes, next.revision());
    assertThat(read).as("read back").isEqualTo(next);
    if (random.nextInt(16) > 0) {
      return read;
    }
    var exchanged = Files.throughFile(next, graph);
    assertThat(exchanged).as("read back from a file in Elsa's form").isEqualTo(next);
    bytes = InstanceCodec.encode(exchanged); // The order of members may be another one.
    return exchanged;
  }

  private BurstInputs inputs() {
    return new BurstInputs(now, random.nextLong(), new UUID(random.nextLong(), 1));
  }

  private void note(Transition transition) {
    lines.addAll(Workflows.linesOf(transition));
    for (var entry : transition.journal()) {
      assertThat(entry.sequence()).as("journal without gaps").isEqualTo(++sequence);
      if (entry.event().equals(Journal.COMPLETED) && entry.activityType().startsWith("Elsa.")) {
        completed.add(entry.activityId());
      }
      if (entry.event().equals("Retrying")) {
        failures.merge(entry.activityId(), 1, Integer::sum);
      }
    }
    transition.burnt().forEach(id -> assertThat(rows.remove(id.toString())).isTrue());
    transition.made().forEach(made -> assertThat(rows.add(made.id().toString())).isTrue());
    transition.timersDone().forEach(id -> assertThat(timers.remove(id)).isTrue());
    transition.timersMade().stream()
        .map(Timer::id)
        .forEach(id -> assertThat(timers.add(id)).isTrue());
    var open = transition.next().bookmarks();
    assertThat(rows).as("rows of bookmarks").hasSize(open.size());
    assertThat(timers)
        .as("rows of timers")
        .hasSize((int) open.stream().filter(bookmark -> bookmark.dueAt() != null).count());
    for (var bookmark : open) {
      assertThat(rows).contains(bookmark.id().toString());
    }
    if (transition.next().status() == WorkflowStatus.Completed) {
      assertThat(transition.next().executions()).as("what is left of a completed one").hasSize(1);
    }
  }
}
