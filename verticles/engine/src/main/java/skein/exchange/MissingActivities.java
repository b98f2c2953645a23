package skein.exchange;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.SkeinException;

/**
 * Activities of unknown types as Elsa writes them: an {@code Elsa.NotFoundActivity} that carries
 * the original as text, so that a designer shows something and gives back what it cannot read.
 */
final class MissingActivities {
  static final String TYPE = "Elsa.NotFoundActivity";

  /** Members that hold data, in which something may look like an activity. */
  private static final Set<String> NO_ACTIVITIES =
      Set.of("customProperties", "expression", "memoryReference", "metadata", "variables");

  private static final String ORIGINAL = "originalActivityJson";
  private static final String METADATA = "metadata";

  private MissingActivities() {}

  /**
   * The placeholder for an activity.
   *
   * @param original as it is in the definition
   * @param id that of the original, or the one that it is given where it has none
   * @param nodeId the path of the activity
   */
  static Map<String, @Nullable Object> placeholder(
      Map<String, @Nullable Object> original, String id, String nodeId) {
    var given = Json.text(original, "type");
    var type = given == null ? "" : given;
    long version = original.get("version") instanceof Number number ? number.longValue() : 1;
    var placeholder =
        Json.members("id", id, "nodeId", nodeId, "name", original.get("name"), "type", TYPE);
    if (placeholder.get("name") == null) {
      placeholder.remove("name");
    }
    placeholder.put("version", 1L);
    placeholder.put("missingTypeName", type);
    placeholder.put("missingTypeVersion", version);
    var kept = new LinkedHashMap<String, @Nullable Object>(original);
    kept.remove("nodeId"); // It follows from the place.
    placeholder.put(ORIGINAL, JsonText.print(kept));
    placeholder.put("customProperties", Map.of());
    var metadata = new LinkedHashMap<String, @Nullable Object>();
    var shown = Json.object(original.get(METADATA));
    if (shown != null) {
      metadata.putAll(shown);
    }
    metadata.put("displayText", "Not Found: " + type);
    metadata.put(
        "description", "Could not find activity type " + type + " with version " + version);
    placeholder.put(METADATA, metadata);
    return placeholder;
  }

  /** A value in which every placeholder is the activity that it stands for; else the same value. */
  @SuppressWarnings("ReferenceEquality") // what has not changed is given back itself
  static @Nullable Object restored(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> restoredObject(map);
      case List<?> list -> {
        var changed = false;
        var copy = new ArrayList<@Nullable Object>(list.size());
        for (var item : list) {
          var restored = restored(item);
          changed |= restored != item;
          copy.add(restored);
        }
        yield changed ? copy : list;
      }
      case null, default -> value;
    };
  }

  @SuppressWarnings("ReferenceEquality")
  private static Object restoredObject(Map<?, ?> map) {
    if (TYPE.equals(map.get("type")) && map.get(ORIGINAL) instanceof String text) {
      var original = original(map, text);
      if (original != null) {
        return original;
      }
    }
    var changed = false;
    var copy = LinkedHashMap.<String, @Nullable Object>newLinkedHashMap(map.size());
    for (var entry : map.entrySet()) {
      var name = String.valueOf(entry.getKey());
      var restored = NO_ACTIVITIES.contains(name) ? entry.getValue() : restored(entry.getValue());
      changed |= restored != entry.getValue();
      copy.put(name, restored);
    }
    return changed ? copy : map;
  }

  /**
   * The original at the place and under the id that the placeholder has now; null when the text is
   * no activity, which stays a placeholder.
   */
  private static @Nullable Map<String, @Nullable Object> original(Map<?, ?> map, String text) {
    Map<String, @Nullable Object> parsed;
    try {
      parsed = JsonText.parseObject(text, JsonLimits.STORED);
    } catch (SkeinException e) {
      return null;
    }
    if (!(parsed.get("type") instanceof String type) || type.equals(TYPE)) {
      return null;
    }
    var original = new LinkedHashMap<String, @Nullable Object>(parsed);
    for (var member : List.of("id", "name")) {
      if (map.get(member) instanceof String now) {
        original.put(member, now);
      }
    }
    original.remove("nodeId");
    var designer = designer(map);
    if (designer != null) {
      var metadata = new LinkedHashMap<String, @Nullable Object>();
      var old = Json.object(original.get(METADATA));
      if (old != null) {
        metadata.putAll(old);
      }
      metadata.put("designer", designer);
      original.put(METADATA, metadata);
    }
    return original;
  }

  private static @Nullable Object designer(Map<?, ?> placeholder) {
    var metadata = Json.object(placeholder.get(METADATA));
    return metadata == null ? null : metadata.get("designer");
  }
}
