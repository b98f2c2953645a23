package skein.node.verify;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The precondition of all checks: nodes that answer, in one cluster, on one database. */
final class NodesCheck {
  /** The first item of the guide's checklist. */
  private static final int NODES_OF_THE_GUIDE = 3;

  private final List<NodeClient> clients;
  private final Duration answerMax;
  private final List<NodeView> nodes = new ArrayList<>();

  NodesCheck(List<NodeClient> clients, Duration answerMax) {
    this.clients = clients;
    this.answerMax = answerMax;
  }

  /** Those that have answered, whether ready or not. */
  List<NodeView> nodes() {
    return List.copyOf(nodes);
  }

  private record Asked(@Nullable NodeView node, String complaint) {}

  CheckResult ready() {
    var complaints = new ArrayList<String>();
    for (var asked : ConcurrentCalls.call(clients.size(), number -> ask(clients.get(number)))) {
      if (asked.node != null) {
        nodes.add(asked.node);
      }
      if (!asked.complaint.isEmpty()) {
        complaints.add(asked.complaint);
      }
    }
    complaints.addAll(twice());
    complaints.addAll(unreachable());
    var text =
        nodes.stream()
            .map(node ->
                "%s at %s, version %s, answered in %d ms"
                    .formatted(
                        node.name(),
                        node.client().base(),
                        node.self().getString("version", "unknown"),
                        node.took().toMillis()))
            .collect(Collectors.joining("\n"));
    var few = clients.size() < NODES_OF_THE_GUIDE ? "\nThe guide asks for 3 nodes or more" : "";
    return CheckResult.of(
        complaints,
        text.isEmpty() ? "No node answered" : text + few,
        Map.of("asked", clients.size(), "answered", nodes.size()));
  }

  private Asked ask(NodeClient client) {
    try {
      var node = NodeView.of(client, answerMax);
      return new Asked(
          node,
          node.complaints().isEmpty()
              ? ""
              : node.name() + " at " + client.base() + " is not ready: " + node.complaints());
    } catch (CheckException e) {
      return new Asked(null, String.valueOf(e.getMessage()));
    }
  }

  private List<String> twice() {
    var urls = new LinkedHashMap<String, List<URI>>();
    nodes.forEach(
        node -> urls.computeIfAbsent(node.id(), _ -> new ArrayList<>()).add(node.client().base()));
    return urls.values().stream()
        .filter(same -> same.size() > 1)
        .map(same -> same + " are one and the same node: name each by its own address, no balancer")
        .toList();
  }

  /** The state that others report of a member that does not answer. */
  private List<String> unreachable() {
    var names = new TreeMap<String, List<String>>();
    for (var node : nodes) {
      for (var member : node.members()) {
        if (NodeView.UNREACHABLE.equals(member.getString("phase"))) {
          names
              .computeIfAbsent(member.getString("name", ""), _ -> new ArrayList<>())
              .add(node.name());
        }
      }
    }
    return names.entrySet().stream()
        .map(
            e -> e.getKey() + " is a member and does not answer " + String.join(", ", e.getValue()))
        .toList();
  }

  CheckResult oneCluster() {
    var complaints = new ArrayList<String>();
    var groups =
        nodes.stream()
            .collect(
                Collectors.groupingBy(
                    node -> node.cluster() + node.memberIds(),
                    LinkedHashMap::new,
                    Collectors.toList()));
    if (groups.size() > 1) {
      complaints.add(
          groups.size()
              + " clusters: the nodes do not all see each other"
              + " (cluster.name, cluster.members, ports 5701 and 15701 between them)");
    }
    var asked = nodes.stream().map(NodeView::id).toList();
    var others =
        nodes.stream()
            .flatMap(node -> node.members().stream())
            .filter(member -> !asked.contains(member.getString("id")))
            .map(member -> member.getString("name", ""))
            .distinct()
            .sorted()
            .toList();
    var text =
        groups.values().stream()
            .map(group ->
                "%s in cluster %s see%s %s"
                    .formatted(
                        names(group),
                        told(group.getFirst().cluster()),
                        group.size() == 1 ? "s" : "",
                        group.getFirst().memberNames()))
            .collect(Collectors.joining("\n"));
    var more =
        others.isEmpty() ? "" : "\nNot asked, or without an answer: " + String.join(", ", others);
    return CheckResult.of(complaints, text + more, Map.of("clusters", groups.size()));
  }

  CheckResult oneDatabase() {
    var groups =
        nodes.stream()
            .collect(
                Collectors.groupingBy(NodeView::database, LinkedHashMap::new, Collectors.toList()));
    var text =
        groups.entrySet().stream()
            .map(e ->
                "%s use%s database %s"
                    .formatted(
                        names(e.getValue()), e.getValue().size() == 1 ? "s" : "", told(e.getKey())))
            .collect(Collectors.joining("\n"));
    long known = groups.keySet().stream().filter(id -> !id.isEmpty()).count();
    if (known > 1) {
      return CheckResult.failed(
          known
              + " databases: what one node has written others do not see"
              + " (database.url, database.schema)\n"
              + text,
          Map.of("databases", known));
    }
    return known == groups.size()
        ? CheckResult.ok(text, Map.of("databases", known))
        : CheckResult.skipped(
            text
                + ": the role may not read pg_control_system(), or the node is older; item 3 shows"
                + " whether it is one");
  }

  private static String told(String name) {
    return name.isEmpty() ? "(unknown)" : name;
  }

  private String names(List<NodeView> group) {
    return group.stream().map(this::told).collect(Collectors.joining(", "));
  }

  /** With its address where several have its name. */
  private String told(NodeView node) {
    long same = nodes.stream().filter(other -> other.name().equals(node.name())).count();
    return same > 1 ? node.name() + " at " + node.client().base() : node.name();
  }
}
