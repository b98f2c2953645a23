package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.http.ElsaClientWorld.FAULTS;
import static skein.http.ElsaClientWorld.INSTANCES;
import static skein.http.ElsaClientWorld.WAITS;
import static skein.http.ElsaClientWorld.WRITES;
import static skein.http.ElsaClientWorld.column;
import static skein.http.ElsaClientWorld.id;
import static skein.http.ElsaClientWorld.items;
import static skein.http.ElsaClientWorld.json;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.http.ElsaClient.Answered;

/** What is asked of the methods about instances, and what they do. */
final class ElsaClientInstanceCases {
  private static final String EXECUTIONS = "IActivityExecutionsApi.";
  private static final String ALTERATIONS = "IAlterationsApi.";
  private static final String PATH = "Workflow1:S:A";

  private final ElsaClientWorld world;

  ElsaClientInstanceCases(ElsaClientWorld world) {
    this.world = world;
  }

  void add() {
    starting();
    reading();
    ending();
    executions();
    alterations();
  }

  private Answered call(String name, @Nullable Object... namesAndValues) throws Exception {
    return world.call(INSTANCES + name, namesAndValues);
  }

  /** A new instance of a new definition that waits. */
  private String waiting(String definitionId) throws Exception {
    world.saved(definitionId, WAITS, true);
    return world.started(definitionId);
  }

  private void starting() {
    world.add(
        "IExecuteWorkflowApi.ExecuteAsync",
        () -> {
          world.saved("execute", WRITES, true);
          var key = "IExecuteWorkflowApi.ExecuteAsync";
          var plain = world.call(key, "definitionId", "execute");
          assertThat(Json.object(plain.json().get("workflowState")))
              .containsEntry("status", "Finished");
          assertThat(plain.header("x-elsa-workflow-instance-id")).isNotEmpty();
          var body =
              Map.of(
                  "correlationId",
                  "c-1",
                  "versionOptions",
                  "Published",
                  "input",
                  Map.of("Amount", 12L));
          var more = world.call(key, "definitionId", "execute", "body", body);
          assertThat(Json.object(more.json().get("workflowState")))
              .containsEntry("correlationId", "c-1")
              .containsEntry("input", Map.of("Amount", 12L));
          world.client.refused(key, 404, "definitionId", "none", "body", Map.of());
        });
    world.add(
        "IExecuteWorkflowApi.DispatchAsync",
        () -> {
          world.saved("dispatch", WAITS, true);
          var key = "IExecuteWorkflowApi.DispatchAsync";
          assertThat(world.call(key, "definitionId", "dispatch").json())
              .containsKey("workflowInstanceId");
          var body = Map.of("instanceId", "dispatched-1", "versionOptions", "Latest");
          assertThat(world.call(key, "definitionId", "dispatch", "body", body).json())
              .containsEntry("workflowInstanceId", "dispatched-1");
        });
    world.add(
        "ITasksApi.ReportTaskCompletedAsync",
        () -> {
          var task =
              "{'id':'S','type':'Elsa.RunTask','version':1,'taskName':{'typeName':'String',"
                  + "'expression':{'type':'Literal','value':'Check'}}}";
          world.saved("task", task, true);
          var instance = world.started("task");
          var result = Map.of("result", Map.of("ok", true));
          world.call(
              "ITasksApi.ReportTaskCompletedAsync", "taskId", instance + "-1", "body", result);
          assertThat(world.instance(instance)).containsEntry("status", "Finished");
        });
  }

