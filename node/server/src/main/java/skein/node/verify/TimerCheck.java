package skein.node.verify;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Item 2: a timer that any node was asked for fires once, and the scheduler has its leaders. */
final class TimerCheck {
  private static final String DELAY = "00:00:02";
  private static final int STARTS_MAX = 6;
  private static final Duration END_MAX = Duration.ofSeconds(20);

  private final Site site;
  private final List<String> complaints = new ArrayList<>();

  TimerCheck(Site site) {
    this.site = site;
  }

  CheckResult run() {
    var scheduler = site.client(0).get(NodeClient.API + "/scheduler").orThrow().json();
    if (scheduler.getString("mode", "").equals("none")) {
      return CheckResult.skipped(
          "No node takes part in the scheduler (scheduler.mode, node.roles): a caller of"
              + " POST /elsa/api/timers/fire fires the timers");
    }
    var definitionId = site.traces().definitionId("timer");
    site.traces().publish(site.client(0), Workflows.delay(definitionId, DELAY));
    int count = Math.min(site.size(), STARTS_MAX);
    var lateMillis = ConcurrentCalls.call(count, number -> lateMillis(number, definitionId));
    long late = lateMillis.stream().mapToLong(Long::longValue).max().orElse(0);
    checkLeaders(scheduler);
    return CheckResult.of(
        complaints,
        "%d timers of 2 s, one started on each of %s: at most %d ms late; %s"
            .formatted(
                count,
                IntStream.range(0, count)
                    .mapToObj(number -> site.node(number).name())
                    .collect(Collectors.joining(", ")),
                late,
                leaders(scheduler)),
        Map.of("timers", count, "lateMsMax", late));
  }

  /** The time from its due time until it fired. */
  private long lateMillis(int number, String definitionId) {
    var id = site.traces().start(site.client(number), definitionId);
    var due = new Instance(site.client(number), id).dueAt();
    var instance = new Instance(site.client(number + 1), id);
    if (!instance.awaitEnd(END_MAX)) {
      complain(
          "The timer of instance " + id + " did not fire within " + END_MAX.toSeconds() + " s");
      return 0;
    }
    var history = instance.history();
    if (!history.isOnce()) {
      complain("Instance " + id + " of a timer " + history);
    }
    return due == null || history.at() == null
        ? 0
        : Math.max(0, Duration.between(due, history.at()).toMillis());
  }

  private synchronized void complain(String complaint) {
    complaints.add(complaint);
  }

  private void checkLeaders(JsonObject scheduler) {
    for (var leader : NodeView.objects(scheduler.getJsonArray("leaders", new JsonArray()))) {
      if (leader.getString("holder") == null) {
        complain("No node leads shard " + leader.getLong("shard") + " of the scheduler");
      }
    }
  }

  static String leaders(JsonObject scheduler) {
    var names =
        NodeView.objects(scheduler.getJsonArray("leaders", new JsonArray())).stream()
            .map(leader -> NodeView.text(leader, "node", "no node"))
            .distinct()
            .sorted()
            .toList();
    long heartbeat =
        NodeView.objects(scheduler.getJsonArray("nodes", new JsonArray())).stream()
            .mapToLong(node -> node.getJsonObject("figures").getLong("heartbeatAgeMs", 0L))
            .max()
            .orElse(0);
    long shards = scheduler.getLong("shards", 0L);
    return "%d %s led by %s, the oldest heartbeat is %d ms old"
        .formatted(shards, shards == 1 ? "shard" : "shards", String.join(", ", names), heartbeat);
  }
}
