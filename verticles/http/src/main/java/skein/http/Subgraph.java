package skein.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.DefinitionCodec;
import skein.model.WorkflowDefinition;

/** The activities of a definition by their paths, with what holds them. */
final class Subgraph {
  private static final String WORKFLOW = DefinitionCodec.WORKFLOW_NODE_ID;

  /** Members that hold data, in which something may look like an activity. */
  private static final Set<String> NO_ACTIVITIES =
      Set.of("customProperties", "metadata", "variables", "connections", "originalActivityJson");

  /**
   * An activity at its place.
   *
   * @param port the member of the parent that holds it, as Elsa names it
   * @param parent null for the workflow
   */
  private record Node(String nodeId, String port, Map<?, ?> activity, @Nullable Node parent) {
    Map<String, @Nullable Object> toJson() {
      var json = new LinkedHashMap<String, @Nullable Object>();
      json.put("nodeId", nodeId);
      json.put("port", port);
      json.put("activity", activity);
      return json;
    }

    boolean is(String type) {
      return type.equals(activity.get("type"));
    }
  }

  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Node workflow;

  /** {@code document}: the definition as Elsa writes it. */
  Subgraph(WorkflowDefinition definition, Map<String, @Nullable Object> document) {
    var activity = new LinkedHashMap<String, @Nullable Object>();
    activity.put("id", WORKFLOW);
    activity.put("nodeId", WORKFLOW);
    activity.put("type", "Elsa.Workflow");
    activity.put("version", 1L);
    if (definition.name() != null) {
      activity.put("name", definition.name());
    }
    activity.put("customProperties", Map.of());
    activity.put("metadata", Map.of());
    activity.put("variables", document.get("variables"));
    activity.put("root", document.get("root"));
    workflow = new Node(WORKFLOW, "", activity, null);
    nodes.put(WORKFLOW, workflow);
    collect(document.get("root"), "Root", workflow);
  }

  private void collect(@Nullable Object value, String port, Node parent) {
    switch (value) {
      case Map<?, ?> map -> {
        var node = parent;
        if (map.get("nodeId") instanceof String nodeId && map.get("type") instanceof String) {
          node = new Node(nodeId, port, map, parent);
          nodes.putIfAbsent(nodeId, node);
        }
        var owner = node;
        map.forEach((key, member) -> {
          var name = String.valueOf(key);
          if (!NO_ACTIVITIES.contains(name)) {
            collect(member, owner.equals(parent) ? port : capitalised(name), owner);
          }
        });
      }
      case List<?> list -> list.forEach(item -> collect(item, port, parent));
      case null, default -> {
        // Holds no activity.
      }
    }
  }

  private static String capitalised(String name) {
    return name.isEmpty() ? name : Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  /** The activity of that path with all it holds; the whole workflow when there is none. */
  Map<String, @Nullable Object> from(@Nullable String nodeId) {
    return nodes.getOrDefault(nodeId == null ? WORKFLOW : nodeId, workflow).toJson();
  }

  /**
   * The way from the workflow to an activity: what holds it, without flowcharts, outermost first;
   * null when the definition has no such activity.
   */
  @Nullable Map<String, @Nullable Object> segments(String nodeId) {
    var child = nodes.get(nodeId);
    if (child == null) {
      return null;
    }
    var segments = new ArrayDeque<Map<String, @Nullable Object>>();
    var container = child;
    var below = child;
    for (var node = child.parent(); node != null; node = node.parent()) {
      if (!node.is("Elsa.Workflow") && !node.is("Elsa.Flowchart")) {
        if (segments.isEmpty()) {
          container = node;
        }
        segments.addFirst(segment(node, below.port()));
      }
      below = node;
    }
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("childNode", child.toJson());
    json.put("container", (segments.isEmpty() ? workflow : container).toJson());
    json.put("pathSegments", new ArrayList<>(segments));
    return json;
  }

  private static Map<String, @Nullable Object> segment(Node node, String port) {
    var name = node.activity().get("name");
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("activityNodeId", node.nodeId());
    json.put("activityId", node.activity().get("id"));
    json.put("activityType", node.activity().get("type"));
    json.put("portName", port);
    json.put("activityName", name == null ? node.activity().get("type") : name);
    return json;
  }
}
