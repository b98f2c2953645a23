package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import skein.http.ActivityRecords.ActivityRecord;
import skein.model.ActivityStatus;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.storage.InstanceStore;

/** Shows what the activities of an instance did. */
final class ExecutionRoutes {
  private final InstanceStore instances;

  ExecutionRoutes(InstanceStore instances) {
    this.instances = instances;
  }

  void addTo(Routes routes) {
    routes
        .get("/activity-executions/list", this::list)
        .get("/activity-execution-summaries/list", this::list)
        .get("/activity-executions/count", this::count)
        .get("/activity-executions/by-id", call -> get(call.queryFields().required("id")))
        .post("/activity-executions/report", this::report)
        .get("/activity-executions/:id", call -> get(call.path("id")));
  }

  private Future<Answer> list(Call call) {
    return chosen(call.queryFields())
        .map(found -> Answer.ok(Lists.of(found.stream().map(ActivityRecord::toJson).toList())));
  }

  private Future<Answer> count(Call call) {
    return chosen(call.queryFields()).map(found -> Answer.ok(Map.of("count", (long) found.size())));
  }

  private Future<List<ActivityRecord>> chosen(Fields fields) {
    var activityIds = fields.texts("activityId", "activityIds");
    var nodeIds = fields.texts("activityNodeId", "activityNodeIds");
    var completed = fields.flag("completed");
    return records(new InstanceId(fields.required("workflowInstanceId")))
        .map(all ->
            all.stream()
                .filter(r -> activityIds.isEmpty() || activityIds.contains(r.activityId()))
                .filter(r -> nodeIds.isEmpty() || nodeIds.contains(r.nodeId()))
                .filter(r -> completed == null || completed == r.ended())
                .toList());
  }

  private Future<List<ActivityRecord>> records(InstanceId id) {
    return instances.journal(id).map(journal -> ActivityRecords.of(id, journal));
  }

  private Future<Answer> get(String text) {
    var id = ActivityRecords.ExecutionId.parse(text);
    return records(id.instanceId())
        .map(all ->
            all.stream()
                .filter(record -> record.execution() == id.execution())
                .findFirst()
                .orElseThrow(
                    () -> new SkeinException(ErrorCode.NOT_FOUND, "No activity execution " + text)))
        .map(record -> Answer.ok(record.toJson()));
  }

  /** Per activity, how often it began, ended, waits and faulted. */
  private Future<Answer> report(Call call) {
    var fields = call.fields();
    var nodeIds = fields.texts("activityNodeIds");
    return records(new InstanceId(fields.required("workflowInstanceId")))
        .map(all -> {
          var byNode = new TreeMap<String, List<ActivityRecord>>();
          for (var record : all) {
            if (nodeIds.isEmpty() || nodeIds.contains(record.nodeId())) {
              byNode.computeIfAbsent(record.nodeId(), _ -> new ArrayList<>()).add(record);
            }
          }
          return Answer.ok(
              Map.of("stats", byNode.values().stream().map(ExecutionRoutes::stats).toList()));
        });
  }

  private static Map<String, @Nullable Object> stats(List<ActivityRecord> records) {
    var first = records.getFirst();
    long ended = records.stream().filter(ActivityRecord::ended).count();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("activityId", first.activityId());
    json.put("activityNodeId", first.nodeId());
    json.put("startedCount", (long) records.size());
    json.put("completedCount", ended);
    json.put("uncompletedCount", records.size() - ended);
    json.put("isBlocked", records.stream().anyMatch(ActivityRecord::waits));
    json.put("isFaulted", records.stream().anyMatch(r -> r.status() == ActivityStatus.Faulted));
    return json;
  }
}
