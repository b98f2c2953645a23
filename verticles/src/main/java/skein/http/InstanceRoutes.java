package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.VariableDeclaration;
import skein.definitions.DefinitionCache;
import skein.graph.Graph;
import skein.model.ErrorCode;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;
import skein.storage.InstanceStore;

/** Shows instances, as they were last committed. */
final class InstanceRoutes {
  private static final int JOURNAL_PAGE = 100;
  private static final int ROOT = 1;

  private final InstanceStore instances;
  private final DefinitionCache definitions;
  private final StartRoutes starts;

  InstanceRoutes(InstanceStore instances, DefinitionCache definitions, StartRoutes starts) {
    this.instances = instances;
    this.definitions = definitions;
    this.starts = starts;
  }

  void addTo(Routes routes) {
    routes
        .get("/workflow-instances", call -> list(call.queryFields()))
        .post("/workflow-instances", this::listOrStart)
        .get("/workflow-instances/:id", this::get)
        .get("/workflow-instances/:id/execution-state", this::executionState)
        .get("/workflow-instances/:id/journal", this::journal)
        .post("/workflow-instances/:id/journal", this::filteredJournal)
        .get("/workflow-instances/:id/journal/:activityId", this::lastEntry)
        .get("/workflow-instances/:id/variables", this::variables)
        .get("/workflow-instances/:id/export", this::export)
        .post("/workflow-instances/:id/export", this::export);
  }

  private Future<Answer> listOrStart(Call call) {
    var fields = call.fields();
    return InstanceQueries.isStart(fields) ? starts.start(call, fields) : list(fields);
  }

  private Future<Answer> list(Fields fields) {
    var query = InstanceQueries.query(fields);
    if (query == null) {
      return Future.succeededFuture(Answer.ok(Lists.of(List.of())));
    }
    return instances
        .list(query)
        .map(page ->
            Answer.ok(
                Lists.page(
                    page.items().stream().map(InstanceJson::summary).toList(), page.total())));
  }

  private Future<Answer> get(Call call) {
    return instances
        .get(call.instanceId())
        .map(instance -> Answer.ok(InstanceJson.entity(instance)));
  }

  private Future<Answer> executionState(Call call) {
    return instances
        .get(call.instanceId())
        .map(instance -> {
          var status = ElsaStatus.of(instance.status());
          var json = new LinkedHashMap<String, @Nullable Object>();
          json.put("status", status.status());
          json.put("subStatus", status.subStatus());
          json.put("updatedAt", instance.timing().updatedAt().toString());
          return Answer.ok(json);
        });
  }

  private Future<Answer> journal(Call call) {
    return journal(call, JournalView.Filter.ALL, call.queryFields().window(JOURNAL_PAGE));
  }

  private Future<Answer> filteredJournal(Call call) {
    var fields = call.fields();
    var filter = JournalView.Filter.of(Fields.of(fields.object("filter")));
    return journal(call, filter, fields.window(JOURNAL_PAGE));
  }

  private Future<Answer> journal(Call call, JournalView.Filter filter, Fields.Window window) {
    var id = call.instanceId();
    return entries(call).map(all -> Answer.ok(JournalView.page(id, all, filter, window)));
  }

  /** Every committed instance has a journal; without one there may still be an instance. */
  private Future<List<JournalEntry>> entries(Call call) {
    var id = call.instanceId();
    return instances
        .journal(id)
        .compose(all -> all.isEmpty() ? instances.get(id).map(all) : Future.succeededFuture(all));
  }

  private Future<Answer> lastEntry(Call call) {
    var id = call.instanceId();
    var activityId = call.path("activityId");
    return entries(call)
        .map(all ->
            all.reversed().stream()
                .filter(entry -> entry.activityId().equals(activityId))
                .findFirst()
                .orElseThrow(() ->
                    new SkeinException(
                        ErrorCode.NOT_FOUND,
                        "Activity " + activityId + " of instance " + id + " has no entry")))
        .map(entry -> Answer.ok(JournalView.entry(id, entry)));
  }

  private Future<Answer> variables(Call call) {
    return instances
        .get(call.instanceId())
        .compose(instance ->
            definitions
                .version(instance.definition().versionId())
                .map(graph -> Answer.ok(Lists.of(variables(instance, graph)))));
  }

  /** Those of the workflow; ids stand for names when the definition is gone. */
  private static List<Map<String, @Nullable Object>> variables(
      WorkflowInstance instance, @Nullable Graph graph) {
    var names = new LinkedHashMap<String, String>();
    if (graph != null) {
      var declared = new ArrayList<VariableDeclaration>(graph.variables());
      declared.addAll(graph.root().variables());
      declared.forEach(variable -> names.put(variable.id(), variable.name()));
    }
    var items = new ArrayList<Map<String, @Nullable Object>>();
    for (var execution : instance.executions()) {
      if (execution.number() == ROOT) {
        execution
            .variables()
            .forEach((id, value) -> items.add(variable(id, names.getOrDefault(id, id), value)));
      }
    }
    return items;
  }

  private static Map<String, @Nullable Object> variable(
      String id, String name, @Nullable Object value) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", id);
    json.put("name", name);
    json.put("value", value);
    return json;
  }

  private Future<Answer> export(Call call) {
    var id = call.instanceId();
    return instances
        .get(id)
        .compose(instance ->
            instances
                .journal(id)
                .map(journal ->
                    Answer.ok(exported(instance, journal))
                        .with(
                            "Content-Disposition",
                            Downloads.attachment("workflow-instance-" + id + ".json"))));
  }

  private static Map<String, @Nullable Object> exported(
      WorkflowInstance instance, List<JournalEntry> journal) {
    var id = instance.id();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("workflowState", InstanceJson.state(instance));
    json.put("bookmarks", instance.bookmarks().stream().map(InstanceJson::bookmark).toList());
    json.put(
        "activityExecutionRecords",
        ActivityRecords.of(id, journal).stream()
            .map(ActivityRecords.ActivityRecord::toJson)
            .toList());
    json.put(
        "workflowExecutionLogRecords",
        journal.stream().map(entry -> JournalView.entry(id, entry)).toList());
    return json;
  }
}
