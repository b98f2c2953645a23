package skein.burst;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Activity;
import skein.activities.ActivityContext;
import skein.activities.ActivityDescriptor;
import skein.activities.ActivityNode;
import skein.activities.Child;
import skein.activities.Json;
import skein.graph.Graph;

/**
 * Undoes what a scope has completed, the latest first, one after another. Not for definitions: the
 * engine runs it as a child of the scope that ends.
 */
final class Compensation implements Activity {
  private static final String TYPE = "Skein.Compensation";
  private static final String SUFFIX = ":$compensation";

  /** Node ids of what is left to run, the next one last. */
  static final String LEFT = "left";

  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(TYPE, "Engine", "Undoes what a scope has completed.");

  private final Graph graph;

  private Compensation(Graph graph) {
    this.graph = graph;
  }

  static ActivityNode nodeBelow(String scopeNodeId, Graph graph) {
    return node(scopeNodeId + SUFFIX, graph);
  }

  /** Null where the node id is not one of a compensation. */
  static @Nullable ActivityNode nodeOf(String nodeId, Graph graph) {
    return nodeId.endsWith(SUFFIX) ? node(nodeId, graph) : null;
  }

  private static ActivityNode node(String nodeId, Graph graph) {
    var id = nodeId.substring(nodeId.lastIndexOf(':') + 1);
    return new ActivityNode(
        new ActivityNode.Identity(id, nodeId, TYPE, 1, null, false, false),
        new Compensation(graph),
        ActivityNode.Bindings.NONE,
        Map.of(),
        List.of(),
        ActivityNode.Source.NONE,
        ActivityNode.Terms.NONE);
  }

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    next(context);
  }

  @Override
  public void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    next(context);
  }

  /** One that cannot be undone must not keep the others from it; the incident is recorded. */
  @Override
  public boolean continuesAfterFault(ActivityContext context, Child child) {
    return true;
  }

  /** Activities that the definition no longer has are left out. */
  private void next(ActivityContext context) {
    @SuppressWarnings("unchecked")
    var left = (List<@Nullable Object>) Json.list(context.memory().get(LEFT));
    while (!left.isEmpty()) {
      var node = graph.node(String.valueOf(left.removeLast()));
      if (node != null) {
        context.schedule(node);
        return;
      }
    }
    context.complete();
  }
}
