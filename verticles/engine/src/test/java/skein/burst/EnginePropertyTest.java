package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.codecs.JsonText;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.model.DefinitionRef;
import skein.model.WorkflowDefinition;
import skein.model.WorkflowStatus;

/**
 * Workflows drawn by chance do what a model of them says, whatever is lost and repeated between
 * their bursts.
 *
 * <p>{@code -Dskein.drawn=n} draws that many, {@code -Dskein.seed=n} begins with that seed; a
 * failure is shown by the smallest workflow that fails.
 */
class EnginePropertyTest {
  private static final int DRAWN = Integer.getInteger("skein.drawn", 10_000);
  private static final long SEED = Long.getLong("skein.seed", 1);
  private static final int SIZE_MAX = 18;
  private static final int SMALLER_TRIED = 400;

  @Test
  void drawn_workflows_do_what_the_model_says() {
    System.out.printf("EnginePropertyTest: seeds %d to %d%n", SEED, SEED + DRAWN - 1);
    var met = new TreeMap<String, Integer>();
    for (var seed = SEED; seed < SEED + DRAWN; seed++) {
      try {
        check(seed, size(seed)).forEach((what, times) -> met.merge(what, times, Integer::sum));
      } catch (AssertionError | RuntimeException e) {
        throw smallest(seed, e);
      }
    }
    System.out.printf("EnginePropertyTest: %d workflows, %s%n", DRAWN, met);
    assertThat(met.values()).as("%s", met).hasSize(6).allMatch(times -> times > DRAWN / 200);
  }

  private static int size(long seed) {
    return 2 + (int) (seed % SIZE_MAX);
  }

  /** The same failure in a smaller workflow says more. */
  private static AssertionError smallest(long seed, Throwable failure) {
    for (var size = 1; size <= size(seed); size++) {
      for (var tried = 0; tried < SMALLER_TRIED; tried++) {
        var smaller = tried == 0 ? seed : seed * 1_000 + tried;
        try {
          check(smaller, size);
        } catch (AssertionError | RuntimeException e) {
          return said(smaller, size, e);
        }
      }
    }
    return said(seed, size(seed), failure);
  }

  private static AssertionError said(long seed, int size, Throwable failure) {
    var drawn = Draw.workflow(seed, size);
    var json = JsonText.print(StepJson.definition(drawn.root(), drawn.tokens()));
    return new AssertionError(
        "seed %d, size %d: %s%n%s".formatted(seed, size, failure.getMessage(), json), failure);
  }

  /** Counts what the workflow went through. */
  private static Map<String, Integer> check(long seed, int size) {
    var drawn = Draw.workflow(seed, size);
    var graph = compile(drawn);
    var journey = new Journey(graph, seed);

    var state = journey.travel();

    var model = new Model(journey.failures, journey.served);
    model.run(drawn.root());
    assertThat(state.status())
        .isEqualTo(model.faulted ? WorkflowStatus.Faulted : WorkflowStatus.Completed);
    assertSame("lines", drawn.ordered(), journey.lines, model.lines);
    assertSame("completed", drawn.ordered(), journey.completed, model.completed);
    assertThat(state.executions().getFirst().variables())
        .as("variables")
        .isEqualTo(model.finalVariables);
    return Map.of(
        "bursts", journey.bursts,
        "activities", journey.completed.size(),
        "attempts that failed", journey.failures.values().stream().mapToInt(n -> n).sum(),
        "activities undone", count(journey.completed, "undo"),
        "faults handled", count(journey.completed, "handler"),
        "workflows faulted", model.faulted ? 1 : 0);
  }

  private static int count(List<String> ids, String kind) {
    return (int) ids.stream().filter(id -> id.startsWith(kind)).count();
  }

  private static Graph compile(Draw.Drawn drawn) {
    var definition =
        new WorkflowDefinition(
            new DefinitionRef("d1", "d1-v1", 1),
            "D",
            null,
            true,
            true,
            Workflows.NOW,
            StepJson.definition(drawn.root(), drawn.tokens()));
    var graph = GraphCompiler.compile(definition, Activities.builtIn());
    assertThat(graph.problems()).isEmpty();
    return graph;
  }

  private static void assertSame(
      String what, boolean ordered, List<String> actual, List<String> expected) {
    if (!sorted(ordered, actual).equals(sorted(ordered, expected))) {
      assertThat(sorted(ordered, actual)).as(what).isEqualTo(sorted(ordered, expected));
    }
  }

  private static List<String> sorted(boolean ordered, List<String> list) {
    var copy = new ArrayList<@Nullable String>(list);
    if (!ordered) {
      Collections.sort(copy);
    }
    return List.copyOf(copy);
  }
}
