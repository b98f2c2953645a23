package skein.http;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import skein.cluster.Inquiries;

/**
 * A cluster of three nodes as the console is told of it, and the settings and log of the real one.
 */
final class ConsoleCluster {
  private static final int PARTS = 271;
  private static final int TEXT_CHARS = 10_000;
  private static final List<String> NODES = List.of("n1", "n2", "n3");

  /**
   * Opens a stream that sends one state of the cluster and then nothing; of the overview nothing.
   */
  private static final String ONE_STATE =
      """
      (() => {
        const fetched = window.fetch;
        window.fetch = (asked, options) => {
          const topic = /topic=(cluster|overview)/.exec(String(asked));
          if (!topic) {
            return fetched(asked, options);
          }
          const state = new TextEncoder().encode('event: state\\ndata: ' + STATE + '\\n\\n');
          const start = control => topic[1] === 'cluster' && control.enqueue(state);
          const body = new ReadableStream({start});
          return Promise.resolve(new Response(body, {headers: {'Content-Type': 'text/event-stream'}}));
        };
      })()
      """;

  private final ConsoleWorld.Words words;
  private final boolean tour;

  /**
   * @param tour whether the nodes may be killed, so that the guided tour is offered
   */
  ConsoleCluster(ConsoleWorld.Words words, boolean tour) {
    this.words = words;
    this.tour = tour;
  }

  /** What the node itself says of its settings and its log. */
  void serve(GuardedServer server) {
    var inquiries = new Inquiries(server.vertx(), server.node.cluster);
    inquiries.serve(Inquiries.Topic.SETTINGS, _ -> Future.succeededFuture(settings())).await();
    inquiries.serve(Inquiries.Topic.LOG, this::log).await();
  }

  /** Answers the page in place of the server. */
  void answer(Page page) {
    page.addInitScript(ONE_STATE.replace("STATE", quoted(state().encode())));
    page.route("**/elsa/api/cluster", route -> answer(route, state()));
    page.route("**/elsa/api/overview", this::answerOverview);
    page.route("**/elsa/api/scheduler", route -> answer(route, scheduler()));
    page.route("**/elsa/api/cluster/partitions", route -> answer(route, partitions()));
    page.route("**/elsa/api/log-levels", route -> answer(route, levels()));
    page.route("**/elsa/api/locks", route -> answer(route, locks()));
    page.route("**/elsa/api/locks/waiting", route -> answer(route, waiting()));
    page.route("**/elsa/api/invariants", route -> answer(route, invariants()));
  }

  private static String quoted(String json) {
    return new JsonArray().add(json).encode().replaceAll("^\\[|]$", "");
  }

  private static void answer(Route route, JsonObject body) {
    route.fulfill(
        new Route.FulfillOptions().setContentType("application/json").setBody(body.encode()));
  }

  /** What the server says, with the counts and the nodes of a larger cluster. */
  private void answerOverview(Route route) {
    var counts =
        new JsonObject()
            .put("Running", 3)
            .put("Suspended", 1_284)
            .put("Faulted", 4)
            .put("Completed", 96_210);
    var json =
        new JsonObject(route.fetch().text())
            .put("statuses", counts)
            .put("timers", new JsonObject().put("Bookmark", 412))
            .put("countedAt", Instant.now().minus(Duration.ofSeconds(20)).toString())
            .put("nodes", state().getJsonArray("nodes"));
    answer(route, json);
  }

  private JsonObject state() {
    var nodes = new JsonArray();
    for (int i = 0; i < NODES.size(); i++) {
      nodes.add(node(NODES.get(i), i));
    }
    return new JsonObject()
        .put("nodes", nodes)
        .put("scheduler", scheduler())
        .put("partitions", partitions());
  }

  private JsonObject node(String name, int number) {
    return new JsonObject()
        .put("id", name)
        .put("name", words.of("node-" + (number + 1), 255))
        .put("phase", "READY")
        .put("ready", true)
        .put("version", "0.1.0")
        .put("partitions", number == 0 ? 91 : 90)
        .put("shards", new JsonArray().add(number))
        .put("tour", tour)
        .put(
            "inFlight",
            new JsonObject().put("requests", 2).put("commands", 3 + number).put("work", 1))
        .put(
            "load",
            new JsonObject()
                .put("cpu", 0.2 + 0.15 * number)
                .put("processors", 4)
                .put("heapUsedBytes", (300L + 90L * number) << 20)
                .put("heapMaxBytes", 2L << 30)
                .put("eventLoopLagMs", 4 + number));
  }

