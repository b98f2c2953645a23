package skein.burst;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.Json;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.model.Incident;
import skein.model.Parent;
import skein.model.WorkflowInstance;

/** The state of an instance as a whole, which a burst reads and changes. */
final class InstanceState {
  private static final String LAST = "$last";

  private final Graph graph;
  final Map<String, @Nullable Object> input;
  final Map<String, @Nullable Object> output;
  final @Nullable Parent parent;
  @Nullable String name;
  @Nullable String correlationId;
  private final Map<String, @Nullable Object> results;
  private final List<Incident> incidents;

  /** Key of the activity, and name of the output, that was put out last. */
  private @Nullable List<String> last;

  InstanceState(Graph graph, WorkflowInstance instance) {
    this.graph = graph;
    this.input = effective(graph, ChildInput.of(instance));
    this.output = new LinkedHashMap<>(instance.output());
    this.results = new LinkedHashMap<>(instance.results());
    this.incidents = new ArrayList<>(instance.incidents());
    this.name = instance.labels().name();
    this.correlationId = instance.labels().correlationId();
    this.parent = instance.labels().parent();
  }

  /** As declared, where a value can be what was declared; the rest as it was given. */
  private static Map<String, @Nullable Object> effective(
      Graph graph, Map<String, @Nullable Object> given) {
    if (graph.inputs().isEmpty()) {
      return Collections.unmodifiableMap(given);
    }
    var all = new LinkedHashMap<String, @Nullable Object>();
    for (var declared : graph.inputs()) {
      all.put(declared.name(), declared.defaultValue()); // Was converted when it was compiled.
    }
    all.putAll(given);
    for (var declared : graph.inputs()) {
      if (given.containsKey(declared.name())) {
        var value = given.get(declared.name());
        try {
          all.put(declared.name(), Expressions.convert(value, declared.typeName()));
        } catch (ExpressionException e) {
          all.put(declared.name(), value);
        }
      }
    }
    return Collections.unmodifiableMap(all);
  }

  void readLast(@Nullable Execution root) {
    if (root != null
        && root.memory.get(LAST) instanceof List<?> pair
        && pair.size() == 2
        && pair.get(0) instanceof String activityId
        && pair.get(1) instanceof String outputName) {
      last = List.of(activityId, outputName);
    }
  }

  void storeLast(@Nullable Execution root) {
    if (root != null && last != null) {
      root.memory.put(LAST, last);
    }
  }

  void result(ActivityNode node, String outputName, @Nullable Object value) {
    var key = key(node);
    var outputs = new LinkedHashMap<String, @Nullable Object>(outputsOf(key));
    outputs.put(outputName, value);
    results.put(key, Collections.unmodifiableMap(outputs));
    last = List.of(key, outputName);
  }

  /** The same activity is there several times when its workflow is used several times. */
  private String key(ActivityNode node) {
    return graph.user(node.nodeId()) == null ? node.id() : node.nodeId();
  }

  /** By id of an activity, or node id of one in a workflow that is used: its outputs. */
  Map<String, @Nullable Object> results() {
    return Collections.unmodifiableMap(results);
  }

  Map<String, @Nullable Object> outputsOf(ActivityNode node) {
    return outputsOf(key(node));
  }

  private Map<String, @Nullable Object> outputsOf(String key) {
    var outputs = Json.object(results.get(key));
    return outputs == null ? Map.of() : outputs;
  }

  @Nullable Object lastResult() {
    return last == null ? null : outputsOf(last.get(0)).get(last.get(1));
  }

  void incident(Incident incident, int max) {
    if (incidents.size() < max) {
      incidents.add(incident);
    }
  }

  /** The execution is tried again, so its incidents are no longer open. */
  void resolveIncidentsOf(int execution) {
    incidents.removeIf(incident -> incident.execution() == execution);
  }

  @Nullable Incident lastIncident() {
    return incidents.isEmpty() ? null : incidents.getLast();
  }

  /** At the end: nothing is changed after that. */
  Map<String, @Nullable Object> finalOutput() {
    return output.isEmpty() ? Map.of() : Collections.unmodifiableMap(output);
  }

  /** At the end. */
  Map<String, @Nullable Object> finalResults() {
    return results.isEmpty() ? Map.of() : Collections.unmodifiableMap(results);
  }

  List<Incident> finalIncidents() {
    return List.copyOf(incidents);
  }
}
