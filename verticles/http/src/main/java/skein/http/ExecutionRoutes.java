package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.http.ActivityRecords.ActivityRecord;
import skein.http.ActivityRecords.ExecutionId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.ExecutionStore;
import skein.storage.ExecutionStore.Executions;
import skein.storage.ExecutionStore.Stats;
import skein.storage.InstanceStore;

/** Shows what the activities of an instance did. */
final class ExecutionRoutes {
  private static final int STACK_PAGE = 100;

  private final ExecutionStore executions;

  private final InstanceStore instances;

  private static final Parameter[] OF_INSTANCE = {
    Parameter.needed("workflowInstanceId", Shape.ID, "Of this instance"),
    Parameter.several("activityIds", "Only of these activities"),
    Parameter.several("activityNodeIds", "Only of the activities with these paths"),
    Parameter.query("completed", Shape.FLAG, "Only those that have ended, or not")
  };

  ExecutionRoutes(ExecutionStore executions, InstanceStore instances) {
    this.executions = executions;
    this.instances = instances;
  }

  void addTo(Routes routes) {
    routes
        .get(
            "/activity-executions/list",
            Operation.of(
                    Tag.JOURNAL,
                    "listActivityExecutions",
                    "Lists the activity executions of an instance")
                .takes(OF_INSTANCE)
                .takesPage()
                .answers(JournalShapes.executions(JournalShapes.EXECUTION))
                .fails(ErrorCode.TOO_LARGE),
            call -> list(call, executions::executions, ActivityRecord::toJson))
        .get(
            "/activity-execution-summaries/list",
            Operation.of(
                    Tag.JOURNAL,
                    "listActivityExecutionSummaries",
                    "Lists activity executions without what went in and came out")
                .takes(OF_INSTANCE)
                .takesPage()
                .answers(JournalShapes.executions(JournalShapes.EXECUTION_SUMMARY))
                .fails(ErrorCode.TOO_LARGE),
            call -> list(call, executions::executionSummaries, ActivityRecord::summary))
        .get(
            "/activity-executions/count",
            Operation.of(
                    Tag.JOURNAL,
                    "countActivityExecutions",
                    "Counts the activity executions of an instance")
                .takes(OF_INSTANCE)
                .answers(Shape.object().has("count", Shape.COUNT)),
            this::count)
        .get(
            "/activity-executions/by-id",
            Operation.of(Tag.JOURNAL, "getActivityExecutionByQuery", "Reads an activity execution")
                .takes(Parameter.needed("id", Shape.ID, "Its id"))
                .answers(JournalShapes.EXECUTION)
                .fails(ErrorCode.NOT_FOUND),
            call -> get(call.queryFields().required("id")))
        .post(
            "/activity-executions/report",
            Operation.of(
                    Tag.JOURNAL,
                    "reportActivityExecutions",
                    "Counts, per activity, how often it began, ended and faulted")
                .needs(
                    Shape.object()
                        .has("workflowInstanceId", Shape.ID)
                        .may("activityNodeIds", Shape.listOf(Shape.TEXT)))
                .answers(JournalShapes.REPORT),
            this::report)
        .get(
            "/activity-executions/:id",
            Operation.of(Tag.JOURNAL, "getActivityExecution", "Reads an activity execution")
                .answers(JournalShapes.EXECUTION)
                .fails(ErrorCode.NOT_FOUND),
            call -> get(call.path("id")))
        .get(
            "/activity-executions/:id/call-stack",
            Operation.of(
                    Tag.JOURNAL,
                    "getCallStack",
                    "Reads who scheduled an activity execution, the root first")
                .takesPage()
                .answers(JournalShapes.CALL_STACK)
                .fails(ErrorCode.NOT_FOUND),
            this::callStack);
  }

  /** Reads the entries about some executions. */
  private interface Reading {
    Future<List<JournalEntry>> of(InstanceId id, Executions filter, int skip, int take);
  }

