package skein.exchange;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.ElsaProperties;
import skein.activities.SecretNames;
import skein.activities.VariableDeclaration;
import skein.codecs.JsonText;
import skein.graph.Graph;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;
import skein.model.Incident;
import skein.model.Parent;
import skein.model.StartRequest;
import skein.model.WorkflowInstance;

/**
 * An instance as Elsa's {@code WorkflowState}, with all that Elsa needs to go on with it. Types are
 * named in full, which every version of Elsa 3 understands.
 */
public final class StateWriter {
  /** Ours among the properties of the state and of each context. */
  static final String OWN = "Skein";

  static final String VARIABLES = "Variables";
  static final String FLOW_MODE = "Flowchart:ExecutionMode";
  private static final String VARIABLES_TYPE =
      "Elsa.Workflows.VariablesDictionary, Elsa.Workflows.Core";
  private static final String DRIVER =
      "Elsa.Workflows.WorkflowInstanceStorageDriver, Elsa.Workflows.Core";
  private static final String PARALLEL_LOOP = "Elsa.ParallelForEach";
  private static final String EXCEPTION_TYPE = "System.Exception, System.Private.CoreLib";

  /** The methods that Elsa's activities have told when a child of theirs completes. */
  private static final Map<String, String> CALLBACKS =
      Map.ofEntries(
          Map.entry("Elsa.Sequence", "OnChildCompleted"),
          Map.entry("Elsa.Flowchart", "OnChildCompletedAsync"),
          Map.entry("Elsa.If", "OnChildCompleted"),
          Map.entry("Elsa.Switch", "OnChildActivityCompletedAsync"),
          Map.entry("Elsa.For", "OnChildComplete"),
          Map.entry("Elsa.ForEach", "OnChildCompleted"),
          Map.entry(PARALLEL_LOOP, "OnChildCompleted"),
          Map.entry("Elsa.While", "OnBodyCompleted"),
          Map.entry("Elsa.Fork", "CompleteChildAsync"),
          Map.entry("Elsa.Parallel", "OnChildCompleted"),
          Map.entry("Elsa.Composite", "OnRootCompletedAsync"),
          Map.entry("Elsa.BulkDispatchWorkflows", "OnChildFinishedCompletedAsync"),
          Map.entry("Elsa.SendHttpRequest", "OnChildActivityCompletedAsync"));

  private final WorkflowInstance instance;
  private final @Nullable Graph graph;
  private final Map<Integer, ActivityExecution> byNumber = new HashMap<>();
  private final Map<Integer, List<ActivityExecution>> children = new HashMap<>();
  private final Map<Integer, Long> depths = new HashMap<>();

  /** {@code graph}: null when the definition is gone; what an activity remembers is ours then. */
  public StateWriter(WorkflowInstance instance, @Nullable Graph graph) {
    this.instance = instance;
    this.graph = graph;
    for (var execution : instance.executions()) { // Parents before their children.
      byNumber.put(execution.number(), execution);
      children.computeIfAbsent(execution.parent(), _ -> new ArrayList<>()).add(execution);
      depths.put(execution.number(), depths.getOrDefault(execution.parent(), 0L) + 1);
    }
  }

  /** The id of an execution's context; 0 is the workflow itself. */
  public String contextId(int execution) {
    return ContextIds.of(instance.id(), execution);
  }