  private void reading() {
    world.add(INSTANCES + "ListAsync", this::list);
    world.add(
        INSTANCES + "GetAsync",
        () -> {
          var waits = world.instance(waiting("get"));
          assertThat(waits).containsEntry("status", "Running").containsEntry("version", 1L);
          assertThat(objects(Json.object(waits.get("workflowState")), "bookmarks")).hasSize(1);
          world.saved("get-faulted", FAULTS, true);
          var faulted = world.instance(faulted("get-faulted"));
          assertThat(faulted).containsEntry("subStatus", "Faulted");
          assertThat(objects(Json.object(faulted.get("workflowState")), "incidents")).hasSize(1);
          world.client.refused(INSTANCES + "GetAsync", 404, "id", "none");
        });
    world.add(
        INSTANCES + "GetJournalAsync",
        () -> {
          var instance = waiting("journal");
          var name = "GetJournalAsync";
          var all = call(name, "workflowInstanceId", instance);
          var second = call(name, "workflowInstanceId", instance, "skip", 1L, "take", 1L);
          assertThat(items(second)).containsExactly(items(all).get(1));
          assertThat(second.json().get("totalCount")).isEqualTo((long) items(all).size());
        });
    world.add(INSTANCES + "GetFilteredJournalAsync", this::filteredJournal);
    world.add(
        INSTANCES + "GetExecutionStateAsync",
        () -> {
          var instance = waiting("state");
          assertThat(call("GetExecutionStateAsync", "workflowInstanceId", instance).json())
              .containsEntry("status", "Running")
              .containsEntry("workflowSubStatus", "Suspended");
        });
    world.add(
        INSTANCES + "GetVariablesAsync",
        () -> {
          var model =
              Map.of(
                  "definitionId",
                  "variables",
                  "name",
                  "variables",
                  "root",
                  json(WAITS),
                  "variables",
                  List.of(json("{'id':'v1','name':'Total','typeName':'Int32','value':'7'}")));
          world.call(
              ElsaClientWorld.DEFINITIONS + "SaveAsync",
              "body",
              Map.of("model", model, "publish", true));
          var instance = world.started("variables");
          assertThat(items(call("GetVariablesAsync", "workflowInstanceId", instance)))
              .singleElement()
              .satisfies(found -> assertThat(found).containsEntry("name", "Total"));
        });
    world.add(
        INSTANCES + "ExportAsync",
        () -> {
          var instance = waiting("export");
          assertThat(call("ExportAsync", "id", instance).fileName()).endsWith(".json");
        });
    world.add(
        INSTANCES + "BulkExportAsync",
        () -> {
          var ids = List.of(waiting("export-1"), waiting("export-2"));
          assertThat(call("BulkExportAsync", "body", Map.of("ids", ids)).fileName())
              .endsWith(".zip");
        });
    world.add(
        INSTANCES + "BulkImportAsync",
        () -> {
          var instance = waiting("import");
          var exported = call("ExportAsync", "id", instance).bytes();
          call("DeleteAsync", "id", instance);
          var files = Map.of("instance.json", exported);
          assertThat(call("BulkImportAsync", "files", files).json()).containsEntry("count", 1L);
          assertThat(world.instance(instance)).containsEntry("status", "Running");
        });
  }

  private static List<Map<String, @Nullable Object>> objects(
      @Nullable Map<String, @Nullable Object> json, String name) {
    return ElsaClientWorld.objects(json == null ? null : json.get(name));
  }

  /** The id of a new instance that has ended with a fault. */
  private String faulted(String definitionId) throws Exception {
    world.call(
        "IExecuteWorkflowApi.DispatchAsync",
        "definitionId",
        definitionId,
        "body",
        Map.of("instanceId", definitionId));
    eventually(() -> world.instance(definitionId).get("subStatus"), "Faulted");
    return definitionId;
  }

  private interface Reading {
    @Nullable Object read() throws Exception;
  }

