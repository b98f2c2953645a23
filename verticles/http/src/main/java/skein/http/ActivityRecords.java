package skein.http;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.model.ActivityStatus;
import skein.model.ErrorCode;
import skein.model.Incident;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * Elsa's activity execution records, which are not stored: they follow from the journal. What its
 * entries say of an execution's state and outputs adds up; the last word on its status wins.
 */
final class ActivityRecords {
  private static final int ROOT = 1;

  private final InstanceId instanceId;
  private final Map<Integer, ActivityRecord> byExecution = new TreeMap<>();

  private ActivityRecords(InstanceId instanceId) {
    this.instanceId = instanceId;
  }

  /** Records of all executions in the journal, in order of their numbers. */
  static List<ActivityRecord> of(InstanceId instanceId, List<JournalEntry> journal) {
    var records = new ActivityRecords(instanceId);
    for (var entry : journal) {
      if (entry.execution() > 0) {
        records.add(entry);
      }
    }
    return List.copyOf(records.byExecution.values());
  }

  /**
   * Facts that the journal lacks for an instance that has faults: what kind they are of; and its
   * containers have them too, and ended with it if it has ended.
   */
  static List<ActivityRecord> of(WorkflowInstance instance, List<JournalEntry> journal) {
    var records = of(instance.id(), journal);
    var faults = faultsBelow(instance);
    var types =
        instance.incidents().stream()
            .collect(Collectors.toMap(Incident::execution, Incident::type, (_, last) -> last));
    var ended = instance.status() == WorkflowStatus.Faulted;
    for (var record : records) {
      record.faultType = types.getOrDefault(record.execution(), record.faultType);
      record.below(
          faults.getOrDefault(record.execution(), 0),
          ended ? instance.timing().finishedAt() : null);
    }
    return records;
  }

  /** How many faulted executions each has below itself; the root those of the workflow too. */
  private static Map<Integer, Integer> faultsBelow(WorkflowInstance instance) {
    var parents = new HashMap<Integer, Integer>();
    for (var execution : instance.executions()) {
      parents.put(execution.number(), execution.parent());
    }
    var faults = new HashMap<Integer, Integer>();
    for (var execution : instance.executions()) {
      if (execution.status() == ActivityStatus.Faulted) {
        for (var at = execution.parent(); at > 0; at = parents.getOrDefault(at, 0)) {
          faults.merge(at, 1, Integer::sum);
        }
      }
    }
    if (instance.status() == WorkflowStatus.Faulted) {
      faults.putIfAbsent(ROOT, 1);
    }
    return faults;
  }

  private void add(JournalEntry entry) {
    byExecution
        .computeIfAbsent(entry.execution(), _ -> new ActivityRecord(instanceId, entry))
        .add(entry);
  }

  /** An execution's number and instance, as its record's id names them. */
  record ExecutionId(InstanceId instanceId, int execution) {
    /** Reads {@code {instanceId}-a{number}}; throws {@code INVALID_ID} for anything else. */
    static ExecutionId parse(String text) {
      int mark = text.lastIndexOf("-a");
      if (mark < 1 || !text.substring(mark + 2).matches("[1-9][0-9]{0,8}")) {
        throw new SkeinException(
            ErrorCode.INVALID_ID, "\"" + text + "\" is not the id of an activity execution");
      }
      return new ExecutionId(
          new InstanceId(text.substring(0, mark)), Integer.parseInt(text.substring(mark + 2)));
    }
  }

  /** One execution, as far as the journal has it. */
  static final class ActivityRecord {
    private final InstanceId instanceId;
    private final JournalEntry first;
    private final Map<String, @Nullable Object> state = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> outputs = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> payload = new LinkedHashMap<>();
    private ActivityStatus status = ActivityStatus.Running;
    private boolean waited;
    private @Nullable String fault;
    private String faultType = "Fault";
    private int faults;
    private @Nullable Instant completedAt;

    private ActivityRecord(InstanceId instanceId, JournalEntry first) {
      this.instanceId = instanceId;
      this.first = first;
    }

    private void add(JournalEntry entry) {
      merge(state, entry.data().get("state"));
      merge(outputs, entry.data().get("outputs"));
      if (entry.data().get("outcomes") instanceof List<?> outcomes) {
        payload.put("outcomes", outcomes);
      }
      switch (entry.event()) {
        case "Started", "Resumed" -> status = ActivityStatus.Running;
        case "Suspended" -> waited = true;
        case "Completed" -> end(ActivityStatus.Completed, entry);
        case "Canceled" -> end(ActivityStatus.Canceled, entry);
        case "Faulted" -> {
          end(ActivityStatus.Faulted, entry);
          fault = entry.message();
          faults++;
        }
        default -> {
          // An event of an activity's own says nothing about its status.
        }
      }
    }

    private void end(ActivityStatus end, JournalEntry entry) {
      status = end;
      completedAt = entry.at();
    }

    /** {@code endedAt}: of the instance, if it has ended faulted. */
    private void below(int faultsBelow, @Nullable Instant endedAt) {
      if (faultsBelow > 0 && !ended()) {
        faults += faultsBelow;
        if (endedAt != null) {
          status = ActivityStatus.Faulted;
          completedAt = endedAt;
        }
      }
    }

    boolean faulted() {
      return status == ActivityStatus.Faulted;
    }

    private static void merge(Map<String, @Nullable Object> into, @Nullable Object values) {
      if (values instanceof Map<?, ?> map) {
        map.forEach((key, value) -> into.put(String.valueOf(key), value));
      }
    }

    int execution() {
      return first.execution();
    }

    boolean ended() {
      return status != ActivityStatus.Running;
    }

    boolean waits() {
      return waited && !ended();
    }

    /** Without what went in and came out. */
    Map<String, @Nullable Object> summary() {
      var json = new LinkedHashMap<String, @Nullable Object>();
      json.put("id", InstanceJson.activityInstanceId(instanceId, first.execution()));
      json.put("workflowInstanceId", instanceId.value());
      json.put("activityId", first.activityId());
      json.put("activityNodeId", first.nodeId());
      json.put("activityType", first.activityType());
      json.put("activityTypeVersion", (long) first.activityTypeVersion());
      json.put("activityName", first.activityName());
      json.put("status", status.name());
      json.put("metadata", Map.of());
      json.put("aggregateFaultCount", (long) faults);
      json.put("hasBookmarks", waits());
      json.put("startedAt", first.at().toString());
      json.put("completedAt", ended() ? InstanceJson.text(completedAt) : null);
      json.put(
          "schedulingActivityExecutionId",
          InstanceJson.activityInstanceId(instanceId, first.parent()));
      return json;
    }

    Map<String, @Nullable Object> toJson() {
      var json = summary();
      json.put("activityState", state);
      json.put("outputs", outputs);
      json.put("payload", payload);
      json.put("properties", Map.of());
      json.put("exception", fault == null ? null : Map.of("type", faultType, "message", fault));
      return json;
    }
  }
}
