package skein.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.SecretNames;
import skein.messages.Reply;
import skein.model.ActivityExecution;
import skein.model.Bookmark;
import skein.model.Incident;
import skein.model.InstanceId;
import skein.model.WorkflowInstance;
import skein.storage.InstanceStore;
import skein.storage.InstanceStore.Summary;
import skein.storage.TenantScope;

/** Instances in the shapes of Elsa's API. */
final class InstanceJson {
  private InstanceJson() {}

  /** A page of a list; {@code scope}: whose instances it lists. */
  static Map<String, @Nullable Object> page(InstanceStore.Page page, TenantScope scope) {
    return Lists.page(
        page.items().stream().map(instance -> summary(instance, scope.owner())).toList(),
        page.total());
  }

  /** {@code tenant}: empty is the default tenant, which Elsa's clients know as null. */
  static Map<String, @Nullable Object> summary(Summary instance, String tenant) {
    var status = ElsaStatus.of(instance.status());
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", instance.id().value());
    json.put("tenantId", tenant.isEmpty() ? null : tenant);
    json.put("definitionId", instance.definitionId());
    json.put("definitionVersionId", instance.versionId());
    json.put("version", (long) instance.version());
    json.put("parentWorkflowInstanceId", instance.parentId());
    json.put("status", status.status());
    json.put("subStatus", status.subStatus());
    json.put("storedStatus", instance.status().name());
    json.put("correlationId", instance.correlationId());
    json.put("name", instance.name());
    json.put("incidentCount", (long) instance.incidentCount());
    json.put("isSystem", false);
    json.put("createdAt", text(instance.createdAt()));
    json.put("updatedAt", text(instance.updatedAt()));
    json.put("finishedAt", text(instance.finishedAt()));
    return json;
  }

  /** What a list shows of it. */
  static Map<String, @Nullable Object> summary(WorkflowInstance instance) {
    return summary(
        new Summary(
            instance.id(),
            instance.definition().definitionId(),
            instance.definition().versionId(),
            instance.definition().version(),
            instance.status(),
            instance.labels().correlationId(),
            instance.labels().name(),
            text(instance.labels().parentId()),
            instance.incidents().size(),
            instance.timing().createdAt(),
            instance.timing().updatedAt(),
            instance.timing().finishedAt()),
        instance.definition().tenant());
  }

  static Map<String, @Nullable Object> entity(WorkflowInstance instance) {
    var json = summary(instance);
    json.put("revision", instance.revision());
    json.put("workflowState", state(instance));
    return json;
  }

  /** Elsa's WorkflowState. */
  static Map<String, @Nullable Object> state(WorkflowInstance instance) {
    var status = ElsaStatus.of(instance.status());
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", instance.id().value());
    json.put("definitionId", instance.definition().definitionId());
    json.put("definitionVersionId", instance.definition().versionId());
    json.put("definitionVersion", (long) instance.definition().version());
    var tenant = instance.definition().tenant();
    json.put("tenantId", tenant.isEmpty() ? null : tenant);
    json.put("parentWorkflowInstanceId", text(instance.labels().parentId()));
    json.put("correlationId", instance.labels().correlationId());
    json.put("name", instance.labels().name());
    json.put("status", status.status());
    json.put("subStatus", status.subStatus());
    json.put("isExecuting", status.subStatus().equals("Executing"));
    json.put("isSystem", false);
    json.put("bookmarks", instance.bookmarks().stream().map(InstanceJson::bookmark).toList());
    json.put(
        "incidents", instance.incidents().stream().map(i -> incident(instance.id(), i)).toList());
    json.put("completionCallbacks", List.of());
    json.put(
        "activityExecutionContexts",
        instance.executions().stream().map(e -> execution(instance.id(), e)).toList());
    json.put("scheduledActivities", List.of());
    json.put("executionLogSequence", instance.counters().journal());
    json.put("input", instance.input());
    json.put("output", instance.output());
    json.put("properties", Map.of());
    json.put("createdAt", text(instance.timing().createdAt()));
    json.put("updatedAt", text(instance.timing().updatedAt()));
    json.put("finishedAt", text(instance.timing().finishedAt()));
    return json;
  }

  /** The hash of a token is not shown, only that there is one. */
  static Map<String, @Nullable Object> bookmark(Bookmark bookmark) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", bookmark.id().toString());
    json.put("name", bookmark.name());
    json.put("hash", bookmark.hash());
    json.put("payload", bookmark.payload());
    json.put("activityId", bookmark.activityId());
    json.put("activityNodeId", bookmark.nodeId());
    json.put(
        "activityInstanceId", activityInstanceId(bookmark.id().instanceId(), bookmark.execution()));
    json.put("createdAt", text(bookmark.createdAt()));
    json.put("dueAt", text(bookmark.dueAt()));
    json.put("hasToken", bookmark.token() != null);
    json.put("autoBurn", true);
    json.put("autoComplete", true);
    json.put("callbackMethodName", null);
    json.put("metadata", Map.of());
    return json;
  }

  private static Map<String, @Nullable Object> incident(InstanceId id, Incident incident) {
    var exception = new LinkedHashMap<String, @Nullable Object>();
    exception.put("type", incident.type());
    exception.put("code", incident.code());
    exception.put("message", incident.message());
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("activityId", incident.activityId());
    json.put("activityNodeId", incident.nodeId());
    json.put("activityType", incident.activityType());
    json.put("activityInstanceId", activityInstanceId(id, incident.execution()));
    json.put("message", incident.message());
    json.put("exception", exception);
    json.put("timestamp", text(incident.at()));
    return json;
  }

  private static Map<String, @Nullable Object> execution(
      InstanceId id, ActivityExecution execution) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", activityInstanceId(id, execution.number()));
    json.put("parentContextId", activityInstanceId(id, execution.parent()));
    json.put("scheduledActivityNodeId", execution.nodeId());
    json.put("ownerActivityNodeId", null);
    json.put("properties", SecretNames.hideInMemory(execution.memory()));
    json.put("metadata", Map.of());
    json.put("activityState", Map.of());
    json.put("dynamicVariables", List.of());
    json.put("variables", execution.variables());
    json.put("status", execution.status().name());
    json.put("isExecuting", false);
    json.put("faultCount", execution.status().name().equals("Faulted") ? 1L : 0L);
    json.put("startedAt", text(execution.startedAt()));
    json.put("completedAt", null);
    json.put("tag", execution.tag());
    return json;
  }

  /** The result of a start or a resume, for callers that do not want the whole state. */
  static Map<String, @Nullable Object> outcome(Reply.Done done) {
    var status = ElsaStatus.of(done.status());
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("workflowInstanceId", done.instanceId().value());
    json.put("definitionId", done.definition().definitionId());
    json.put("definitionVersionId", done.definition().versionId());
    json.put("version", (long) done.definition().version());
    json.put("workflowStatus", status.status());
    json.put("subStatus", status.subStatus());
    json.put("revision", done.revision());
    return json;
  }

  /**
   * Names one execution of an activity in the API; null for 0, which is none.
   *
   * @see ActivityRecords#execution
   */
  static @Nullable String activityInstanceId(InstanceId id, int execution) {
    return execution == 0 ? null : id.value() + "-a" + execution;
  }

  static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }
}
