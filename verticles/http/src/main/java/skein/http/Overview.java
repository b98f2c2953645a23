package skein.http;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.InstanceQuery;
import skein.storage.InstanceQuery.Order;
import skein.storage.InstanceStore;
import skein.storage.OverviewStore;
import skein.storage.TenantScope;
import skein.storage.TimerList;
import skein.storage.ViolationStore;

/**
 * The state of the cluster at a glance: how many instances there are, what the newest did, and what
 * needs attention. Each statement that it reads has a bound that does not grow with the tables.
 */
final class Overview {
  private static final int SHOWN = 10;
  private static final Duration LATE = Duration.ofSeconds(5);

  /** The members of a node that are shown. */
  private static final Set<String> OF_NODE = Set.of("id", "name", "phase", "ready", "detail");

  private static final Shape SHAPE =
      Shape.object()
          .has("statuses", Shape.mapOf(Shape.COUNT))
          .has("timers", Shape.mapOf(Shape.COUNT))
          .has("countedAt", Shape.INSTANT.orNull())
          .has("recent", Shape.MEMBERS)
          .has("incidents", Shape.listOf(Shape.MEMBERS))
          .has("lateTimers", Shape.listOf(Shape.MEMBERS))
          .has("violations", Shape.listOf(Shape.MEMBERS))
          .has("nodes", Shape.listOf(Shape.MEMBERS));

  private final OverviewStore store;
  private final InstanceStore instances;
  private final TimerList timers;
  private final ViolationStore violations;
  private final ClusterView cluster;
  private final InstantSource clock;

  Overview(
      OverviewStore store,
      InstanceStore instances,
      TimerList timers,
      ViolationStore violations,
      ClusterView cluster,
      InstantSource clock) {
    this.store = store;
    this.instances = instances;
    this.timers = timers;
    this.violations = violations;
    this.cluster = cluster;
    this.clock = clock;
  }

  void addTo(Routes routes) {
    routes.get(
        "/overview",
        Operation.of(Tag.CONSOLE, "getOverview", "Shows what there is and what needs attention")
            .takes(
                Parameter.query(
                    "definitionId", Shape.ID, "Whose instances the series counts; all without"))
            .answers(SHAPE),
        call -> read(call.queryFields().text("definitionId")).map(Answer::ok));
  }

  /** With what all definitions did. */
  Future<Map<String, @Nullable Object>> read() {
    return read(null);
  }

  private Future<Map<String, @Nullable Object>> read(@Nullable String definitionId) {
    var counts = store.counts();
    var recent = store.recent(definitionId);
    var incidents = instances.list(withIncidents(), TenantScope.ALL);
    var late =
        timers.page(
            new TimerList.Query(List.of(), null, null, clock.instant().minus(LATE), 0, SHOWN));
    var found =
        violations.list(new ViolationStore.Query(ViolationStore.State.Open, null, 0, SHOWN));
    var nodes = cluster.nodes();
    return Future.all(List.of(counts, recent, incidents, late, found, nodes))
        .map(_ -> {
          var json = new LinkedHashMap<String, @Nullable Object>();
          json.put("statuses", counts.result().instances());
          json.put("timers", counts.result().timers());
          json.put("countedAt", text(counts.result().at()));
          json.put("recent", json(recent.result()));
          json.put(
              "incidents",
              incidents.result().items().stream()
                  .map(instance -> InstanceJson.summary(instance, ""))
                  .toList());
          json.put(
              "lateTimers", late.result().items().stream().map(SchedulerRoutes::json).toList());
          json.put(
              "violations", found.result().items().stream().map(InvariantRoutes::json).toList());
          json.put("nodes", nodes.result().stream().map(Overview::node).toList());
          return json;
        });
  }

  /** The newest first. */
  private static InstanceQuery withIncidents() {
    return new InstanceQuery(
        new InstanceQuery.Named(List.of(), List.of(), null, null, null, null),
        List.of(),
        true,
        null,
        List.of(),
        new InstanceQuery.Window(Order.Created, true, 0, SHOWN));
  }

  private static Map<String, @Nullable Object> json(OverviewStore.Recent recent) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("instances", recent.instances());
    json.put("complete", recent.complete());
    json.put("since", text(recent.since()));
    json.put("bucketSeconds", recent.bucket().toSeconds());
    json.put("definitions", recent.definitions().stream().map(Overview::json).toList());
    json.put("series", recent.series().stream().map(Overview::json).toList());
    return json;
  }

  private static Map<String, @Nullable Object> json(OverviewStore.OfDefinition one) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("definitionId", one.definitionId());
    json.put("started", one.started());
    json.put("running", one.running());
    json.put("waiting", one.waiting());
    json.put("faulted", one.faulted());
    json.put("completed", one.completed());
    json.put("incidents", one.incidents());
    json.put("lastStartedAt", one.lastStartedAt().toString());
    return json;
  }

  private static Map<String, @Nullable Object> json(OverviewStore.Bucket one) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("at", one.at().toString());
    json.put("started", one.started());
    json.put("finished", one.finished());
    json.put("faulted", one.faulted());
    return json;
  }

  private static Map<String, @Nullable Object> node(Map<String, @Nullable Object> node) {
    var json = new LinkedHashMap<String, @Nullable Object>(node);
    json.keySet().retainAll(OF_NODE);
    return json;
  }

  private static @Nullable String text(@Nullable Instant at) {
    return at == null ? null : at.toString();
  }
}
