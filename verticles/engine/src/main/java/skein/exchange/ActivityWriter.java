package skein.exchange;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.activities.ActivityDescriptor;
import skein.activities.ActivityMembers;
import skein.activities.Json;
import skein.activities.Output;
import skein.activities.Port;
import skein.graph.GraphCompiler;
import skein.graph.Reference;

/** Writes the activities of one definition as Elsa does. Used once. */
final class ActivityWriter {
  /** Deeper than what is published; what is below stays as it is. */
  private static final int DEPTH_MAX = 100;

  private static final List<String> FLAGS = List.of("canStartWorkflow", "runAsynchronously");

  private final Activities activities;
  private final Map<Reference, UsedVersion> uses;
  private final Set<String> ids = new HashSet<>();

  ActivityWriter(Activities activities, Map<Reference, UsedVersion> uses) {
    this.activities = activities;
    this.uses = uses;
  }

  /** {@code parent}: the path of what it is in. */
  Map<String, @Nullable Object> write(
      Map<String, @Nullable Object> json, String parent, int depth) {
    var type = Json.text(json, "type");
    var id = id(json, type == null ? "" : type);
    var path = parent + ":" + id;
    var known =
        type == null
            ? null
            : activities.find(
                type, json.get("version") instanceof Number number ? number.intValue() : 1);
    if (known != null && depth < DEPTH_MAX) {
      return activity(json, known.descriptor(), new Place(id, path, depth));
    }
    var use = known == null ? uses.get(Reference.of(json)) : null;
    return use == null
        ? MissingActivities.placeholder(json, id, path)
        : use(json, use, new Place(id, path, depth));
  }

  private record Place(String id, String path, int depth) {}

  /** As the compiler names activities without ids, so that instances keep theirs. */
  private String id(Map<String, @Nullable Object> json, String type) {
    var id = Json.text(json, "id");
    if (id == null || id.isBlank()) {
      id = type.substring(type.lastIndexOf('.') + 1) + (ids.size() + 1);
      while (ids.contains(id)) {
        id += "x";
      }
    }
    ids.add(id);
    return id;
  }

  private Map<String, @Nullable Object> use(
      Map<String, @Nullable Object> json, UsedVersion use, Place at) {
    var ref = use.definition().ref();
    var given = new LinkedHashMap<String, @Nullable Object>(json);
    given.put("type", use.typeName());
    given.putIfAbsent("workflowDefinitionId", ref.definitionId());
    var published = use.published();
    given.remove("latestAvailablePublishedVersion");
    given.remove("latestAvailablePublishedVersionId");
    if (published != null) {
      given.put("latestAvailablePublishedVersion", (long) published.version());
      given.put("latestAvailablePublishedVersionId", published.versionId());
    }
    return activity(given, GraphCompiler.asActivity(use.definition(), use.typeName()), at);
  }

  private Map<String, @Nullable Object> activity(
      Map<String, @Nullable Object> json, ActivityDescriptor descriptor, Place at) {
    var written = new LinkedHashMap<String, @Nullable Object>();
    written.put("id", at.id());
    written.put("nodeId", at.path());
    if (json.get("name") != null) {
      written.put("name", json.get("name"));
    }
    written.put("type", json.get("type"));
    written.put("version", (long) descriptor.version());
    written.put("customProperties", customProperties(json));
    var metadata = Json.object(json.get("metadata"));
    written.put("metadata", metadata == null ? Map.of() : metadata);
    var members = members(descriptor);
    var renamed = ActivityMembers.renamed(descriptor.typeName());
    json.forEach((name, value) -> {
      var member = current(camel(name, json, members.keySet()), json, renamed);
      if (value != null && !FLAGS.contains(member) && !written.containsKey(member)) {
        var form = members.get(member);
        var result = form == null ? value : form.write(value);
        if (result != null) {
          written.put(member, result);
        }
      }
    });
    children(json, descriptor, at, written);
    if (!ActivityMembers.ofFlowchart(descriptor.typeName()).isEmpty()) {
      written.put("connections", Connections.written(json.get("connections")));
    }
    return written;
  }

  /** How a member other than an activity is written. */
  private interface Form {
    @Nullable Object write(Object value);
  }

  private static Map<String, Form> members(ActivityDescriptor descriptor) {
    var members = new HashMap<String, Form>();
    for (var output : descriptor.outputs()) {
      members.put(output.property(), value -> InputWriter.output(output, value));
    }
    for (var input : descriptor.inputs()) {
      members.put(input.property(), value -> InputWriter.input(input, value));
    }
    if (descriptor.container()) {
      members.put("variables", Json::list);
    }
    return members;
  }

  /** The name that Elsa writes; files may have known members with a capital letter. */
  private static String camel(String name, Map<String, @Nullable Object> json, Set<String> known) {
    var camel = Output.camel(name);
    return known.contains(camel) && json.get(camel) == null ? camel : name;
  }

  /** The present name of the member, unless another member has it. */
  private static String current(
      String name, Map<String, @Nullable Object> json, Map<String, String> renamed) {
    var now = renamed.get(Output.camel(name));
    return now == null || Json.member(json, now) != null ? name : now;
  }

  private static Map<String, @Nullable Object> customProperties(
      Map<String, @Nullable Object> json) {
    var given = Json.object(Json.member(json, "customProperties"));
    var properties = new LinkedHashMap<String, @Nullable Object>();
    if (given != null) {
      properties.putAll(given);
    }
    for (var flag : FLAGS) {
      if (Json.member(json, flag) instanceof Boolean value && properties.get(flag) == null) {
        properties.put(flag, value);
      }
    }
    return properties;
  }

  /** In the order of the compiler, since missing ids are counted. */
  private void children(
      Map<String, @Nullable Object> json,
      ActivityDescriptor descriptor,
      Place at,
      Map<String, @Nullable Object> written) {
    for (var port : descriptor.ports()) {
      var given = Json.member(json, port.property());
      if (given == null && (!port.many() || port.member() != null)) {
        continue;
      }
      var held = new ArrayList<@Nullable Object>();
      for (var item : Json.list(given)) {
        held.add(held(item, port, at));
      }
      written.remove(
          Character.toUpperCase(port.property().charAt(0)) + port.property().substring(1));
      if (port.many()) {
        written.put(port.property(), held);
      } else if (!held.isEmpty()) {
        written.put(port.property(), held.getFirst());
      }
    }
  }

  private @Nullable Object held(@Nullable Object item, Port port, Place at) {
    var json = Json.object(item);
    if (json == null) {
      return item;
    }
    var member = port.member();
    if (member == null) {
      return write(json, at.path(), at.depth() + 1);
    }
    var held = Json.object(Json.member(json, member));
    var written = new LinkedHashMap<String, @Nullable Object>();
    json.forEach((name, value) -> {
      if (value != null) {
        written.put(Output.camel(name), value);
      }
    });
    if (held != null) {
      written.put(member, write(held, at.path(), at.depth() + 1));
    }
    return written;
  }
}
