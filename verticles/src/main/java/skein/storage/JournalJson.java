package skein.storage;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.JournalEntry;

/**
 * The journal lines of one burst as the JSON array that is stored; its member names are for SQL.
 */
final class JournalJson {
  private JournalJson() {}

  static String print(List<JournalEntry> entries) {
    return JsonText.print(entries.stream().map(JournalJson::toJson).toList());
  }

  private static Map<String, @Nullable Object> toJson(JournalEntry entry) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("sequence", entry.sequence());
    json.put("at", entry.at().toString());
    json.put("execution", (long) entry.execution());
    json.put("parent", (long) entry.parent());
    json.put("activityId", entry.activityId());
    json.put("nodeId", entry.nodeId());
    json.put("activityType", entry.activityType());
    json.put("activityTypeVersion", (long) entry.activityTypeVersion());
    if (entry.activityName() != null) {
      json.put("activityName", entry.activityName());
    }
    json.put("event", entry.event());
    if (entry.message() != null) {
      json.put("message", entry.message());
    }
    if (!entry.data().isEmpty()) {
      json.put("data", entry.data());
    }
    return json;
  }

  static List<JournalEntry> parse(Object array) {
    var entries = new ArrayList<JournalEntry>();
    for (var item : (List<?>) array) {
      entries.add(fromJson((Map<?, ?>) item));
    }
    return entries;
  }

  @SuppressWarnings("unchecked")
  private static JournalEntry fromJson(Map<?, ?> json) {
    var data = json.get("data");
    return new JournalEntry(
        number(json, "sequence"),
        Instant.parse(text(json, "at")),
        (int) number(json, "execution"),
        (int) number(json, "parent"),
        text(json, "activityId"),
        text(json, "nodeId"),
        text(json, "activityType"),
        (int) number(json, "activityTypeVersion"),
        (String) json.get("activityName"),
        text(json, "event"),
        (String) json.get("message"),
        data == null ? Map.of() : (Map<String, @Nullable Object>) data);
  }

  private static long number(Map<?, ?> json, String key) {
    return json.get(key) instanceof Long value ? value : 0;
  }

  private static String text(Map<?, ?> json, String key) {
    return json.get(key) instanceof String value ? value : "";
  }
}
