package skein.http;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.cluster.Cluster;
import skein.cluster.Nodes;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.SchedulerStore;

/** The cluster in one answer: nodes, who owns which part of the instances, who leads what. */
final class ClusterView {
  private final Nodes nodes;
  private final Cluster cluster;
  private final SchedulerStore scheduler;

  ClusterView(Nodes nodes, Cluster cluster, SchedulerStore scheduler) {
    this.nodes = nodes;
    this.cluster = cluster;
    this.scheduler = scheduler;
  }

  void addTo(Routes routes) {
    routes.get(
        "/cluster/partitions",
        Operation.of(Tag.CLUSTER, "listPartitions", "Lists the owner of each part of the instances")
            .answers(
                Shape.object()
                    .has("count", Shape.COUNT)
                    .has("owners", Shape.listOf(Shape.TEXT.orNull()))),
        _ -> Future.succeededFuture(Answer.ok(partitions(cluster.owners()))));
  }

  Future<Map<String, @Nullable Object>> read() {
    var found = nodes();
    var state = scheduler.state();
    return Future.all(found, state)
        .map(_ -> {
          var json = new LinkedHashMap<String, @Nullable Object>();
          json.put("nodes", found.result());
          json.put("scheduler", SchedulerRoutes.json(state.result()));
          json.put("partitions", partitions(cluster.owners()));
          return json;
        });
  }

  /** Every member, as it describes itself. */
  Future<List<Map<String, @Nullable Object>>> nodes() {
    return nodes.all().map(all -> all.stream().map(ClusterView::value).toList());
  }

  private static Map<String, @Nullable Object> value(JsonObject node) {
    return JsonText.parseObject(node.toBuffer().getBytes(), JsonLimits.STORED);
  }

  private static Map<String, @Nullable Object> partitions(List<String> owners) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("count", (long) owners.size());
    json.put("owners", owners.stream().map(owner -> owner.isEmpty() ? null : owner).toList());
    return json;
  }
}