  /** {@code status} and {@code subStatus}: Elsa's words. */
  public Map<String, @Nullable Object> state(String status, String subStatus) {
    var parent = instance.labels().parent();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", instance.id().value());
    json.put("definitionId", instance.definition().definitionId());
    json.put("definitionVersionId", instance.definition().versionId());
    json.put("definitionVersion", (long) instance.definition().version());
    json.put(
        "parentWorkflowInstanceId",
        parent == null || parent.isSchedule() ? null : parent.id().value());
    json.put("correlationId", instance.labels().correlationId());
    json.put("name", instance.labels().name());
    json.put("status", status);
    json.put("subStatus", subStatus);
    json.put("isExecuting", false);
    json.put("isSystem", false);
    json.put("bookmarks", instance.bookmarks().stream().map(Bookmarks::write).toList());
    json.put("incidents", instance.incidents().stream().map(this::incident).toList());
    json.put("completionCallbacks", callbacks());
    json.put("activityExecutionContexts", contexts());
    json.put("scheduledActivities", List.of());
    json.put("executionLogSequence", instance.counters().journal());
    json.put("input", ElsaJson.encodeValues(instance.input()));
    json.put("output", ElsaJson.encodeValues(instance.output()));
    json.put("properties", properties(parent));
    json.put("createdAt", instance.timing().createdAt().toString());
    json.put("updatedAt", instance.timing().updatedAt().toString());
    var finishedAt = instance.timing().finishedAt();
    json.put("finishedAt", finishedAt == null ? null : finishedAt.toString());
    return json;
  }

  /** What Elsa's table of bookmarks holds. */
  public List<Map<String, @Nullable Object>> bookmarks() {
    var correlationId = instance.labels().correlationId();
    return instance.bookmarks().stream()
        .map(bookmark -> Bookmarks.stored(bookmark, correlationId))
        .toList();
  }

  private Map<String, @Nullable Object> incident(Incident incident) {
    var metadata = new LinkedHashMap<String, @Nullable Object>();
    metadata.put(StateReader.INCIDENT_TYPE, incident.type());
    if (incident.code() != null) {
      metadata.put(StateReader.INCIDENT_CODE, incident.code());
    }
    var exception = exception(incident.message());
    exception.put("metadata", metadata);
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("activityId", incident.activityId());
    json.put("activityNodeId", incident.nodeId());
    json.put("activityInstanceId", contextId(incident.execution()));
    json.put("activityType", incident.activityType());
    json.put("message", incident.message());
    json.put("exception", exception);
    json.put("timestamp", incident.at().toString());
    return json;
  }

  /** Of a type that Elsa knows; it cannot read one without. */
  public static Map<String, @Nullable Object> exception(String message) {
    var exception = new LinkedHashMap<String, @Nullable Object>();
    exception.put("type", EXCEPTION_TYPE);
    exception.put("message", message);
    return exception;
  }

  private Map<String, @Nullable Object> properties(@Nullable Parent parent) {
    var properties = new LinkedHashMap<String, @Nullable Object>();
    instance.executions().stream()
        .map(execution -> execution.memory().get("mode"))
        .filter(mode -> "TOKEN".equals(mode) || "COUNTER".equals(mode))
        .findFirst()
        .ifPresent(mode ->
            properties.put(FLOW_MODE, "TOKEN".equals(mode) ? "TokenBased" : "CounterBased"));
    if (parent != null && !parent.isSchedule()) {
      properties.put(StateReader.PARENT_ID, parent.id().value());
      if (parent.notice() != Parent.Notice.Never) {
        properties.put(StateReader.WAITS, true);
      }
    }
    properties.put(OWN, own(parent));
    return properties;
  }

  private Map<String, @Nullable Object> own(@Nullable Parent parent) {
    var counters = instance.counters();
    var own = new LinkedHashMap<String, @Nullable Object>();
    own.put("executions", (long) counters.executions());
    own.put("bookmarks", (long) counters.bookmarks());
    own.put("journal", counters.journal());
    own.put("results", ElsaJson.encode(instance.results()));
    own.put("shelved", instance.shelved().stream().map(Bookmarks::write).toList());
    own.put("fingerprint", instance.fingerprint());
    putIfAny(own, StateReader.INPUT, ElsaJson.lost(instance.input()));
    putIfAny(own, StateReader.OUTPUT, ElsaJson.lost(instance.output()));
    if (parent != null) {
      var json = new LinkedHashMap<String, @Nullable Object>();
      json.put("id", parent.id().value());
      json.put("execution", (long) parent.execution());
      json.put("notice", parent.notice().name());
      own.put("parent", json);
    }
    var pending = instance.pending();
    if (pending != null) {
      own.put("pending", pending(pending));
    }
    return own;
  }

