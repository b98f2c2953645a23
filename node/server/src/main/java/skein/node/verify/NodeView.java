package skein.node.verify;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A node as it describes itself, and the members that it sees.
 *
 * @param client how it is asked
 * @param self its own entry in the list of nodes
 * @param members its list of nodes, itself included
 * @param complaints why it is not ready; empty when it is
 * @param took how long its readiness took to answer
 */
record NodeView(
    NodeClient client,
    JsonObject self,
    List<JsonObject> members,
    String complaints,
    Duration took) {
  static final String UNREACHABLE = "UNREACHABLE";

  /**
   * Asks it.
   *
   * @throws CheckException when it does not answer, or not as a node
   */
  static NodeView of(NodeClient client, Duration answerMax) {
    var readiness = client.get("/health/ready", answerMax);
    var self = client.get(NodeClient.API + "/cluster/nodes/self", answerMax).orThrow().json();
    var list = client.get(NodeClient.API + "/cluster", answerMax).orThrow().json();
    return new NodeView(
        client,
        self,
        objects(list.getJsonArray("nodes", new JsonArray())),
        readiness.isSuccess() ? "" : why(readiness.json()),
        readiness.took());
  }

  private static String why(JsonObject readiness) {
    var checks =
        objects(readiness.getJsonArray("checks", new JsonArray())).stream()
            .filter(check -> !"UP".equals(check.getString("status")))
            .map(check -> ", " + check.getString("name") + ": " + check.getString("detail", ""))
            .collect(Collectors.joining());
    return "phase " + readiness.getString("phase", "unknown") + checks;
  }

  static List<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast).toList();
  }

  /** The value of a member, or a default where it is missing. */
  static String text(JsonObject json, String member, String otherwise) {
    var text = json.getString(member);
    return text == null ? otherwise : text;
  }

  String id() {
    return self.getString("id", "");
  }

  String name() {
    return self.getString("name", "");
  }

  String cluster() {
    return self.getString("cluster", "");
  }

  /** Empty: the node does not report it. */
  String database() {
    return self.getString("database", "");
  }

  /** Empty: the node does not report it. */
  String locks() {
    return self.getString("locks", "");
  }

  List<String> memberIds() {
    return members.stream().map(member -> member.getString("id", "")).sorted().toList();
  }

  String memberNames() {
    return members.stream()
        .map(member -> member.getString("name", ""))
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
