package skein.http;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.cluster.NodeAction;
import skein.cluster.Nodes;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/** How the nodes are, and what they are asked to do with themselves; any node answers for all. */
final class ClusterRoutes {
  private final Nodes nodes;

  ClusterRoutes(Nodes nodes) {
    this.nodes = nodes;
  }

  void addTo(Routes routes) {
    routes
        .get("/cluster", _ -> list())
        .get("/cluster/nodes/:node", call -> answer(200, call, NodeAction.SHOW))
        .post("/cluster/nodes/:node/pause", call -> answer(200, call, NodeAction.PAUSE))
        .post("/cluster/nodes/:node/resume", call -> answer(200, call, NodeAction.RESUME))
        .post("/cluster/nodes/:node/drain", this::drain);
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

  private static Map<String, @Nullable Object> value(JsonObject node) {
    return JsonText.parseObject(node.toBuffer().getBytes(), JsonLimits.STORED);
  }

  /** Only begins: the node's phase says when it is done. */
  private Future<Answer> drain(Call call) {
    return answer(202, call, call.fields().isTrue("exit") ? NodeAction.STOP : NodeAction.DRAIN);
  }
}
