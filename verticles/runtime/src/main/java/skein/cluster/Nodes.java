package skein.cluster;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import skein.bus.Refusals;
import skein.messages.Addresses;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Asks the nodes of the cluster, this one included, how they are, and has them pause, resume and
 * drain. Each node answers for itself. Thread-safe.
 */
public final class Nodes {
  /** The name of the node that was asked. */
  public static final String SELF = "self";

  private static final Duration SHOW_MAX = Duration.ofSeconds(2);
  private static final Duration ACT_MAX = Duration.ofSeconds(28);

  private final Vertx vertx;
  private final Cluster cluster;

  public Nodes(Vertx vertx, Cluster cluster) {
    this.vertx = vertx;
    this.cluster = cluster;
  }

  /** A node's own side: never fails, a refusal is an answer. */
  @FunctionalInterface
  public interface Control {
    Future<JsonObject> act(NodeAction action);
  }

  /** Lets this node be asked; done when the others know. */
  public Future<Void> serve(Control control) {
    return vertx
        .eventBus()
        .<String>consumer(
            Addresses.node(cluster.nodeId()),
            message ->
                control
                    .act(NodeAction.valueOf(message.body()))
                    .otherwise(RefusalJson::of)
                    .onSuccess(message::reply))
        .completion();
  }

  /** Every member by its name; one that does not answer in time is {@code UNREACHABLE}. */
  public Future<List<JsonObject>> all() {
    var answers =
        cluster.members().stream()
            .sorted(Comparator.comparing(Cluster.Node::name).thenComparing(Cluster.Node::id))
            .map(node -> ask(node, NodeAction.SHOW, SHOW_MAX).otherwise(e -> unreachable(node, e)))
            .toList();
    return Future.join(answers).map(_ -> answers.stream().map(Future::result).toList());
  }

  private static JsonObject unreachable(Cluster.Node node, Throwable e) {
    return new JsonObject()
        .put("id", node.id())
        .put("name", node.name())
        .put("phase", "UNREACHABLE")
        .put("ready", false)
        .put("detail", Refusals.of(e).detail());
  }

  /**
   * Answers how the node is then. A drain is only begun by then.
   *
   * @param which an id, a name, or {@link #SELF}
   */
  public Future<JsonObject> tell(String which, NodeAction action) {
    return ask(find(which), action, ACT_MAX);
  }

  /**
   * The member that is meant.
   *
   * @param which an id, a name, or {@link #SELF}
   * @throws SkeinException {@code NODE_NOT_FOUND}, or {@code INVALID_REQUEST} when several have the
   *     name
   */
  public Cluster.Node find(String which) {
    if (which.equals(SELF)) {
      return cluster.self();
    }
    var members = cluster.members();
    var found =
        members.stream().filter(n -> n.id().equals(which) || n.name().equals(which)).toList();
    if (found.size() == 1) {
      return found.getFirst();
    }
    if (found.isEmpty()) {
      var names = members.stream().map(Cluster.Node::name).sorted().toList();
      throw new SkeinException(
          ErrorCode.NODE_NOT_FOUND, "No node " + which + "; there are " + String.join(", ", names));
    }
    throw new SkeinException(
        ErrorCode.INVALID_REQUEST,
        found.size() + " nodes are named " + which + "; say which by its id",
        found.stream().map(Cluster.Node::id).sorted().toList(),
        null);
  }

  private Future<JsonObject> ask(Cluster.Node node, NodeAction action, Duration max) {
    return vertx
        .eventBus()
        .<JsonObject>request(
            Addresses.node(node.id()),
            action.name(),
            new DeliveryOptions().setSendTimeout(max.toMillis()))
        .map(message -> orThrow(message.body()))
        .recover(e -> Future.failedFuture(e instanceof SkeinException ? e : unanswered(node, e)));
  }

  private static SkeinException unanswered(Cluster.Node node, Throwable e) {
    return new SkeinException(
        ErrorCode.TIMEOUT,
        "Node " + node.name() + " did not answer; list the nodes to see what became of it",
        List.of(),
        e);
  }

  private static JsonObject orThrow(JsonObject answer) {
    var refused = RefusalJson.read(answer);
    if (refused != null) {
      throw Refusals.toException(refused);
    }
    return answer;
  }
}
