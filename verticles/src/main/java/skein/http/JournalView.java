package skein.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.JournalEntry;

/** The journal in the shape of Elsa's API. */
final class JournalView {
  private JournalView() {}

  /** Which entries are shown; an empty list does not restrict. */
  record Filter(
      List<String> activityIds,
      List<String> nodeIds,
      List<String> excludedTypes,
      List<String> events) {
    static final Filter ALL = new Filter(List.of(), List.of(), List.of(), List.of());

    static Filter of(Fields fields) {
      return new Filter(
          fields.texts("activityIds"),
          fields.texts("activityNodeIds"),
          fields.texts("excludedActivityTypes"),
          fields.texts("eventNames"));
    }

    boolean takes(JournalEntry entry) {
      return (activityIds.isEmpty() || activityIds.contains(entry.activityId()))
          && (nodeIds.isEmpty() || nodeIds.contains(entry.nodeId()))
          && !excludedTypes.contains(entry.activityType())
          && (events.isEmpty() || events.contains(entry.event()));
    }
  }

  static Map<String, @Nullable Object> page(
      InstanceId id, List<JournalEntry> journal, Filter filter, Fields.Window window) {
    var all = journal.stream().filter(filter::takes).toList();
    var items =
        all.stream()
            .skip(window.skip())
            .limit(window.take())
            .map(entry -> entry(id, entry))
            .toList();
    return Lists.page(items, all.size());
  }

  static Map<String, @Nullable Object> entry(InstanceId id, JournalEntry entry) {
    var payload = new LinkedHashMap<>(entry.data());
    var state = payload.remove("state");
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", id.value() + "-j" + entry.sequence());
    json.put("workflowInstanceId", id.value());
    json.put("activityInstanceId", InstanceJson.activityInstanceId(id, entry.execution()));
    json.put("parentActivityInstanceId", InstanceJson.activityInstanceId(id, entry.parent()));
    json.put("activityId", entry.activityId());
    json.put("activityType", entry.activityType());
    json.put("activityTypeVersion", (long) entry.activityTypeVersion());
    json.put("activityName", entry.activityName());
    json.put("nodeId", entry.nodeId());
    json.put("activityNodeId", entry.nodeId());
    json.put("timestamp", entry.at().toString());
    json.put("sequence", entry.sequence());
    json.put("eventName", entry.event());
    json.put("message", entry.message());
    json.put("source", null);
    json.put("activityState", state);
    json.put("payload", payload.isEmpty() ? null : payload);
    return json;
  }
}
