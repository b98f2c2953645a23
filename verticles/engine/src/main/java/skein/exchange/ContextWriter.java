package skein.exchange;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.ElsaProperties;
import skein.activities.SecretNames;
import skein.codecs.JsonText;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;
import skein.model.WorkflowInstance;

/**
 * Activity executions as Elsa's contexts, with the variables that are visible from them; {@link
 * Contexts} reads them.
 */
final class ContextWriter {
  /** Ours among the properties of the state and of each context. */
  static final String OWN = "Skein";

  static final String VARIABLES = "Variables";
  private static final String VARIABLES_TYPE =
      "Elsa.Workflows.VariablesDictionary, Elsa.Workflows.Core";
  private static final String DRIVER =
      "Elsa.Workflows.WorkflowInstanceStorageDriver, Elsa.Workflows.Core";

  private final WorkflowInstance instance;
  private final WrittenExecutions executions;

  ContextWriter(WorkflowInstance instance, WrittenExecutions executions) {
    this.instance = instance;
    this.executions = executions;
  }

  /** That of the workflow first, then parents before their children. */
  List<Map<String, @Nullable Object>> contexts() {
    var contexts = new ArrayList<Map<String, @Nullable Object>>();
    var root = executions.root();
    if (root != null) {
      contexts.add(workflow(root));
    }
    executions.all().forEach(execution -> contexts.add(context(execution)));
    return contexts;
  }

  /** Elsa's workflow is an activity itself, around the root: it has the workflow's variables. */
  private Map<String, @Nullable Object> workflow(ActivityExecution root) {
    var path = root.nodeId();
    var colon = path.indexOf(':');
    var properties = new LinkedHashMap<String, @Nullable Object>();
    properties.put(VARIABLES, dictionary(workflowVariables(root)));
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", executions.contextId(ContextIds.WORKFLOW));
    json.put("callStackDepth", 0L);
    json.put("parentContextId", null);
    json.put("scheduledActivityNodeId", colon < 0 ? path : path.substring(0, colon));
    json.put("ownerActivityNodeId", null);
    json.put("properties", properties);
    json.put("metadata", Map.of());
    json.put("activityState", Map.of());
    json.put("dynamicVariables", List.of());
    json.put("status", workflowStatus().name());
    json.put("isExecuting", false);
    json.put("faultCount", (long) instance.incidents().size());
    json.put("startedAt", root.startedAt().toString());
    var finishedAt = instance.timing().finishedAt();
    json.put("completedAt", finishedAt == null ? null : finishedAt.toString());
    json.put("tag", null);
    return json;
  }

  private ActivityStatus workflowStatus() {
    return switch (instance.status()) {
      case Completed -> ActivityStatus.Completed;
      case Cancelled -> ActivityStatus.Canceled;
      case Faulted -> ActivityStatus.Faulted;
      case Pending, Running, Suspended -> ActivityStatus.Running;
    };
  }

  private Map<String, @Nullable Object> workflowVariables(ActivityExecution root) {
    var variables = new LinkedHashMap<String, @Nullable Object>();
    for (var declared : executions.workflowVariables()) {
      if (root.variables().containsKey(declared.id())) {
        variables.put(declared.id(), root.variables().get(declared.id()));
      }
    }
    return variables;
  }

  /** Elsa reads the values as documents, in which nothing is escaped. */
  private static Map<String, @Nullable Object> dictionary(Map<String, @Nullable Object> variables) {
    var dictionary = new LinkedHashMap<String, @Nullable Object>(variables);
    dictionary.put(ElsaJson.TYPE, VARIABLES_TYPE);
    return dictionary;
  }

  private Map<String, @Nullable Object> context(ActivityExecution execution) {
    var node = executions.node(execution);
    var parent = executions.parent(execution);
    var written =
        node == null
            ? new ElsaProperties.Written(Map.of(), Map.of(), execution.memory())
            : ElsaProperties.write(node, execution.memory(), running(execution));
    var variables = new LinkedHashMap<String, @Nullable Object>(execution.variables());
    if (execution.number() == ContextIds.ROOT) {
      variables.keySet().removeAll(workflowVariables(execution).keySet());
    }
    var properties = new LinkedHashMap<String, @Nullable Object>(written.properties());
    addTurns(execution, properties);
    properties.put(VARIABLES, dictionary(variables));
    properties.put(OWN, ElsaJson.encode(SecretNames.hideInMemory(written.own())));
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", executions.contextId(execution.number()));
    json.put("callStackDepth", executions.depth(execution));
    json.put("parentContextId", executions.contextId(execution.parent()));
    json.put("scheduledActivityNodeId", execution.nodeId());
    json.put("ownerActivityNodeId", parent == null ? workflowNode() : parent.nodeId());
    json.put("properties", properties);
    json.put("metadata", Map.of());
    json.put("activityState", ElsaJson.encodeValues(written.inputs()));
    json.put("dynamicVariables", dynamic(node, variables));
    json.put("status", execution.status().name());
    json.put("isExecuting", false);
    json.put("faultCount", execution.status() == ActivityStatus.Faulted ? 1L : 0L);
    json.put("startedAt", execution.startedAt().toString());
    json.put("completedAt", null);
    json.put("tag", execution.tag());
    return json;
  }

  /** Those that are under way count as all there are: the others have been heard of. */
  private void addTurns(ActivityExecution loop, Map<String, @Nullable Object> properties) {
    var turns =
        executions.children(loop).stream().map(executions::turn).filter(Objects::nonNull).toList();
    if (!turns.isEmpty()) {
      properties.put("ScheduledTagsProperty", texts(turns));
      properties.put("CompletedTagsProperty", texts(List.of()));
    }
  }

  private static Map<String, @Nullable Object> texts(List<String> list) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("_island", JsonText.print(list));
    json.put(ElsaJson.TYPE, "System.Text.Json.Nodes.JsonArray, System.Text.Json");
    return json;
  }

  private @Nullable String workflowNode() {
    var root = executions.root();
    return root == null
        ? null
        : root.nodeId().substring(0, Math.max(0, root.nodeId().indexOf(':')));
  }

  private Set<String> running(ActivityExecution execution) {
    var ids = new LinkedHashSet<String>();
    for (var child : executions.children(execution)) {
      ids.add(child.nodeId().substring(child.nodeId().lastIndexOf(':') + 1));
    }
    return ids;
  }

  /** Those that a parent gave when it scheduled the execution; declared nowhere. */
  private static List<Map<String, @Nullable Object>> dynamic(
      @Nullable ActivityNode node, Map<String, @Nullable Object> variables) {
    var names = new LinkedHashSet<>(variables.keySet());
    if (node != null) {
      node.variables().forEach(declared -> names.remove(declared.id()));
    }
    var dynamic = new ArrayList<Map<String, @Nullable Object>>();
    for (var name : names) {
      var value = variables.get(name);
      var json = new LinkedHashMap<String, @Nullable Object>();
      json.put("id", name);
      json.put("name", name);
      json.put("typeName", typeName(value));
      json.put("value", text(value));
      json.put("storageDriverTypeName", DRIVER);
      dynamic.add(json);
    }
    return dynamic;
  }

  private static String typeName(@Nullable Object value) {
    return switch (value) {
      case String _ -> "String";
      case Boolean _ -> "Boolean";
      case Long _ -> "Int64";
      case Double _ -> "Double";
      case Number _ -> "Decimal";
      case Map<?, ?> _ -> "JsonObject";
      case List<?> _ -> "JsonArray";
      case null, default -> "Object";
    };
  }

  private static @Nullable String text(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String text -> text;
      default -> JsonText.print(value);
    };
  }
}
