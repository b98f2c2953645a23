package skein.codecs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The paths of the activities in a document: each is the ids of all that is around an activity, and
 * its own. Few bytes of a document make many of them. Used once.
 */
final class ActivityPaths {
  /** Elsa wraps every root in an activity of this id; paths begin with it. */
  private static final String FIRST = DefinitionCodec.WORKFLOW_NODE_ID;

  /** The limit on all paths of a document together. */
  private static final int CHARS_MAX = 1 << 24;

  /** More would not be read. */
  private static final int ERRORS_MAX = 100;

  /** Members that hold data, in which something may look like an activity. */
  private static final Set<String> NO_ACTIVITIES =
      Set.of(
          "customProperties",
          "expression",
          "memoryReference",
          "metadata",
          "originalActivityJson",
          "value",
          "variables");

  /** Names of members, and places in lists, that lead to what is looked at. */
  private final List<Object> place = new ArrayList<>();

  private final List<String> errors = new ArrayList<>();
  private long chars;

  private ActivityPaths() {}

  /** Why a root cannot have its paths, a sentence each with its place. */
  static List<String> errors(@Nullable Object root) {
    var paths = new ActivityPaths();
    paths.place.add("root");
    paths.check(root, FIRST.length());
    if (paths.chars > CHARS_MAX) {
      paths.errors.add(
          "the ids of activities, each with those of all that is around it, have more than "
              + CHARS_MAX
              + " characters together: give shorter ids to what holds others");
    }
    return paths.errors;
  }

  /** A copy of a root in which every activity has its path as nodeId. */
  static @Nullable Object written(@Nullable Object root) {
    return new ActivityPaths().written(root, FIRST);
  }

  private static boolean isActivity(Map<?, ?> map) {
    return map.get("type") instanceof String && map.get("id") instanceof String;
  }

  private void check(@Nullable Object value, int parentChars) {
    if (value instanceof Map<?, ?> map) {
      int pathChars = parentChars;
      if (isActivity(map)) {
        checkLength(map, "id");
        checkLength(map, "type");
        pathChars += 1 + String.valueOf(map.get("id")).length();
        chars += pathChars;
      }
      for (var member : map.entrySet()) {
        var name = String.valueOf(member.getKey());
        if (!NO_ACTIVITIES.contains(name)) {
          check(member.getValue(), name, pathChars);
        }
      }
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        check(list.get(i), i, parentChars);
      }
    }
  }

  private void check(@Nullable Object value, Object step, int parentChars) {
    place.add(step);
    check(value, parentChars);
    place.remove(place.size() - 1);
  }

  private void checkLength(Map<?, ?> activity, String member) {
    int length = String.valueOf(activity.get(member)).length();
    if (length <= DefinitionCodec.ID_CHARS_MAX || errors.size() >= ERRORS_MAX) {
      return;
    }
    var at =
        place.stream().map(String::valueOf).map(ShownText::of).collect(Collectors.joining("."));
    errors.add(
        "%s.%s has %d characters; at most %d are allowed"
            .formatted(at, member, length, DefinitionCodec.ID_CHARS_MAX));
  }

  private @Nullable Object written(@Nullable Object value, String path) {
    if (value instanceof Map<?, ?> map) {
      return object(map, path);
    }
    if (value instanceof List<?> list) {
      var copy = new ArrayList<@Nullable Object>(list.size());
      for (var element : list) {
        copy.add(written(element, path));
      }
      return Collections.unmodifiableList(copy);
    }
    return value;
  }

  /** Documents from before there were bounds have no more paths than these allow. */
  private Map<String, @Nullable Object> object(Map<?, ?> map, String parent) {
    boolean named =
        isActivity(map)
            && map.get("id") instanceof String id
            && id.length() <= DefinitionCodec.ID_CHARS_MAX
            && chars + parent.length() + id.length() < CHARS_MAX;
    var path = named ? parent + ":" + map.get("id") : parent;
    chars += named ? path.length() : 0;
    var copy = new LinkedHashMap<String, @Nullable Object>(ByteReader.capacity(map.size() + 1));
    for (var entry : map.entrySet()) {
      var key = (String) entry.getKey();
      copy.put(
          key, NO_ACTIVITIES.contains(key) ? entry.getValue() : written(entry.getValue(), path));
    }
    if (named) {
      copy.put("nodeId", path);
    }
    return Collections.unmodifiableMap(copy);
  }
}
