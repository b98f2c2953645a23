package skein.definitions;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.graph.Graph;
import skein.model.WorkflowDefinition;

/** About how many bytes of the heap a graph takes, with the documents that it is compiled from. */
final class GraphSize {
  private static final int VALUE = 48;
  private static final int MAP = 144;
  private static final int ENTRY = 56;
  private static final int NODE = 1_000;

  private GraphSize() {}

  /** {@code used}: the definitions that it uses as activities, each once. */
  static long of(Graph graph, WorkflowDefinition definition, Collection<WorkflowDefinition> used) {
    long documents = json(definition.json());
    for (var each : used) {
      documents += json(each.json());
    }
    // What is compiled of a value takes about as much as the value.
    return 2 * documents + (long) NODE * graph.nodes().size();
  }

  /** Documents are read with a bound of their depth. */
  private static long json(@Nullable Object value) {
    long size = VALUE;
    if (value instanceof String text) {
      size += text.length();
    } else if (value instanceof Map<?, ?> map) {
      size += MAP + (long) ENTRY * map.size();
      for (var entry : map.entrySet()) {
        size += json(entry.getKey()) + json(entry.getValue());
      }
    } else if (value instanceof List<?> list) {
      for (var element : list) {
        size += json(element);
      }
    }
    return size;
  }
}
