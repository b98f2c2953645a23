package skein.node.cli;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How two definitions differ. Activities of one list are compared by their ids. */
final class DefinitionDiff {
  /** The members that the server writes. */
  private static final Set<String> OF_VERSIONS =
      Set.of(
          "id",
          "version",
          "isLatest",
          "isPublished",
          "createdAt",
          "links",
          "toolVersion",
          "isReadonly",
          "isSystem");

  /** A member of activities that follows from the ids around it, and that the server adds. */
  private static final String OF_PLACES = "nodeId";

  private final JsonArray changes = new JsonArray();

  private DefinitionDiff() {}

  /** {@code {path, before, after}} each; before or after is missing for what came or went. */
  static JsonArray between(JsonObject before, JsonObject after) {
    var diff = new DefinitionDiff();
    var names = new LinkedHashSet<>(before.fieldNames());
    names.addAll(after.fieldNames());
    names.removeAll(OF_VERSIONS);
    for (var name : names) {
      diff.member("/" + name, before, after, name);
    }
    return diff.changes;
  }

  static String text(JsonArray changes) {
    return changes.isEmpty()
        ? "No difference"
        : changes.stream()
            .map(JsonObject.class::cast)
            .map(DefinitionDiff::line)
            .collect(Collectors.joining("\n"));
  }

  private static String line(JsonObject change) {
    var path = change.getString("path");
    var lines = new StringBuilder();
    if (change.containsKey("before")) {
      lines.append("- ").append(path).append(": ").append(Json.encode(change.getValue("before")));
    }
    if (change.containsKey("after")) {
      lines.append(lines.isEmpty() ? "+ " : "\n+ ");
      lines.append(path).append(": ").append(Json.encode(change.getValue("after")));
    }
    return lines.toString();
  }

  /** A member that is null is as none. */
  private void member(String path, JsonObject before, JsonObject after, String name) {
    compare(path, before.getValue(name), after.getValue(name));
  }

  private void compare(String path, @Nullable Object before, @Nullable Object after) {
    if (before instanceof JsonObject was && after instanceof JsonObject is) {
      var names = new LinkedHashSet<>(was.fieldNames());
      names.addAll(is.fieldNames());
      names.remove(OF_PLACES);
      for (var name : names) {
        member(path + "/" + name, was, is, name);
      }
    } else if (before instanceof JsonArray was && after instanceof JsonArray is) {
      list(path, was, is);
    } else if (!Objects.equals(before, after)) {
      var change = new JsonObject().put("path", path);
      if (before != null) {
        change.put("before", before);
      }
      if (after != null) {
        change.put("after", after);
      }
      changes.add(change);
    }
  }

  private void list(String path, JsonArray before, JsonArray after) {
    var was = byId(before);
    var is = byId(after);
    if (was == null || is == null) {
      for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
        compare(
            path + "/" + i,
            i < before.size() ? before.getValue(i) : null,
            i < after.size() ? after.getValue(i) : null);
      }
      return;
    }
    var ids = new LinkedHashSet<>(was.fieldNames());
    ids.addAll(is.fieldNames());
    for (var id : ids) {
      compare(path + "[" + id + "]", was.getValue(id), is.getValue(id));
    }
  }

  /** Null when not all of them have an id of their own. */
  private static @Nullable JsonObject byId(JsonArray list) {
    var byId = new JsonObject();
    for (var item : list) {
      if (!(item instanceof JsonObject object)
          || !(object.getValue("id") instanceof String id)
          || byId.containsKey(id)) {
        return null;
      }
      byId.put(id, object);
    }
    return byId;
  }
}
