package skein.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.graph.CompilerOptions;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.graph.UsedWorkflows;
import skein.model.DefinitionRef;
import skein.model.WorkflowDefinition;

class KeptGraphsTest {
  private static final Activities ACTIVITIES = Activities.builtIn();

  private static WorkflowDefinition definition(int number, int chars) {
    return new WorkflowDefinition(
        new DefinitionRef("d" + number, "v" + number, 1),
        null,
        null,
        true,
        true,
        Instant.EPOCH,
        Map.of("root", Map.of("type", "Elsa.WriteLine", "id", "w", "text", "x".repeat(chars))));
  }

  private static Graph graph(WorkflowDefinition definition) {
    return GraphCompiler.compile(
        definition, UsedWorkflows.NONE, ACTIVITIES, CompilerOptions.DEFAULT);
  }

  private static KeptGraphs.Sized sized(int number, long heapBytes) {
    return new KeptGraphs.Sized(graph(definition(number, 1)), heapBytes);
  }

  private static List<Integer> kept(KeptGraphs graphs) {
    return IntStream.range(0, 20).filter(n -> graphs.get("v" + n) != null).boxed().toList();
  }

  @Test
  void what_is_kept_is_bounded_by_what_it_takes_in_memory() {
    var graphs = new KeptGraphs(1_000, 1_000);
    for (int number = 0; number < 10; number++) {
      graphs.put(sized(number, 400));
    }
    assertThat(kept(graphs)).containsExactly(8, 9);

    graphs.put(sized(10, 5_000));
    assertThat(kept(graphs)).containsExactly(10);

    graphs.removeIf(graph -> graph.ref().versionId().equals("v10"));
    graphs.put(sized(11, 300));
    graphs.put(sized(11, 400));
    graphs.put(sized(12, 400));
    assertThat(kept(graphs)).containsExactly(11, 12);
  }

  @Test
  void what_is_kept_is_bounded_by_number() {
    var graphs = new KeptGraphs(3, Long.MAX_VALUE);
    for (int number = 0; number < 10; number++) {
      graphs.put(sized(number, 1));
    }
    assertThat(kept(graphs)).containsExactly(7, 8, 9);

    graphs.clear();
    assertThat(kept(graphs)).isEmpty();
  }

  @Test
  void a_graph_takes_what_its_documents_take() {
    var small = definition(1, 1);
    var large = definition(2, 1_000_000);
    long alone = GraphSize.of(graph(small), small, List.of());

    assertThat(alone).isBetween(1_000L, 20_000L);
    assertThat(GraphSize.of(graph(large), large, List.of())).isBetween(1_000_000L, 3_000_000L);
    assertThat(GraphSize.of(graph(small), small, List.of(large))).isGreaterThan(1_000_000L);
  }
}
