package skein.activities;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which connections of a flowchart lead forward from its start and which lead back.
 *
 * <p>Breadth first from the start, in file order: a connection is forward unless those before it
 * lead from its target to its source already. What the start does not reach is on neither side.
 */
final class FlowGraph {
  private final String startId;
  private final List<Connection> connections;
  private final Map<String, List<Connection>> outbound = new HashMap<>();
  private final Map<String, List<Connection>> inbound = new HashMap<>();
  private final Map<String, List<Connection>> forwardInbound = new HashMap<>();
  private final Map<String, List<Connection>> forwardOutbound = new HashMap<>();
  private final Set<Connection> forward = new HashSet<>();

  FlowGraph(List<Connection> connections, String startId) {
    this.connections = connections;
    this.startId = startId;
    for (var connection : connections) {
      outbound.computeIfAbsent(connection.source().id(), _ -> new ArrayList<>()).add(connection);
    }
    var reached = explore();
    for (var connection : connections) {
      if (reached.contains(connection.source().id())) {
        inbound.computeIfAbsent(connection.target().id(), _ -> new ArrayList<>()).add(connection);
      }
      if (forward.contains(connection)) {
        forwardInbound
            .computeIfAbsent(connection.target().id(), _ -> new ArrayList<>())
            .add(connection);
      }
    }
  }

  private Set<String> explore() {
    var queue = new ArrayDeque<>(List.of(startId));
    var queued = new HashSet<>(queue);
    var left = new HashSet<String>();
    while (!queue.isEmpty()) {
      var source = queue.remove();
      left.add(source);
      for (var connection : outbound(source)) {
        var target = connection.target().id();
        // Nothing leads on from a target that was not left yet, so there is no path to look for.
        if (target.equals(source)
            || (left.contains(target) && reachable(target, null).contains(source))) {
          continue;
        }
        forward.add(connection);
        forwardOutbound.computeIfAbsent(source, _ -> new ArrayList<>()).add(connection);
        if (queued.add(target)) {
          queue.add(target);
        }
      }
    }
    return left;
  }

  /** Along forward connections, without passing the one activity; that and the start included. */
  private Set<String> reachable(String from, @Nullable String without) {
    var seen = new HashSet<>(List.of(from));
    var open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      for (var connection : forwardOutbound.getOrDefault(open.pop(), List.of())) {
        var target = connection.target().id();
        if (!target.equals(without) && seen.add(target)) {
          open.push(target);
        }
      }
    }
    return seen;
  }

  Connection connection(int index) {
    return connections.get(index);
  }

  /** Forward and back, from what the start reaches. */
  List<Connection> inbound(String activityId) {
    return inbound.getOrDefault(activityId, List.of());
  }

  List<Connection> outbound(String activityId) {
    return outbound.getOrDefault(activityId, List.of());
  }

  List<Connection> forwardInbound(String activityId) {
    return forwardInbound.getOrDefault(activityId, List.of());
  }

  boolean isForward(Connection connection) {
    return forward.contains(connection);
  }

  /** Whether every way from the start to its source goes through its target. */
  boolean isValidBackward(Connection connection) {
    var target = connection.target().id();
    return target.equals(startId)
        || target.equals(connection.source().id())
        || !reachable(startId, target).contains(connection.source().id());
  }

  /** Whatever leads to the activity, directly or not. */
  Set<String> ancestors(String activityId) {
    var seen = new LinkedHashSet<String>();
    var open = new ArrayDeque<>(List.of(activityId));
    while (!open.isEmpty()) {
      for (var connection : forwardInbound(open.pop())) {
        if (seen.add(connection.source().id())) {
          open.push(connection.source().id());
        }
      }
    }
    return Collections.unmodifiableSet(seen);
  }
}
