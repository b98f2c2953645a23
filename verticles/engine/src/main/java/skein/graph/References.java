package skein.graph;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.activities.Activity;
import skein.activities.Json;
import skein.activities.Port;
import skein.expressions.ScriptName;
import skein.model.DefinitionRef;
import skein.model.WorkflowDefinition;

/** Finds and changes the uses of other workflows in the JSON of a definition. */
public final class References {
  private static final int DEPTH_MAX = DefinitionCompiler.DEPTH_MAX;

  private References() {}

  /** The type name that a definition has as an activity; null when it is not meant for that. */
  public static @Nullable String typeName(WorkflowDefinition definition) {
    return usable(definition) && definition.name() != null
        ? ScriptName.of(definition.name())
        : null;
  }

  /** Whether the definition says that others may use it as an activity. */
  public static boolean usable(WorkflowDefinition definition) {
    return option(definition, "usableAsActivity")
        || Boolean.TRUE.equals(definition.json().get("usableAsActivity"));
  }

  /** Whether those who use the definition are to follow when it is published. */
  public static boolean updatesConsumers(WorkflowDefinition definition) {
    return option(definition, "autoUpdateConsumingWorkflows");
  }

  private static boolean option(WorkflowDefinition definition, String name) {
    var options = Json.object(definition.json().get("options"));
    return options != null && Boolean.TRUE.equals(options.get(name));
  }

  /** Every activity of a type that is not known, as a reference; in document order. */
  public static Set<Reference> in(WorkflowDefinition definition, Activities activities) {
    var found = new LinkedHashSet<Reference>();
    Function<Reference, @Nullable DefinitionRef> note =
        reference -> {
          found.add(reference);
          return null;
        };
    var root = Json.object(definition.json().get("root"));
    if (root != null) {
      activity(root, activities, note, 0);
    }
    return found;
  }

  /**
   * The document with some references pointed at other versions.
   *
   * @param target the version that a reference shall mean; null leaves it as it is
   */
  public static Map<String, @Nullable Object> point(
      Map<String, @Nullable Object> document,
      Activities activities,
      Function<Reference, @Nullable DefinitionRef> target) {
    var root = Json.object(document.get("root"));
    if (root == null) {
      return document;
    }
    var changed = new LinkedHashMap<String, @Nullable Object>(document);
    changed.put("root", activity(root, activities, target, 0));
    return changed;
  }

  private static Map<String, @Nullable Object> activity(
      Map<String, @Nullable Object> json,
      Activities activities,
      Function<Reference, @Nullable DefinitionRef> target,
      int depth) {
    var reference = Reference.of(json);
    if (reference.type().isBlank() || depth > DEPTH_MAX) {
      return json;
    }
    var known = activities.find(reference.type(), reference.version());
    if (known != null) {
      return container(json, known, activities, target, depth);
    }
    var version = target.apply(reference);
    return version == null || reference.pins(version) ? json : pointed(json, version);
  }

  private static Map<String, @Nullable Object> pointed(
      Map<String, @Nullable Object> json, DefinitionRef version) {
    var changed = new LinkedHashMap<String, @Nullable Object>(json);
    changed.put("version", (long) version.version());
    changed.put("workflowDefinitionId", version.definitionId());
    changed.put("workflowDefinitionVersionId", version.versionId());
    changed.put("latestAvailablePublishedVersion", (long) version.version());
    changed.put("latestAvailablePublishedVersionId", version.versionId());
    return changed;
  }

  private static Map<String, @Nullable Object> container(
      Map<String, @Nullable Object> json,
      Activity known,
      Activities activities,
      Function<Reference, @Nullable DefinitionRef> target,
      int depth) {
    var changed = new LinkedHashMap<String, @Nullable Object>(json);
    for (var port : known.descriptor().ports()) {
      var given = Json.member(json, port.property());
      if (given != null) {
        var name = json.containsKey(port.property()) ? port.property() : capital(port.property());
        changed.put(name, held(given, port, activities, target, depth));
      }
    }
    return changed;
  }

  private static String capital(String property) {
    return Character.toUpperCase(property.charAt(0)) + property.substring(1);
  }

  /** An activity, a list of them, or a list of objects that each hold one. */
  private static @Nullable Object held(
      @Nullable Object given,
      Port port,
      Activities activities,
      Function<Reference, @Nullable DefinitionRef> target,
      int depth) {
    if (given instanceof List<?> list) {
      var changed = new ArrayList<@Nullable Object>();
      list.forEach(item -> changed.add(held(item, port, activities, target, depth)));
      return changed;
    }
    var json = Json.object(given);
    if (json == null) {
      return given;
    }
    if (json.get("$values") != null) {
      var changed = new LinkedHashMap<String, @Nullable Object>(json);
      changed.put("$values", held(json.get("$values"), port, activities, target, depth));
      return changed;
    }
    if (port.member() == null) {
      return activity(json, activities, target, depth + 1);
    }
    var inner = Json.object(Json.member(json, port.member()));
    if (inner == null) {
      return json;
    }
    var changed = new LinkedHashMap<String, @Nullable Object>(json);
    changed.put(
        json.containsKey(port.member()) ? port.member() : capital(port.member()),
        activity(inner, activities, target, depth + 1));
    return changed;
  }
}