  private JsonObject scheduler() {
    var leaders = new JsonArray();
    for (int shard = 0; shard < 4; shard++) {
      leaders.add(
          new JsonObject()
              .put("shard", shard)
              .put("holder", NODES.get(shard % 3))
              .put("node", words.of("node-" + (shard % 3 + 1), 255))
              .put("epoch", 7 + shard)
              .put("heartbeatAgeMs", 350 * (shard + 1))
              .put("expiresInMs", 8_000 - 350 * (shard + 1))
              .put("lagMs", 0));
    }
    return new JsonObject()
        .put("mode", "sharded")
        .put("shards", 4)
        .put("lagMs", 0)
        .put("leaders", leaders);
  }

  private static JsonObject partitions() {
    var owners = new JsonArray();
    for (int part = 0; part < PARTS; part++) {
      owners.add(NODES.get(part * 7 % 3));
    }
    return new JsonObject().put("count", PARTS).put("owners", owners);
  }

  private JsonObject levels() {
    var changed =
        new JsonObject().put("logger", words.of("skein.timers", TEXT_CHARS)).put("level", "DEBUG");
    var items = new JsonArray();
    for (int i = 0; i < NODES.size(); i++) {
      items.add(
          new JsonObject()
              .put("node", words.of("node-" + (i + 1), 255))
              .put("levels", new JsonArray().add(changed)));
    }
    return new JsonObject().put("items", items);
  }

  private JsonObject locks() {
    var lock =
        new JsonObject()
            .put("key", words.of("workflow:4711", TEXT_CHARS))
            .put("kind", "instance")
            .put("node", words.of("node-2", 255))
            .put("since", Instant.now().minus(Duration.ofSeconds(2)).toString())
            .put("expiresInMs", 9_000)
            .put("token", 12);
    return new JsonObject()
        .put("items", new JsonArray().add(lock))
        .put("totalCount", 1)
        .put("provider", "shard")
        .put("unreachable", new JsonArray());
  }

  private static JsonObject waiting() {
    return new JsonObject()
        .put("items", new JsonArray())
        .put("totalCount", 0)
        .put("unreachable", new JsonArray());
  }

  private JsonObject invariants() {
    var violation =
        new JsonObject()
            .put("invariant", "timer-without-instance")
            .put("subjectId", words.of("4711-2", TEXT_CHARS))
            .put("detail", words.of("The instance of the timer does not exist", TEXT_CHARS))
            .put("foundAt", Instant.now().minus(Duration.ofMinutes(3)).toString());
    return new JsonObject()
        .put("items", new JsonArray().add(violation))
        .put("totalCount", 1)
        .put(
            "scan",
            new JsonObject()
                .put("pending", false)
                .put("finishedAt", Instant.now().minus(Duration.ofMinutes(1)).toString()));
  }

  private JsonObject settings() {
    return new JsonObject()
        .put(
            "items",
            new JsonArray()
                .add(setting("http.port", "6001", "/etc/skein/skein.yaml:4", false))
                .add(setting("node.name", words.of("node-1", TEXT_CHARS), "command line", false))
                .add(setting("timers.horizon", "5s", "default", true)));
  }

  private JsonObject setting(String key, String value, String origin, boolean isDefault) {
    return new JsonObject()
        .put("key", key)
        .put("value", value)
        .put("origin", isDefault ? origin : words.of(origin, TEXT_CHARS))
        .put("isDefault", isDefault);
  }

  private Future<JsonObject> log(JsonObject question) {
    var lines =
        new JsonArray()
            .add("07:00:00.000 INFO  node.ready " + words.of("name=node-1 port=6001", TEXT_CHARS))
            .add("07:00:03.120 WARN  timers.late " + words.of("by=1.2s", TEXT_CHARS))
            .add("07:00:09.771 ERROR mail.failed " + words.of("the server refused", TEXT_CHARS));
    int after = question.getInteger("after", 0);
    return Future.succeededFuture(
        new JsonObject()
            .put("lines", after > 0 ? new JsonArray() : lines)
            .put("next", lines.size())
            .put("skippedBytes", 0));
  }
}
