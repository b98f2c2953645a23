package skein.node;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a server of Elsa has, as its serializers write it. */
final class ElsaData {
  private static final String BEGUN = "2026-03-01T10:00:00+00:00";

  /** Versions of definitions as the API answers them. */
  final List<JsonObject> definitions = new ArrayList<>();

  /** States by the id of their instances. */
  final Map<String, JsonObject> states = new LinkedHashMap<>();

  /** Names of labels by their ids. */
  final Map<String, String> labels = new LinkedHashMap<>();

  /** Ids of labels by the id of a version of a definition. */
  final Map<String, String> labelled = new LinkedHashMap<>();

  static String input(String type, String language, Object value) {
    return new JsonObject()
        .put("typeName", type)
        .put("expression", new JsonObject().put("type", language).put("value", value))
        .encode();
  }

  /** Sets Total to 12, waits, and has Total and {@code added} as the output Sum. */
  static JsonObject definition(String definitionId, int version, String waits, int added) {
    return new JsonObject(
        """
        {"id": "%1$s-v%2$d", "definitionId": "%1$s", "tenantId": "", "name": "%1$s",
         "createdAt": "%3$s", "version": %2$d, "toolVersion": "3.8.0.0",
         "variables": [{"id": "t", "name": "Total", "typeName": "Int32", "isArray": false, "value": "0"}],
         "inputs": [], "outputs": [{"type": "Object", "name": "Sum"}], "outcomes": [],
         "customProperties": {}, "isReadonly": false, "isSystem": false, "isLatest": true,
         "isPublished": true, "options": {"autoUpdateConsumingWorkflows": false},
         "root": {"type": "Elsa.Sequence", "version": 1, "id": "seq", "nodeId": "Workflow1:seq",
           "customProperties": {"canStartWorkflow": false}, "activities": [
           {"type": "Elsa.SetVariable", "version": 1, "id": "set",
            "variable": {"id": "t", "name": "Total", "typeName": "Int32"}, "value": %4$s},
           %5$s,
           {"type": "Elsa.SetOutput", "version": 1, "id": "sum", "outputName": %6$s,
            "outputValue": %7$s}]}}
        """
            .formatted(
                definitionId,
                version,
                BEGUN,
                input("Int32", "Literal", 12),
                waits,
                input("String", "Literal", "Sum"),
                input("Object", "JavaScript", "getVariable('Total') + " + added)));
  }

  static String event(String name) {
    return activity("Elsa.Event", "\"eventName\": " + input("String", "Literal", name));
  }

  static String task(String name) {
    return activity("Elsa.RunTask", "\"taskName\": " + input("String", "Literal", name));
  }

  static String delay() {
    return activity("Elsa.Delay", "\"timeSpan\": " + input("TimeSpan", "Literal", "00:00:01"));
  }

  static String timer() {
    return activity(
        "Elsa.Timer",
        "\"customProperties\": {\"canStartWorkflow\": true}, \"interval\": "
            + input("TimeSpan", "Literal", "10:00:00"));
  }

  private static String activity(String type, String members) {
    return "{\"type\": \"%s\", \"version\": 1, \"id\": \"wait\", %s}".formatted(type, members);
  }

  /** An instance that has set Total and waits. */
  void waiting(String id, JsonObject definition, String bookmark, JsonObject payload) {
    states.put(
        id,
        new JsonObject(
            """
            {"$id": "1", "id": "%1$s", "definitionId": "%2$s", "definitionVersionId": "%3$s",
             "definitionVersion": %4$d, "correlationId": "c-%1$s", "name": "One of %2$s",
             "status": "Running", "subStatus": "Suspended", "isExecuting": false, "isSystem": false,
             "bookmarks": {"$id": "2", "$values": [{"$id": "3", "id": "b-%1$s", "name": "%5$s",
               "hash": "A1", "payload": %6$s, "activityId": "wait",
               "activityNodeId": "Workflow1:seq:wait", "activityInstanceId": "x-%1$s",
               "createdAt": "%7$s", "autoBurn": true, "autoComplete": true}]},
             "incidents": {"$id": "5", "$values": []},
             "completionCallbacks": {"$id": "6", "$values": [
               {"$id": "7", "ownerInstanceId": "s-%1$s", "childNodeId": "Workflow1:seq:wait", "methodName": "OnChildCompleted"},
               {"$id": "8", "ownerInstanceId": "w-%1$s", "childNodeId": "Workflow1:seq", "methodName": "OnRootCompletedAsync"}]},
             "activityExecutionContexts": {"$id": "9", "$values": [
               {"$id": "10", "id": "x-%1$s", "parentContextId": "s-%1$s",
                "scheduledActivityNodeId": "Workflow1:seq:wait", "properties": {}, "metadata": {},
                "status": "Running", "startedAt": "%7$s"},
               {"$id": "11", "id": "s-%1$s", "parentContextId": "w-%1$s",
                "scheduledActivityNodeId": "Workflow1:seq", "properties": {"CurrentIndex": 2},
                "status": "Running", "startedAt": "%7$s"},
               {"$id": "12", "id": "w-%1$s", "scheduledActivityNodeId": "Workflow1",
                "properties": {"Variables": {"$id": "13", "t": 12, "_type": "VariablesDictionary"}},
                "status": "Running", "startedAt": "%7$s"}]},
             "scheduledActivities": {"$id": "14", "$values": []}, "executionLogSequence": 3,
             "input": {}, "output": {}, "properties": {}, "createdAt": "%7$s", "updatedAt": "%7$s"}
            """
                .formatted(
                    id,
                    definition.getString("definitionId"),
                    definition.getString("id"),
                    definition.getInteger("version"),
                    bookmark,
                    payload.encode(),
                    BEGUN)));
  }

  static JsonObject resumeAt(Instant at) {
    return new JsonObject()
        .put("resumeAt", at.toString().replace("Z", "+00:00"))
        .put("_type", "Elsa.Scheduling.Bookmarks.DelayPayload, Elsa.Scheduling");
  }

  /** The bookmarks as Elsa's table of them has them. */
  static List<JsonObject> bookmarks(JsonObject state) {
    return Api.objects(state.getJsonObject("bookmarks").getJsonArray("$values")).stream()
        .map(bookmark ->
            new JsonObject()
                .put("id", bookmark.getString("id"))
                .put("activityTypeName", bookmark.getString("name"))
                .put("workflowInstanceId", state.getString("id"))
                .put("activityInstanceId", bookmark.getString("activityInstanceId"))
                .put("hash", bookmark.getString("hash"))
                .put("createdAt", bookmark.getString("createdAt"))
                .put("payload", bookmark.getJsonObject("payload")))
        .toList();
  }

  /** What was executed: the activity before the wait. */
  static JsonArray records(JsonObject state) {
    var id = state.getString("id");
    return new JsonArray()
        .add(
            new JsonObject()
                .put("id", "r-" + id)
                .put("workflowInstanceId", id)
                .put("activityId", "set")
                .put("activityNodeId", "Workflow1:seq:set")
                .put("activityType", "Elsa.SetVariable")
                .put("activityTypeVersion", 1)
                .put("activityState", new JsonObject().put("Value", 12))
                .put("startedAt", BEGUN)
                .put("completedAt", BEGUN)
                .put("hasBookmarks", false)
                .put("status", "Completed"));
  }
}
