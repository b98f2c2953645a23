package skein.http;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.cluster.Inquiries;
import skein.cluster.Inquiries.Topic;
import skein.cluster.NodeAction;
import skein.cluster.Nodes;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.ErrorCode;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;

/** The state of the nodes, and actions on them; any node answers for all. */
final class ClusterRoutes {
  private static final Shape LOAD =
      Shape.object()
          .has(
              "cpu",
              Shape.NUMBER.orNull().described("The part of all processors that it used, 0 to 1"))
          .has("processors", Shape.COUNT)
          .has("heapUsedBytes", Shape.COUNT)
          .has("heapMaxBytes", Shape.COUNT)
          .has("eventLoopLagMs", Shape.COUNT.described("By how much the latest loop was late"));

  /** One that does not answer has a detail in place of most. */
  private static final Shape NODE =
      Shape.object()
          .has("id", Shape.TEXT)
          .has("name", Shape.TEXT)
          .has("phase", Shape.TEXT)
          .has("ready", Shape.FLAG)
          .may("detail", Shape.TEXT)
          .may("version", Shape.TEXT)
          .may("aside", Shape.FLAG)
          .may("tour", Shape.FLAG.described("Whether console.tour is set there"))
          .may("roles", Shape.listOf(Shape.TEXT))
          .may("cluster", Shape.TEXT)
          .may("database", Shape.TEXT.orNull())
          .may("locks", Shape.TEXT)
          .may("lanes", Shape.COUNT)
          .may("partitions", Shape.COUNT)
          .may("shards", Shape.listOf(Shape.COUNT))
          .may("load", LOAD)
          .may(
              "inFlight",
              Shape.object()
                  .has("requests", Shape.COUNT)
                  .has("commands", Shape.COUNT)
                  .has("work", Shape.COUNT))
          .as("Node");

  private static final Shape SETTINGS =
      Shape.object()
          .has(
              "items",
              Shape.listOf(
                  Shape.object()
                      .has("key", Shape.TEXT)
                      .has("value", Shape.TEXT.described("Of secrets *** where one is set"))
                      .has("origin", Shape.TEXT.described("Where it is written"))
                      .has("isDefault", Shape.FLAG)));

  private static final Shape LOG =
      Shape.object()
          .has("lines", Shape.listOf(Shape.TEXT))
          .has("next", Shape.COUNT.described("Where to continue reading"))
          .has(
              "skippedBytes",
              Shape.COUNT.described("What was written since \"after\" and is no longer kept"));

  private static final Parameter AFTER =
      Parameter.query(
          "after", Shape.COUNT, "\"next\" of the answer before; the newest lines without");

  private final Nodes nodes;
  private final Inquiries inquiries;

  ClusterRoutes(Nodes nodes, Inquiries inquiries) {
    this.nodes = nodes;
    this.inquiries = inquiries;
  }

  void addTo(Routes routes) {
    routes
        .get(
            "/cluster",
            Operation.of(Tag.CLUSTER, "listNodes", "Lists the nodes and how they are")
                .answers(Shape.object().has("nodes", Shape.listOf(NODE)).has("ready", Shape.COUNT)),
            _ -> list())
        .get(
            "/cluster/nodes/:node",
            Operation.of(Tag.CLUSTER, "getNode", "Says how a node is")
                .answers(NODE)
                .fails(ErrorCode.NODE_NOT_FOUND),
            call -> answer(200, call, NodeAction.SHOW))
        .get(
            "/cluster/nodes/:node/settings",
            Operation.of(
                    Tag.CLUSTER,
                    "getNodeSettings",
                    "Lists the settings of a node and where each comes from")
                .answers(SETTINGS)
                .fails(ErrorCode.NODE_NOT_FOUND),
            call -> ask(call, Topic.SETTINGS, new JsonObject()))
        .get(
            "/cluster/nodes/:node/log",
            Operation.of(Tag.CLUSTER, "getNodeLog", "Reads the last lines of a node's log")
                .takes(AFTER)
                .answers(LOG)
                .fails(ErrorCode.NODE_NOT_FOUND),
            this::log)
        .post(
            "/cluster/nodes/:node/pause",
            Operation.of(Tag.CLUSTER, "pauseNode", "Lets a node begin nothing new")
                .answers(200, NODE)
                .fails(ErrorCode.NODE_NOT_FOUND, ErrorCode.LAST_NODE, ErrorCode.NODE_BUSY),
            call -> answer(200, call, NodeAction.PAUSE))
        .post(
            "/cluster/nodes/:node/resume",
            Operation.of(Tag.CLUSTER, "resumeNode", "Ends a pause")
                .answers(200, NODE)
                .fails(ErrorCode.NODE_NOT_FOUND, ErrorCode.LAST_NODE, ErrorCode.NODE_BUSY),
            call -> answer(200, call, NodeAction.RESUME))
        .post(
            "/cluster/nodes/:node/drain",
            Operation.of(
                    Tag.CLUSTER, "drainNode", "Has a node end its work; its phase says when it has")
                .reads(
                    Shape.object().may("exit", Shape.FLAG.described("True ends its process, too")))
                .answers(202, NODE)
                .fails(ErrorCode.NODE_NOT_FOUND, ErrorCode.LAST_NODE, ErrorCode.NODE_BUSY),
            this::drain)
        .post(
            "/cluster/nodes/:node/kill",
            Operation.of(
                    Tag.CLUSTER,
                    "killNode",
                    "Ends the process of a node as a crash would, where console.tour is set")
                .answers(202, NODE)
                .fails(ErrorCode.NODE_NOT_FOUND, ErrorCode.LAST_NODE),
            call -> answer(202, call, NodeAction.KILL));
  }

  private Future<Answer> list() {
    return nodes
        .all()
        .map(found -> {
          var json = new LinkedHashMap<String, @Nullable Object>();
          json.put("nodes", found.stream().map(ClusterRoutes::value).toList());
          json.put("ready", found.stream().filter(node -> node.getBoolean("ready")).count());
          return Answer.ok(json);
        });
  }

  private Future<Answer> answer(int status, Call call, NodeAction action) {
    return nodes.tell(call.path("node"), action).map(node -> Answer.json(status, value(node)));
  }

  private Future<Answer> ask(Call call, Topic topic, JsonObject question) {
    return inquiries
        .one(topic, nodes.find(call.path("node")), question)
        .map(json -> Answer.ok(value(json)));
  }

  private Future<Answer> log(Call call) {
    var after = call.queryFields().longNumber("after", 0, Long.MAX_VALUE);
    return ask(
        call, Topic.LOG, after == null ? new JsonObject() : new JsonObject().put("after", after));
  }

  private static Map<String, @Nullable Object> value(JsonObject node) {
    return JsonText.parseObject(node.toBuffer().getBytes(), JsonLimits.STORED);
  }

  /** Only begins: the node's phase says when it is done. */
  private Future<Answer> drain(Call call) {
    return answer(202, call, call.fields().isTrue("exit") ? NodeAction.STOP : NodeAction.DRAIN);
  }
}