  private static void putIfAny(
      Map<String, @Nullable Object> into, String name, @Nullable Object value) {
    if (value != null) {
      into.put(name, value);
    }
  }

  private static Map<String, @Nullable Object> pending(StartRequest request) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("input", ElsaJson.encode(request.input()));
    json.put("triggerActivityId", request.triggerActivityId());
    json.put("stimulus", ElsaJson.encode(request.stimulus()));
    json.put("fingerprint", request.fingerprint());
    return json;
  }

  private @Nullable ActivityNode node(ActivityExecution execution) {
    return graph == null ? null : graph.node(execution.nodeId());
  }

  // Who is told when what has completed

  private List<Map<String, @Nullable Object>> callbacks() {
    var callbacks = new ArrayList<Map<String, @Nullable Object>>();
    for (var execution : instance.executions()) {
      if (execution.status() == ActivityStatus.Running) {
        var json = new LinkedHashMap<String, @Nullable Object>();
        json.put("ownerInstanceId", contextId(execution.parent()));
        json.put("childNodeId", execution.nodeId());
        json.put("methodName", callback(execution));
        json.put("tag", isTurn(execution) ? turn(execution) : execution.tag());
        callbacks.add(json);
      }
    }
    return callbacks;
  }

  /** Whether it is one of the turns that a loop takes at once. */
  private boolean isTurn(ActivityExecution execution) {
    var parent = byNumber.get(execution.parent());
    var node = parent == null ? null : node(parent);
    return node != null && node.descriptor().typeName().equals(PARALLEL_LOOP);
  }

  /** Elsa tells the turns of such a loop apart by GUIDs. */
  private static String turn(ActivityExecution execution) {
    return new UUID(0, execution.number()).toString();
  }

  /** Those that are under way count as all there are: the others have been heard of. */
  private void addTurns(ActivityExecution loop, Map<String, @Nullable Object> properties) {
    var turns =
        children.getOrDefault(loop.number(), List.of()).stream()
            .filter(this::isTurn)
            .map(StateWriter::turn)
            .toList();
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

  private @Nullable String callback(ActivityExecution execution) {
    var parent = byNumber.get(execution.parent());
    var node = parent == null ? null : node(parent);
    if (parent == null) {
      return "OnRootCompletedAsync";
    }
    return node == null ? null : CALLBACKS.get(node.descriptor().typeName());
  }

  // Contexts

  private List<Map<String, @Nullable Object>> contexts() {
    var contexts = new ArrayList<Map<String, @Nullable Object>>();
    var root = byNumber.get(ContextIds.ROOT);
    if (root != null) {
      contexts.add(workflow(root));
    }
    instance.executions().forEach(execution -> contexts.add(context(execution)));
    return contexts;
  }

  /** Elsa's workflow is an activity itself, around the root: it has the workflow's variables. */
  private Map<String, @Nullable Object> workflow(ActivityExecution root) {
    var path = root.nodeId();
    var colon = path.indexOf(':');
    var properties = new LinkedHashMap<String, @Nullable Object>();
    properties.put(VARIABLES, dictionary(workflowVariables(root)));
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", contextId(ContextIds.WORKFLOW));
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
    for (var declared : graph == null ? List.<VariableDeclaration>of() : graph.variables()) {
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
    var node = node(execution);
    var parent = byNumber.get(execution.parent());
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
    json.put("id", contextId(execution.number()));
    json.put("callStackDepth", depths.get(execution.number()));
    json.put("parentContextId", contextId(execution.parent()));
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

  private @Nullable String workflowNode() {
    var root = byNumber.get(ContextIds.ROOT);
    return root == null
        ? null
        : root.nodeId().substring(0, Math.max(0, root.nodeId().indexOf(':')));
  }

  private Set<String> running(ActivityExecution execution) {
    var ids = new LinkedHashSet<String>();
    for (var child : children.getOrDefault(execution.number(), List.of())) {
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