  /** Elsa's clients ask for all at once; an instance has a limit of executions. */
  private Future<Answer> list(
      Call call, Reading reading, Function<ActivityRecord, Map<String, @Nullable Object>> shape) {
    var fields = call.queryFields();
    var id = instanceId(fields);
    var filter = filter(fields);
    boolean paged = fields.has("take") || fields.has("pageSize");
    var window = paged ? fields.window(STACK_PAGE) : new Fields.Window(0, Integer.MAX_VALUE);
    return reading
        .of(id, filter, window.skip(), window.take())
        .compose(entries -> records(id, entries))
        .map(records -> records.stream().map(shape).toList())
        .compose(items ->
            paged
                ? executions.countExecutions(id, filter).map(total -> Lists.page(items, total))
                : Future.succeededFuture(Lists.of(items)))
        .map(Answer::ok);
  }

  /** The instance is only asked about executions that the journal does not see end, or not well. */
  private Future<List<ActivityRecord>> records(InstanceId id, List<JournalEntry> entries) {
    var records = ActivityRecords.of(id, entries);
    return records.stream().allMatch(record -> record.ended() && !record.faulted())
        ? Future.succeededFuture(records)
        : instances
            .find(id)
            .map(instance -> instance == null ? records : ActivityRecords.of(instance, entries));
  }

  private static InstanceId instanceId(Fields fields) {
    return new InstanceId(fields.required("workflowInstanceId"));
  }

  private static Executions filter(Fields fields) {
    return new Executions(
        fields.texts("activityId", "activityIds"),
        fields.texts("activityNodeId", "activityNodeIds"),
        fields.flag("completed"));
  }

  private Future<Answer> count(Call call) {
    var fields = call.queryFields();
    return executions
        .countExecutions(instanceId(fields), filter(fields))
        .map(count -> Answer.ok(Map.of("count", count)));
  }

  private Future<Answer> get(String text) {
    var id = ExecutionId.parse(text);
    return executions
        .executions(id.instanceId(), List.of(id.execution()))
        .compose(entries -> records(id.instanceId(), entries))
        .map(records -> records.stream().findFirst().orElseThrow(() -> notFound(text)))
        .map(record -> Answer.ok(record.toJson()));
  }

  private static SkeinException notFound(String text) {
    return new SkeinException(ErrorCode.NOT_FOUND, "No activity execution " + text);
  }

  /** The chain of executions that scheduled it: the root first, itself last. */
  private Future<Answer> callStack(Call call) {
    var text = call.path("id");
    var id = ExecutionId.parse(text);
    var window = call.queryFields().window(STACK_PAGE);
    return executions
        .parents(id.instanceId())
        .compose(parents -> {
          var chain = chain(parents, id.execution());
          if (chain.isEmpty()) {
            return Future.failedFuture(notFound(text));
          }
          var page = chain.stream().skip(window.skip()).limit(window.take()).toList();
          return executions
              .executions(id.instanceId(), page)
              .compose(entries -> records(id.instanceId(), entries))
              .map(records -> Answer.ok(callStack(text, records, page, chain.size())));
        });
  }

  /** The root first. */
  static List<Integer> chain(Map<Integer, Integer> parents, int execution) {
    var chain = new LinkedHashSet<Integer>();
    Integer next = execution;
    while (next != null && next > 0 && parents.containsKey(next) && chain.add(next)) {
      next = parents.get(next);
    }
    return List.copyOf(chain.reversed());
  }

  private static Map<String, @Nullable Object> callStack(
      String id, List<ActivityRecord> records, List<Integer> order, int total) {
    var byNumber = new LinkedHashMap<Integer, Map<String, @Nullable Object>>();
    order.forEach(number -> byNumber.put(number, Map.of()));
    records.forEach(record -> byNumber.put(record.execution(), record.toJson()));
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("activityExecutionId", id);
    json.put("items", List.copyOf(byNumber.values()));
    json.put("totalCount", (long) total);
    return json;
  }

  /** Per activity, how often it began, ended, waits and faulted. */
  private Future<Answer> report(Call call) {
    var fields = call.fields();
    return executions
        .stats(instanceId(fields), fields.texts("activityNodeIds"))
        .map(all -> Answer.ok(Map.of("stats", all.stream().map(ExecutionRoutes::stats).toList())));
  }

  static Map<String, @Nullable Object> stats(Stats stats) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("activityId", stats.activityId());
    json.put("activityNodeId", stats.nodeId());
    json.put("startedCount", stats.started());
    json.put("completedCount", stats.completed());
    json.put("uncompletedCount", stats.started() - stats.completed());
    json.put("isBlocked", stats.blocked());
    json.put("isFaulted", stats.faulted());
    return json;
  }
}
