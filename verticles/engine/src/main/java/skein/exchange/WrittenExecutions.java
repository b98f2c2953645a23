package skein.exchange;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.VariableDeclaration;
import skein.graph.Graph;
import skein.model.ActivityExecution;
import skein.model.WorkflowInstance;

/**
 * The activity executions of an instance that is written as a file, as a tree, with what the
 * definition says of each.
 */
final class WrittenExecutions {
  private static final String PARALLEL_LOOP = "Elsa.ParallelForEach";

  private final WorkflowInstance instance;
  private final @Nullable Graph graph;
  private final Map<Integer, ActivityExecution> byNumber = new HashMap<>();
  private final Map<Integer, List<ActivityExecution>> children = new HashMap<>();
  private final Map<Integer, Long> depths = new HashMap<>();

  /** {@code graph}: null when the definition was deleted. */
  WrittenExecutions(WorkflowInstance instance, @Nullable Graph graph) {
    this.instance = instance;
    this.graph = graph;
    for (var execution : instance.executions()) { // Parents before their children.
      byNumber.put(execution.number(), execution);
      children.computeIfAbsent(execution.parent(), _ -> new ArrayList<>()).add(execution);
      depths.put(execution.number(), depths.getOrDefault(execution.parent(), 0L) + 1);
    }
  }

  /** The id of an execution's context; 0 is the workflow itself. */
  String contextId(int execution) {
    return ContextIds.of(instance.id(), execution);
  }

  /** Parents before their children. */
  List<ActivityExecution> all() {
    return instance.executions();
  }

  /** Those that the workflow declares, as far as the definition is known. */
  List<VariableDeclaration> workflowVariables() {
    return graph == null ? List.of() : graph.variables();
  }

  @Nullable ActivityExecution root() {
    return byNumber.get(ContextIds.ROOT);
  }

  @Nullable ActivityExecution parent(ActivityExecution execution) {
    return byNumber.get(execution.parent());
  }

  List<ActivityExecution> children(ActivityExecution execution) {
    return children.getOrDefault(execution.number(), List.of());
  }

  /** 1 of the root. */
  @Nullable Long depth(ActivityExecution execution) {
    return depths.get(execution.number());
  }

  /** Its node in the definition; null when the definition no longer has it. */
  @Nullable ActivityNode node(ActivityExecution execution) {
    return graph == null ? null : graph.node(execution.nodeId());
  }

  /** That of its parent; null for the root too. */
  @Nullable ActivityNode parentNode(ActivityExecution execution) {
    var parent = parent(execution);
    return parent == null ? null : node(parent);
  }

  /**
   * The GUID by which Elsa distinguishes the concurrent turns of a loop; null when it is not one of
   * them.
   */
  @Nullable String turn(ActivityExecution execution) {
    var loop = parentNode(execution);
    return loop != null && loop.descriptor().typeName().equals(PARALLEL_LOOP)
        ? new UUID(0, execution.number()).toString()
        : null;
  }
}
