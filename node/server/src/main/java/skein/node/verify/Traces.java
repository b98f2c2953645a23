package skein.node.verify;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Everything that the verification has put into the cluster, so that it can be removed again: its
 * definitions with their instances, and the nodes that it has paused. Thread-safe, since a shutdown
 * hook removes existing ones while the checks still run.
 */
final class Traces {
  static final String PREFIX = "skein-verify-";
  private static final Duration REMOVE_MAX = Duration.ofSeconds(30);

  private final String run;
  private final Set<String> definitions = new ConcurrentSkipListSet<>();
  private final Map<String, NodeClient> paused = new ConcurrentSkipListMap<>();

  /** Changes hold the lock for reading, so that the removal waits for those on their way. */
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  private boolean removed; // guarded by lock

  /** {@code run}: what makes the ids of this run unique. */
  Traces(String run) {
    this.run = run;
  }

  /** An id for a definition, which is removed in the end with its instances. */
  String definitionId(String kind) {
    var id = PREFIX + run + "-" + kind;
    definitions.add(id);
    return id;
  }

  /** Publishes; returns the version. */
  int publish(NodeClient node, JsonObject definition) {
    var body = new JsonObject().put("model", definition).put("publish", true);
    return change(() -> node.post(NodeClient.API + "/workflow-definitions", body))
        .orThrow()
        .json()
        .getJsonObject("workflowDefinition", new JsonObject())
        .getInteger("version", 0);
  }

  /** Starts an instance and returns its id; answered after its first burst. */
  String start(NodeClient node, String definitionId) {
    return started(node, definitionId).orThrow().json().getString("id");
  }

  /** The same, whatever the answer is. */
  NodeClient.Answer started(NodeClient node, String definitionId) {
    var body = new JsonObject().put("definitionId", definitionId);
    return change(() -> node.post(NodeClient.API + "/workflow-instances", body));
  }

  NodeClient.Answer resume(NodeClient node, String instanceId) {
    var path = NodeClient.API + "/workflow-instances/" + instanceId + "/resume";
    return change(() -> node.post(path, new JsonObject()));
  }

  /** {@code other}: who is asked to resume it in the end. */
  void pause(NodeView node, NodeClient other) {
    paused.put(node.id(), other);
    tell(other, node.id(), "pause").orThrow();
  }

  void unpause(NodeView node, NodeClient other) {
    tell(other, node.id(), "resume").orThrow();
    paused.remove(node.id());
  }

  private NodeClient.Answer tell(NodeClient other, String nodeId, String action) {
    var path = NodeClient.API + "/cluster/nodes/" + NodeClient.encoded(nodeId) + "/" + action;
    return change(() -> other.post(path, new JsonObject()));
  }

  private <T> T change(Supplier<T> call) {
    lock.readLock().lock();
    try {
      if (removed) {
        throw new CheckException("The verification was broken off");
      }
      return call.get();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Takes everything away, once; nothing can be put there any more. {@code nodes}: any will do. */
  CheckResult remove(List<NodeClient> nodes) {
    lock.writeLock().lock();
    try {
      removed = true;
      var deadline = Deadline.in(REMOVE_MAX);
      var able = nodes.stream().map(node -> node.until(deadline)).toList();
      var complaints = new ArrayList<String>();
      paused.forEach((id, other) -> resume(id, other.until(deadline), complaints));
      long instances = 0;
      int count = definitions.size();
      for (var id : List.copyOf(definitions)) {
        try {
          instances += firstThatDoes(able, node -> removeDefinition(node, id));
          definitions.remove(id);
        } catch (CheckException e) {
          complaints.add("Left: definition " + id + " and its instances: " + e.getMessage());
        }
      }
      return CheckResult.of(
          complaints,
          "%d definitions and %d instances removed"
              .formatted(count - definitions.size(), instances),
          Map.of("definitions", count - definitions.size(), "instances", instances));
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void resume(String nodeId, NodeClient other, List<String> complaints) {
    try {
      var path = NodeClient.API + "/cluster/nodes/" + NodeClient.encoded(nodeId) + "/resume";
      other.post(path, new JsonObject()).orThrow();
      paused.remove(nodeId);
    } catch (CheckException e) {
      complaints.add("Left: node " + nodeId + " is paused, resume it by hand: " + e.getMessage());
    }
  }

  private static long firstThatDoes(List<NodeClient> nodes, Function<NodeClient, Long> call) {
    var failure = new CheckException("no node answers");
    for (var node : nodes) {
      try {
        return call.apply(node);
      } catch (CheckException e) {
        failure = e;
      }
    }
    throw failure;
  }

  /** Returns how many instances it had. */
  private static long removeDefinition(NodeClient node, String id) {
    var body = new JsonObject().put("workflowDefinitionId", id);
    long deleted =
        node.post(NodeClient.API + "/bulk-actions/delete/workflow-instances", body)
            .orThrow()
            .json()
            .getLong("deleted", 0L);
    var gone = node.delete(NodeClient.API + "/workflow-definitions/" + id);
    if (gone.status() != 404) {
      gone.orThrow();
    }
    var list = NodeClient.API + "/workflow-instances?pageSize=1&definitionId=" + id;
    long left = node.get(list).orThrow().json().getLong("totalCount", 0L);
    if (left > 0) {
      throw new CheckException(left + " instances are still there");
    }
    return deleted;
  }
}
