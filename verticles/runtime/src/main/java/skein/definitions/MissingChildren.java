package skein.definitions;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.ChildWorkflows;
import skein.graph.GraphCompiler;
import skein.model.Finding;
import skein.model.FindingCode;
import skein.storage.DefinitionStore;
import skein.storage.DefinitionStore.Which;

/** Warns of workflows that a definition is going to start and that cannot be started today. */
final class MissingChildren {
  private static final Set<String> STARTERS =
      Set.of(ChildWorkflows.EXECUTE, ChildWorkflows.DISPATCH, ChildWorkflows.BULK_DISPATCH);

  private final DefinitionStore store;

  MissingChildren(DefinitionStore store) {
    this.store = store;
  }

  /** A warning for each definition id that is written literally and is not published. */
  Future<List<Finding>> of(GraphCompiler.Checked checked) {
    var graph = checked.graph();
    var firstUses = new LinkedHashMap<String, ActivityNode>();
    for (var node : graph.nodes()) {
      var id = literal(node);
      if (id != null && !id.equals(graph.ref().definitionId())) {
        firstUses.putIfAbsent(id, node);
      }
    }
    var warnings = new ArrayList<Finding>();
    Future<Void> done = Future.succeededFuture();
    for (var use : firstUses.entrySet()) {
      done =
          done.compose(_ -> store.find(use.getKey(), Which.PUBLISHED))
              .map(found -> {
                if (found == null || !found.ref().tenant().equals(graph.ref().tenant())) {
                  var at = checked.pointers().getOrDefault(use.getValue().nodeId(), "");
                  warnings.add(warning(use.getValue(), at, use.getKey()));
                }
                return null;
              });
    }
    return done.map(warnings);
  }

  private static @Nullable String literal(ActivityNode node) {
    if (!STARTERS.contains(node.type())) {
      return null;
    }
    var binding = node.inputs().get(ChildWorkflows.DEFINITION_ID.name());
    return binding != null
            && binding.expression().type().equalsIgnoreCase("Literal")
            && binding.expression().value() instanceof String text
            && !text.isBlank()
        ? text
        : null;
  }

  private static Finding warning(ActivityNode node, String pointer, String id) {
    return new Finding(
        Finding.Severity.WARNING,
        FindingCode.UNKNOWN_WORKFLOW,
        node.nodeId(),
        pointer,
        "%s (%s): the workflow definition %s is not published; starting it will fail"
            .formatted(node.type(), node.nodeId(), id),
        null);
  }
}
