package skein.http;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.JournalEntry;

/** The journal in the shape of Elsa's API. */
final class JournalView {
  /** How the id of the workflow itself ends in files, where it has to have one. */
  private static final String WORKFLOW = "-a0";

  private JournalView() {}

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

  /** Reads back what {@link #entry} wrote; throws {@code INVALID_REQUEST} for anything else. */
  static JournalEntry read(Map<?, ?> json) {
    var data = new LinkedHashMap<String, @Nullable Object>();
    if (json.get("activityState") != null) {
      data.put("state", json.get("activityState"));
    }
    if (json.get("payload") instanceof Map<?, ?> payload) {
      payload.forEach((name, value) -> data.put(String.valueOf(name), value));
    }
    return new JournalEntry(
        number(json, "sequence"),
        instant(json),
        execution(json.get("activityInstanceId")),
        execution(json.get("parentActivityInstanceId")),
        text(json, "activityId"),
        text(json, "nodeId"),
        text(json, "activityType"),
        (int) number(json, "activityTypeVersion"),
        json.get("activityName") instanceof String name ? name : null,
        text(json, "eventName"),
        json.get("message") instanceof String message ? message : null,
        data);
  }

  private static int execution(@Nullable Object id) {
    return id instanceof String text && !text.endsWith(WORKFLOW)
        ? ActivityRecords.ExecutionId.parse(text).execution()
        : 0;
  }

  private static Instant instant(Map<?, ?> json) {
    try {
      return Instant.parse(text(json, "timestamp"));
    } catch (DateTimeParseException e) {
      throw BadRequest.of("A journal entry has a timestamp that is not a valid instant");
    }
  }

  private static long number(Map<?, ?> json, String member) {
    if (json.get(member) instanceof Long number && number >= 0 && number <= Integer.MAX_VALUE) {
      return number;
    }
    throw BadRequest.of("A journal entry has no number as " + member);
  }

  private static String text(Map<?, ?> json, String member) {
    if (json.get(member) instanceof String text) {
      return text;
    }
    throw BadRequest.of("A journal entry has no text as " + member);
  }
}
