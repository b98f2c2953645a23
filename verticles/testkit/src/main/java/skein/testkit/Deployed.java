package skein.testkit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.model.WorkflowDefinition;

/** The workflows of a test, compiled, and the mocks. */
final class Deployed {
  private final Map<String, Graph> byId = new LinkedHashMap<>();
  private final Map<String, Mock> work;
  private final MockCalls calls = new MockCalls();

  Deployed(
      List<WorkflowDefinition> definitions, Map<String, Mock> activities, Map<String, Mock> work) {
    this.work = work;
    var known = Activities.builtIn();
    var descriptors = new MockDescriptors(known, definitions);
    var mocks = new ArrayList<MockActivity>();
    activities.forEach(
        (type, mock) -> mocks.add(new MockActivity(descriptors.of(type), mock, calls)));
    var all = known.replacing(mocks);
    for (var definition : definitions) {
      var id = definition.ref().definitionId();
      var graph = GraphCompiler.compile(definition, all);
      if (!graph.problems().isEmpty()) {
        throw new IllegalArgumentException(
            "Workflow " + id + " could not be published: " + String.join("; ", graph.problems()));
      }
      if (byId.put(id, graph) != null) {
        throw new IllegalArgumentException("Two workflows have the definition id " + id);
      }
    }
  }

  @Nullable Graph find(String definitionId) {
    return byId.get(definitionId);
  }

  Graph get(String definitionId) {
    var graph = byId.get(definitionId);
    if (graph == null) {
      throw new IllegalArgumentException("No workflow " + definitionId + " was loaded");
    }
    return graph;
  }

  Collection<Graph> all() {
    return byId.values();
  }

  MockCalls calls() {
    return calls;
  }

  Mock work(String kind) {
    var mock = work.get(kind);
    if (mock == null) {
      throw new IllegalStateException(
          "The workflow asks for work of the kind " + kind + ": mock it with mockWork");
    }
    return mock;
  }
}
