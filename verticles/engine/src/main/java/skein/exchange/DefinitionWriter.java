package skein.exchange;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.activities.Json;
import skein.codecs.DefinitionCodec;
import skein.graph.Reference;
import skein.model.WorkflowDefinition;

/**
 * Definitions as Elsa 3 writes them, which its designer relies on: versions and ids of activities
 * and the members of the frame filled in, inputs wrapped, members that are null left out, unknown
 * activities as placeholders. What is written means the same as what was given, and loses nothing:
 * {@link #restored} gives the unknown activities back.
 */
public final class DefinitionWriter {
  private static final List<String> LISTS = List.of("variables", "inputs", "outputs", "outcomes");
  private static final Set<String> FILLED =
      Set.of("variables", "inputs", "outputs", "outcomes", "customProperties", "options", "root");

  private static final List<String> DRIVERS = List.of("storageDriverTypeName", "storageDriverType");
  private static final List<String> STRATEGIES = List.of("incidentStrategyType");

  /** {@code Elsa.Workflows.Services.WorkflowStorageDriver, Elsa.Workflows.Core} and the like. */
  private static final Pattern OF_ELSA =
      Pattern.compile(
          "(?:Elsa|Skein)\\.(?:[A-Za-z]++\\.)*+([A-Za-z]+(?:StorageDriver|Strategy)), [A-Za-z.]++.*");

  /** The length of such a name, with version and key of its assembly. */
  private static final int CLASS_NAME_CHARS_MAX = 1_000;

  private static final String USABLE = "usableAsActivity";

  private DefinitionWriter() {}

  /**
   * The document.
   *
   * @param uses the definitions that activities of unknown types stand for; those that are not
   *     among them become placeholders
   */
  public static Map<String, @Nullable Object> write(
      WorkflowDefinition definition, Activities activities, Map<Reference, UsedVersion> uses) {
    var given = DefinitionCodec.write(definition);
    var written = new LinkedHashMap<String, @Nullable Object>();
    given.forEach((name, value) -> {
      if (value != null && !FILLED.contains(name) && !name.equals(USABLE)) {
        written.put(name, value);
      }
    });
    written.put("isReadonly", Boolean.TRUE.equals(given.get("isReadonly")));
    written.put("isSystem", Boolean.TRUE.equals(given.get("isSystem")));
    for (var list : LISTS) {
      written.put(list, declarations(Json.list(given.get(list))));
    }
    var custom = Json.object(given.get("customProperties"));
    written.put("customProperties", custom == null ? Map.of() : custom);
    written.put("options", options(given));
    var root = Json.object(MissingActivities.restored(definition.json().get("root")));
    if (root != null) {
      written.put(
          "root",
          new ActivityWriter(activities, uses).write(root, DefinitionCodec.WORKFLOW_NODE_ID, 0));
    }
    return Collections.unmodifiableMap(written);
  }

  /** Objects without their members that are null; Elsa says of each whether it is an array. */
  private static List<@Nullable Object> declarations(List<? extends @Nullable Object> given) {
    var all = new ArrayList<@Nullable Object>();
    for (var item : given) {
      var declaration = Json.object(item);
      if (declaration == null) {
        all.add(item);
        continue;
      }
      var written = named(withoutNulls(declaration), DRIVERS);
      written.putIfAbsent("isArray", false);
      all.add(written);
    }
    return all;
  }

  /**
   * With the short names of Elsa's classes that designers offer, where files have the long ones.
   */
  private static Map<String, @Nullable Object> named(
      Map<String, @Nullable Object> json, List<String> members) {
    for (var member : members) {
      if (json.get(member) instanceof String name
          && name.length() <= CLASS_NAME_CHARS_MAX
          && OF_ELSA.matcher(name).matches()) {
        json.put(member, OF_ELSA.matcher(name).replaceFirst("$1"));
      }
    }
    return json;
  }

  private static Map<String, @Nullable Object> withoutNulls(Map<String, @Nullable Object> json) {
    var all = new LinkedHashMap<String, @Nullable Object>(json);
    all.values().removeIf(value -> value == null);
    return all;
  }

  private static Map<String, @Nullable Object> options(Map<String, @Nullable Object> document) {
    var given = Json.object(document.get("options"));
    var options =
        given == null ? new LinkedHashMap<String, @Nullable Object>() : withoutNulls(given);
    if (document.get(USABLE) instanceof Boolean usable) {
      options.merge(USABLE, usable, (own, older) -> Boolean.TRUE.equals(own) ? own : older);
    }
    options.putIfAbsent("autoUpdateConsumingWorkflows", false);
    return named(options, STRATEGIES);
  }

  /**
   * A document as a designer sends it, with the originals of the activities that it was shown
   * placeholders for; the same document when it has none.
   */
  @SuppressWarnings("ReferenceEquality") // what has not changed is given back itself
  public static Map<String, @Nullable Object> restored(Map<String, @Nullable Object> document) {
    var root = document.get("root");
    var restored = MissingActivities.restored(root);
    if (restored == root) {
      return document;
    }
    var copy = new LinkedHashMap<String, @Nullable Object>(document);
    copy.put("root", restored);
    return copy;
  }
}
