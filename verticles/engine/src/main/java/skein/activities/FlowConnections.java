package skein.activities;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.codecs.EditDistance;

/** The activities and connections of a flowchart, read once. Any thread may use it. */
final class FlowConnections {
  /** Ids that an unknown one is compared with: larger flows would take too long. */
  private static final int COMPARED_MAX = 200;

  private final Map<String, ActivityNode> activities;
  private final List<Connection> connections;
  private final @Nullable String start;

  /** By start activity. The value is a pure function of the key, so races do not matter. */
  private final Map<String, FlowGraph> graphs = new ConcurrentHashMap<>();

  private FlowConnections(
      Map<String, ActivityNode> activities, List<Connection> connections, @Nullable String start) {
    this.activities = activities;
    this.connections = connections;
    this.start = start;
  }

  /**
   * Takes {@code {source: {activity, port}, target: {activity}}} and the older flat {@code {source,
   * sourcePort, target}}.
   */
  static FlowConnections read(
      Map<String, @Nullable Object> json, List<ActivityNode> children, Consumer<String> problem) {
    var activities = new LinkedHashMap<String, ActivityNode>();
    children.forEach(child -> activities.putIfAbsent(child.id(), child));
    var connections = new ArrayList<Connection>();
    var seen = new HashSet<List<String>>();
    var place = -1;
    for (var item : Json.list(json.get("connections"))) {
      place++;
      var connection = Json.object(item);
      if (connection == null) {
        continue;
      }
      var source = end(connection, "source");
      var target = end(connection, "target");
      var from = source == null ? null : activities.get(source);
      var to = target == null ? null : activities.get(target);
      if (from == null || to == null) {
        var unknown = from == null ? source : target;
        problem.accept(
            "connection "
                + (place + 1)
                + " names the activity \""
                + unknown
                + "\", which is not there"
                + meant(unknown, activities.keySet()));
        continue;
      }
      var port = port(connection);
      if (seen.add(List.of(from.id(), port, to.id()))) {
        connections.add(new Connection(connections.size(), place, from, port, to));
      }
    }
    return new FlowConnections(activities, List.copyOf(connections), Json.text(json, "start"));
  }

  private static String meant(@Nullable String unknown, Set<String> ids) {
    var nearest =
        unknown == null || ids.size() > COMPARED_MAX ? null : EditDistance.nearest(unknown, ids);
    return nearest == null ? "" : "; did you mean \"" + nearest + "\"?";
  }

  private static @Nullable String end(Map<String, @Nullable Object> connection, String which) {
    var end = Json.object(connection.get(which));
    return end == null ? Json.text(connection, which) : Json.text(end, "activity");
  }

  private static String port(Map<String, @Nullable Object> connection) {
    var end = Json.object(connection.get("source"));
    var port = end == null ? null : Json.text(end, "port");
    var flat = port == null ? Json.text(connection, "sourcePort") : port;
    return flat == null || flat.isEmpty() ? ActivityDescriptor.DONE : flat;
  }

  /**
   * Where to begin, the first of: the activity that was triggered, the one named as start, a Start,
   * one that can start the workflow, one that nothing leads to, the first.
   */
  @Nullable ActivityNode start(@Nullable String triggered) {
    var byName = triggered == null ? null : activities.get(triggered);
    if (byName == null && start != null) {
      byName = activities.get(start);
    }
    if (byName != null) {
      return byName;
    }
    var targets = new HashSet<String>();
    connections.forEach(connection -> targets.add(connection.target().id()));
    ActivityNode startable = null;
    ActivityNode root = null;
    for (var activity : activities.values()) {
      if (activity.activity() instanceof Start) {
        return activity;
      }
      if (startable == null && activity.canStart()) {
        startable = activity;
      }
      if (root == null && !targets.contains(activity.id())) {
        root = activity;
      }
    }
    if (startable != null || root != null) {
      return startable == null ? root : startable;
    }
    return activities.values().stream().findFirst().orElse(null);
  }

  /** In the order of the file. */
  Collection<ActivityNode> activities() {
    return activities.values();
  }

  /** These activities and all that are reachable from them. */
  Set<ActivityNode> reachedFrom(Collection<ActivityNode> starts) {
    var targets = new HashMap<ActivityNode, List<ActivityNode>>();
    for (var connection : connections) {
      targets.computeIfAbsent(connection.source(), _ -> new ArrayList<>()).add(connection.target());
    }
    var reached = new LinkedHashSet<>(starts);
    var next = new ArrayDeque<>(reached);
    while (!next.isEmpty()) {
      for (var target : targets.getOrDefault(next.remove(), List.of())) {
        if (reached.add(target)) {
          next.add(target);
        }
      }
    }
    return reached;
  }

  /** Whether a connection leaves the activity from that port. */
  boolean leads(String activityId, String port) {
    return connections.stream()
        .anyMatch(c -> c.source().id().equals(activityId) && c.port().equals(port));
  }

  /** The ports from which connections leave the activity, in the order of the file. */
  Collection<String> ports(String activityId) {
    var ports = new LinkedHashSet<String>();
    for (var connection : connections) {
      if (connection.source().id().equals(activityId)) {
        ports.add(connection.port());
      }
    }
    return ports;
  }

  /** In the order of the file. */
  List<Connection> all() {
    return connections;
  }

  /** As seen from a start activity. */
  FlowGraph graph(String startId) {
    return graphs.computeIfAbsent(startId, id -> new FlowGraph(connections, id));
  }
}
