package skein.exchange;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.graph.Graph;
import skein.model.Incident;
import skein.model.Parent;
import skein.model.StartRequest;
import skein.model.WorkflowInstance;

/**
 * An instance as Elsa's {@code WorkflowState}, with all that Elsa needs to continue it. Types are
 * named in full, which every version of Elsa 3 understands.
 */
public final class StateWriter {
  static final String FLOW_MODE = "Flowchart:ExecutionMode";
  private static final String EXCEPTION_TYPE = "System.Exception, System.Private.CoreLib";

  private final WorkflowInstance instance;
  private final WrittenExecutions executions;

  /**
   * {@code graph}: null when the definition was deleted; the memory of activities is in our form
   * then.
   */
  public StateWriter(WorkflowInstance instance, @Nullable Graph graph) {
    this.instance = instance;
    this.executions = new WrittenExecutions(instance, graph);
  }

  /** The id of an execution's context; 0 is the workflow itself. */
  public String contextId(int execution) {
    return executions.contextId(execution);
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
    json.put("completionCallbacks", new CallbackWriter(executions).callbacks());
    json.put("activityExecutionContexts", new ContextWriter(instance, executions).contexts());
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

  /** The entries of Elsa's table of bookmarks. */
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

  /** An exception of a type that Elsa knows; it cannot read one without. */
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
    properties.put(ContextWriter.OWN, own(parent));
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
}
