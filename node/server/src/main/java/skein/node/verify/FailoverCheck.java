package skein.node.verify;

import io.vertx.core.json.JsonArray;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Item 4: another node fires the timers of one that goes. Looks whether there is one; with leave to
 * pause nodes it pauses the node that is to fire a timer, and sees who does.
 */
final class FailoverCheck {
  private static final String FAR = "00:05:00";
  private static final String SOON = "00:00:03";
  private static final Duration END_MAX = Duration.ofSeconds(30);

  private final Site site;
  private final boolean pauses;
  private final List<String> complaints = new ArrayList<>();

  /** {@code pauses}: whether it may pause a node. */
  FailoverCheck(Site site, boolean pauses) {
    this.site = site;
    this.pauses = pauses;
  }

  CheckResult run() {
    var scheduler = site.client(0).get(NodeClient.API + "/scheduler").orThrow().json();
    var able = NodeView.objects(scheduler.getJsonArray("nodes", new JsonArray()));
    if (able.isEmpty()) {
      return CheckResult.skipped("No node takes part in the scheduler");
    }
    if (able.size() < 2) {
      complaints.add(
          "Only "
              + able.getFirst().getString("name")
              + " fires timers (node.roles, scheduler.mode): when it ends, none does");
    }
    var seen = pauses && complaints.isEmpty() ? takeOver() : look();
    return CheckResult.of(
        complaints,
        able.size() + " nodes take part in the scheduler; " + seen,
        Map.of("schedulerNodes", able.size(), "paused", pauses));
  }

  /** A timer that is far away is on every node's list, with who is to fire it. */
  private String look() {
    var timer = pending(FAR);
    for (var node : site.nodes()) {
      var answer = node.client().get(NodeClient.API + "/timers/" + timer.id);
      if (!answer.isSuccess()) {
        complaints.add(node.name() + " does not know timer " + timer.id + ": " + answer.outcome());
      }
    }
    return "a timer of 5 minutes is known to %s, and %s is to fire it; not tried: pause that node"
            .formatted(site.names(), timer.leader)
        + " (--pause-nodes)";
  }

  private String takeOver() {
    var timer = pending(SOON);
    var leader = site.nodes().stream().filter(n -> n.name().equals(timer.leader)).findFirst();
    if (leader.isEmpty()) {
      complaints.add(timer.leader + " is to fire the timer and is not among --nodes: not paused");
      return "nothing was tried";
    }
    var node = leader.get();
    var other = site.client(site.nodes().indexOf(node) + 1);
    site.traces().pause(node, other);
    boolean fired = new Instance(other, timer.instanceId).awaitEnd(END_MAX);
    var scheduler = other.get(NodeClient.API + "/scheduler").orThrow().json();
    var history = new Instance(other, timer.instanceId).history();
    site.traces().unpause(node, other);
    if (!fired) {
      complaints.add("Its timer did not fire within " + END_MAX.toSeconds() + " s");
    } else if (!history.isOnce()) {
      complaints.add("Instance " + timer.instanceId + " of the timer " + history);
    }
    return "%s was to fire a timer of 3 s and was paused; it fired once, with %s"
        .formatted(timer.leader, TimerCheck.leaders(scheduler));
  }

  /** A timer, and the node that leads its shard. */
  private record Pending(String id, String instanceId, String leader) {}

  private Pending pending(String time) {
    var definitionId = site.traces().definitionId("failover");
    site.traces().publish(site.client(0), Workflows.delay(definitionId, time));
    var instanceId = site.traces().start(site.client(0), definitionId);
    var list = NodeClient.API + "/timers?workflowInstanceId=" + instanceId;
    var found =
        NodeView.objects(
            site.client(0).get(list).orThrow().json().getJsonArray("items", new JsonArray()));
    if (found.isEmpty()) {
      throw new CheckException("Instance " + instanceId + " waits for no timer");
    }
    var id = found.getFirst().getString("id");
    var shown = site.client(0).get(NodeClient.API + "/timers/" + id).orThrow().json();
    return new Pending(id, instanceId, NodeView.text(shown, "node", "no node"));
  }
}
