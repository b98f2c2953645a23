package skein.http;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.ActivityUsageStore;
import skein.storage.ActivityUsageStore.OfActivity;
import skein.storage.ActivityUsageStore.Quantiles;

/** Shows how often each activity of a definition ran, and where instances wait and fault. */
final class ActivityUsageRoute {
  private static final Duration PERIOD = Duration.ofDays(7);

  private static final Shape QUANTILES =
      Shape.object().has("p50Ms", Shape.COUNT).has("p95Ms", Shape.COUNT);

  private static final Shape SHAPE =
      Shape.object()
          .has("definitionId", Shape.ID)
          .has("version", Shape.COUNT.orNull())
          .has("since", Shape.INSTANT)
          .has("instances", Shape.COUNT)
          .has("complete", Shape.FLAG)
          .has(
              "activities",
              Shape.listOf(
                  Shape.object()
                      .has("activityId", Shape.TEXT)
                      .has("activityNodeId", Shape.TEXT)
                      .has("startedCount", Shape.COUNT)
                      .has("completedCount", Shape.COUNT)
                      .has("faultedCount", Shape.COUNT)
                      .has("cancelledCount", Shape.COUNT)
                      .has("waitingCount", Shape.COUNT)
                      .has("outcomes", Shape.mapOf(Shape.COUNT))
                      .has("duration", QUANTILES.orNull())
                      .has("wait", QUANTILES.orNull())));

  private final ActivityUsageStore store;
  private final InstantSource clock;

  ActivityUsageRoute(ActivityUsageStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  void addTo(Routes routes) {
    routes.get(
        "/workflow-definitions/:definitionId/activity-usage",
        Operation.of(
                Tag.DEFINITIONS,
                "getActivityUsage",
                "Shows how often each activity ran, and where instances wait and fault")
            .takes(
                Parameter.query("version", Shape.COUNT, "Only of instances of this version"),
                Parameter.query(
                    "since",
                    Shape.INSTANT,
                    "Only of instances that started then or later; seven days ago when absent"))
            .answers(SHAPE),
        this::read);
  }

  private Future<Answer> read(Call call) {
    var fields = call.queryFields();
    var since = fields.instant("since");
    var query =
        new ActivityUsageStore.Query(
            call.path("definitionId"),
            fields.number("version", 1, Integer.MAX_VALUE),
            since == null ? clock.instant().minus(PERIOD) : since);
    return store.usage(query).map(usage -> Answer.ok(json(query, usage)));
  }

  private static Map<String, @Nullable Object> json(
      ActivityUsageStore.Query query, ActivityUsageStore.Usage usage) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("definitionId", query.definitionId());
    json.put("version", query.version() == null ? null : (long) query.version());
    json.put("since", query.since().toString());
    json.put("instances", usage.instances());
    json.put("complete", usage.complete());
    json.put("activities", usage.activities().stream().map(ActivityUsageRoute::json).toList());
    return json;
  }

  private static Map<String, @Nullable Object> json(OfActivity activity) {
    var counts = activity.counts();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("activityId", activity.activityId());
    json.put("activityNodeId", activity.nodeId());
    json.put("startedCount", counts.started());
    json.put("completedCount", counts.completed());
    json.put("faultedCount", counts.faulted());
    json.put("cancelledCount", counts.cancelled());
    json.put("waitingCount", activity.waiting());
    json.put("outcomes", activity.outcomes());
    json.put("duration", json(activity.duration()));
    json.put("wait", json(activity.waits()));
    return json;
  }

  private static @Nullable Map<String, Object> json(@Nullable Quantiles quantiles) {
    return quantiles == null
        ? null
        : Map.of("p50Ms", quantiles.p50().toMillis(), "p95Ms", quantiles.p95().toMillis());
  }
}