  private static void eventually(Reading reading, String wanted) throws Exception {
    Object found = null;
    for (int i = 0; i < 200; i++) {
      found = reading.read();
      if (wanted.equals(found)) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    assertThat(found).isEqualTo(wanted);
  }

  /** A program that names a definition alone has asked for a list, and started nothing. */
  private void list() throws Exception {
    var instance = waiting("list-instances");
    var ofDefinition = Map.of("definitionId", "list-instances");
    var found = call("ListAsync", "body", ofDefinition);
    assertThat(column(items(found), "id")).containsExactly(instance);
    assertThat(column(items(call("ListAsync", "body", ofDefinition)), "id"))
        .containsExactly(instance);

    var created =
        Map.of(
            "column",
            "CreatedAt",
            "operator",
            "GreaterThan",
            "timestamp",
            "2020-01-01T00:00:00+02:00");
    var body =
        Map.of(
            "definitionIds",
            List.of("list-instances"),
            "page",
            0L,
            "pageSize",
            5L,
            "statuses",
            List.of("Running"),
            "subStatuses",
            List.of("Suspended", "Executing"),
            "hasIncidents",
            false,
            "orderBy",
            "LastExecuted",
            "orderDirection",
            "Ascending",
            "timestampFilters",
            List.of(created));
    var filtered = call("ListAsync", "body", body);
    assertThat(column(items(filtered), "id")).containsExactly(instance);
    assertThat(filtered.json()).containsEntry("totalCount", 1L);
    var interrupted = Map.of("definitionId", "list-instances", "subStatus", "Interrupted");
    assertThat(items(call("ListAsync", "body", interrupted))).isEmpty();
  }

  private void filteredJournal() throws Exception {
    var instance = waiting("filtered");
    var name = "GetFilteredJournalAsync";
    var started = Map.of("filter", Map.of("eventNames", List.of("Started")));
    var all = items(call(name, "workflowInstanceId", instance, "body", started));
    var second =
        call(name, "workflowInstanceId", instance, "body", started, "skip", 1L, "take", 1L);
    var paths = Map.of("filter", Map.of("activityNodeIds", List.of(PATH)));

    assertThat(column(all, "eventName")).hasSizeGreaterThan(1).containsOnly("Started");
    assertThat(items(second)).containsExactly(all.get(1));
    assertThat(column(items(call(name, "workflowInstanceId", instance, "body", paths)), "nodeId"))
        .containsOnly(PATH);
    assertThat(items(call(name, "workflowInstanceId", instance, "take", 2L))).hasSize(2);
  }

  private void ending() {
    world.add(
        INSTANCES + "DeleteAsync",
        () -> {
          var instance = waiting("delete-instance");
          call("DeleteAsync", "id", instance);
          world.client.refused(INSTANCES + "DeleteAsync", 404, "id", instance);
        });
    world.add(
        INSTANCES + "BulkDeleteAsync",
        () -> {
          var instance = waiting("delete-instances");
          call("BulkDeleteAsync", "body", Map.of("ids", List.of(instance, "none")));
          world.client.refused(INSTANCES + "GetAsync", 404, "id", instance);
        });
    world.add(
        INSTANCES + "CancelAsync",
        () -> {
          var instance = waiting("cancel");
          call("CancelAsync", "id", instance);
          assertThat(world.instance(instance)).containsEntry("subStatus", "Cancelled");
          world.saved("cancel-ended", WRITES, true);
          var ended = world.started("cancel-ended");
          world.client.refused(INSTANCES + "CancelAsync", 409, "id", ended);
          world.client.refused(INSTANCES + "CancelAsync", 404, "id", "none");
        });
    world.add(
        INSTANCES + "BulkCancelAsync",
        () -> {
          var named = waiting("cancel-named");
          call("BulkCancelAsync", "body", Map.of("ids", List.of(named)));
          var of = waiting("cancel-all");
          var chosen = Map.of("definitionId", "cancel-all", "versionOptions", "AllVersions");
          call("BulkCancelAsync", "body", chosen);
          for (var instance : List.of(named, of)) {
            assertThat(world.instance(instance)).containsEntry("subStatus", "Cancelled");
          }
        });
  }

  private void executions() {
    world.add(
        EXECUTIONS + "GetReportAsync",
        () -> {
          var body =
              Map.of("workflowInstanceId", waiting("report"), "activityNodeIds", List.of(PATH));
          var report = world.call(EXECUTIONS + "GetReportAsync", "body", body);
          assertThat(ElsaClientWorld.objects(report.json().get("stats")))
              .singleElement()
              .satisfies(stats ->
                  assertThat(stats)
                      .containsEntry("activityNodeId", PATH)
                      .containsEntry("startedCount", 1L)
                      .containsEntry("isBlocked", true));
        });
    for (var name : List.of("ListAsync", "ListSummariesAsync")) {
      world.add(
          EXECUTIONS + name,
          () -> {
            var instance = waiting("executions-" + name);
            var all =
                world.call(EXECUTIONS + name, "query", Map.of("WorkflowInstanceId", instance));
            var one =
                world.call(
                    EXECUTIONS + name,
                    "query",
                    Map.of("WorkflowInstanceId", instance, "ActivityNodeId", PATH));
            assertThat(items(all)).hasSizeGreaterThan(1);
            assertThat(column(items(one), "activityNodeId")).containsExactly(PATH);
          });
    }
    world.add(
        EXECUTIONS + "GetAsync",
        () -> {
          var id = execution(waiting("execution"), PATH);
          assertThat(world.call(EXECUTIONS + "GetAsync", "id", id).json())
              .containsEntry("activityNodeId", PATH)
              .containsEntry("hasBookmarks", true);
          world.saved("execution-faulted", FAULTS, true);
          var fault = execution(faulted("execution-faulted"), "Workflow1:S:F");
          var exception =
              Json.object(world.call(EXECUTIONS + "GetAsync", "id", fault).json().get("exception"));
          assertThat(exception).containsEntry("message", "Broken");
        });
    world.add(
        EXECUTIONS + "GetCallStackAsync",
        () -> {
          var id = execution(waiting("stack"), PATH);
          var key = EXECUTIONS + "GetCallStackAsync";
          var whole = world.call(key, "id", id);
          var first =
              world.call(key, "id", id, "includeCrossWorkflowChain", true, "skip", 0L, "take", 1L);
          assertThat(items(whole)).hasSizeGreaterThan(1);
          assertThat(items(first)).hasSize(1);
          assertThat(first.json().get("totalCount")).isEqualTo((long) items(whole).size());
        });
  }

  private String execution(String instance, String nodeId) throws Exception {
    var query = Map.of("WorkflowInstanceId", instance, "ActivityNodeId", nodeId);
    return id(items(world.call(EXECUTIONS + "ListAsync", "query", query)).getFirst());
  }

  private void alterations() {
    world.add(
        ALTERATIONS + "DryRun",
        () -> {
          var instance = waiting("dry-run");
          var filter = Map.of("definitionIds", List.of("dry-run"), "statuses", List.of("Running"));
          assertThat(world.call(ALTERATIONS + "DryRun", "body", filter).json())
              .containsEntry("workflowInstanceIds", List.of(instance));
          world.client.refused(ALTERATIONS + "DryRun", 400, "body", Map.of());
        });
    world.add(
        ALTERATIONS + "Run",
        () -> {
          var instance = waiting("alter");
          var body =
              Map.of(
                  "alterations",
                  List.of(Map.of("type", "Cancel")),
                  "workflowInstanceIds",
                  List.of(instance));
          world.call(ALTERATIONS + "Run", "body", body);
          assertThat(world.instance(instance)).containsEntry("subStatus", "Cancelled");
        });
    world.add(ALTERATIONS + "Submit", () -> submitted("submit", "Cancel"));
    world.add(
        ALTERATIONS + "GetAsync",
        () -> {
          var done = submitted("plan", "Cancel");
          assertThat(Json.object(done.get("plan"))).containsEntry("status", "Completed");
          var failed = submitted("plan-failed", "CancelActivity','activityId':'X");
          assertThat(ElsaClientWorld.objects(failed.get("jobs")))
              .singleElement()
              .satisfies(job -> {
                assertThat(job).containsEntry("status", "Failed");
                assertThat(Json.list(job.get("log"))).isNotEmpty();
              });
          world.client.refused(ALTERATIONS + "GetAsync", 404, "id", "none");
        });
    world.add(
        ALTERATIONS + "BulkRetryAsync",
        () -> {
          world.saved("retry", FAULTS, true);
          var ids = List.of(faulted("retry"), "none");
          var done =
              world.call(
                  ALTERATIONS + "BulkRetryAsync", "body", Map.of("workflowInstanceIds", ids));
          assertThat(column(ElsaClientWorld.objects(done.json().get("results")), "isSuccessful"))
              .containsExactly("true", "false");
        });
  }

  /** A plan for one instance, when it has ended. */
  private Map<String, @Nullable Object> submitted(String definitionId, String type)
      throws Exception {
    var instance = waiting(definitionId);
    var body =
        Map.of(
            "alterations",
            List.of(json("{'type':'" + type + "'}")),
            "filter",
            Map.of("workflowInstanceIds", List.of(instance)));
    var planId = world.call(ALTERATIONS + "Submit", "body", body).json().get("planId");
    var key = ALTERATIONS + "GetAsync";
    eventually(
        () -> {
          var plan = Json.object(world.call(key, "id", planId).json().get("plan"));
          return plan == null || "Running".equals(plan.get("status")) ? "at work" : "ended";
        },
        "ended");
    return world.call(key, "id", planId).json();
  }
}
