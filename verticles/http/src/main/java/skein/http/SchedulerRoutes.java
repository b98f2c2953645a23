package skein.http;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.SchedulerMetrics;
import skein.storage.SchedulerStore;
import skein.storage.TimerList;
import skein.storage.TimerShard;

/** Pending timers, and who fires them. */
final class SchedulerRoutes {
  private static final int PAGE_SIZE = 50;

  private static final Shape FIGURES =
      Shape.object()
          .has("known", Shape.COUNT)
          .has("inFlight", Shape.COUNT)
          .has("fired", Shape.COUNT)
          .has("misfired", Shape.COUNT)
          .has("failed", Shape.COUNT)
          .has("heartbeatAgeMs", Shape.INTEGER)
          .has("lagMs", Shape.INTEGER);

  private static final Shape LEADER =
      Shape.object()
          .has("shard", Shape.COUNT)
          .has("lease", Shape.TEXT)
          .has("holder", Shape.TEXT.orNull())
          .has("node", Shape.TEXT.orNull())
          .has("epoch", Shape.INTEGER.orNull())
          .has("heartbeatAgeMs", Shape.INTEGER.orNull())
          .has("expiresInMs", Shape.INTEGER.orNull())
          .has("lagMs", Shape.INTEGER);

  private static final Shape SCHEDULER =
      Shape.object()
          .has("mode", Shape.oneOf("none", "leader"))
          .has("shards", Shape.COUNT)
          .has("lagMs", Shape.INTEGER)
          .has("leaders", Shape.listOf(LEADER))
          .has(
              "nodes",
              Shape.listOf(
                  Shape.object()
                      .has("id", Shape.TEXT)
                      .has("name", Shape.TEXT)
                      .has("shards", Shape.COUNT)
                      .has("leads", Shape.COUNT)
                      .has("figures", FIGURES)));

  private static final Shape TIMER =
      Shape.object()
          .has("id", Shape.TEXT)
          .has("dueAt", Shape.INSTANT)
          .has("kind", Shape.oneOf(Timer.Kind.values()))
          .has("workflowInstanceId", Shape.TEXT)
          .has("definitionId", Shape.ID.orNull())
          .has("attempts", Shape.COUNT);

  private static final Shape TIMER_IN_FULL =
      TIMER
          .has("payload", Shape.ANY)
          .may("shard", Shape.COUNT)
          .may("holder", Shape.TEXT.orNull())
          .may("node", Shape.TEXT.orNull());

  private final SchedulerStore scheduler;
  private final TimerList timers;

  SchedulerRoutes(SchedulerStore scheduler, TimerList timers) {
    this.scheduler = scheduler;
    this.timers = timers;
  }

  void addTo(Routes routes) {
    routes
        .get(
            "/scheduler",
            Operation.of(Tag.TIMERS, "getScheduler", "Says who leads which scheduler shard")
                .answers(SCHEDULER),
            _ -> scheduler.state().map(state -> Answer.ok(json(state))))
        .get(
            "/timers",
            Operation.of(Tag.TIMERS, "listTimers", "Lists pending timers, the earliest first")
                .takesPage()
                .takes(
                    Parameter.several("kinds", "Only of these kinds"),
                    Parameter.query("workflowInstanceId", Shape.ID, "Only of this instance"),
                    Parameter.query("dueAfter", Shape.INSTANT, "Only those due after"),
                    Parameter.query("dueBefore", Shape.INSTANT, "Only those due before"))
                .answers(ListShapes.page(TIMER.as("Timer"))),
            this::list)
        .get(
            "/timers/:id",
            Operation.of(Tag.TIMERS, "getTimer", "Reads a timer, and who will fire it")
                .answers(TIMER_IN_FULL)
                .fails(ErrorCode.NOT_FOUND),
            this::find);
  }

  /** A cluster without a node that takes part fires nothing by itself. */
  static Map<String, @Nullable Object> json(SchedulerStore.State state) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("mode", state.nodes().isEmpty() ? "none" : "leader");
    json.put("shards", (long) state.shards());
    json.put("lagMs", state.lag().toMillis());
    json.put("leaders", state.leaders().stream().map(SchedulerRoutes::json).toList());
    json.put("nodes", state.nodes().stream().map(node -> json(node, state.leaders())).toList());
    return json;
  }

  private static Map<String, @Nullable Object> json(SchedulerStore.Leader leader) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    boolean held = leader.holder() != null;
    json.put("shard", (long) leader.shard().number());
    json.put("lease", leader.shard().leaseName());
    json.put("holder", leader.holder());
    json.put("node", leader.holderName());
    json.put("epoch", held ? leader.epoch() : null);
    json.put("heartbeatAgeMs", held ? leader.heartbeat().toMillis() : null);
    json.put("expiresInMs", held ? leader.expiresIn().toMillis() : null);
    json.put("lagMs", leader.lag().toMillis());
    return json;
  }

  private static Map<String, @Nullable Object> json(
      SchedulerStore.Node node, List<SchedulerStore.Leader> leaders) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", node.id());
    json.put("name", node.name());
    json.put("shards", (long) node.shards());
    json.put("leads", leaders.stream().filter(l -> node.id().equals(l.holder())).count());
    json.put("figures", json(node.metrics()));
    return json;
  }

  private static Map<String, @Nullable Object> json(SchedulerMetrics metrics) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("known", metrics.known());
    json.put("inFlight", metrics.inFlight());
    json.put("fired", metrics.fired());
    json.put("misfired", metrics.misfired());
    json.put("failed", metrics.failed());
    json.put("heartbeatAgeMs", metrics.heartbeat().toMillis());
    json.put("lagMs", metrics.lag().toMillis());
    return json;
  }

  private Future<Answer> list(Call call) {
    var fields = call.queryFields();
    var window = fields.window(PAGE_SIZE);
    var query =
        new TimerList.Query(
            kinds(fields),
            fields.instanceId("workflowInstanceId"),
            fields.instant("dueAfter"),
            fields.instant("dueBefore"),
            window.skip(),
            window.take());
    return timers
        .page(query)
        .map(page ->
            Answer.ok(
                Lists.page(
                    page.items().stream().map(SchedulerRoutes::json).toList(), page.total())));
  }

  private static List<Timer.Kind> kinds(Fields fields) {
    var kinds = new ArrayList<Timer.Kind>();
    for (var name : fields.texts("kind", "kinds")) {
      kinds.add(
          Arrays.stream(Timer.Kind.values())
              .filter(kind -> kind.name().equalsIgnoreCase(name))
              .findFirst()
              .orElseThrow(() ->
                  BadRequest.of(
                      "kind is \""
                          + name
                          + "\", not one of "
                          + Arrays.toString(Timer.Kind.values()))));
    }
    return kinds;
  }

  static Map<String, @Nullable Object> json(TimerList.Entry entry) {
    var timer = entry.timer();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", timer.id());
    json.put("dueAt", timer.dueAt().toString());
    json.put("kind", timer.kind().name());
    json.put("workflowInstanceId", timer.instanceId().value());
    json.put("definitionId", entry.definitionId());
    json.put("attempts", (long) entry.attempts());
    return json;
  }

  /** With who will fire it. */
  private Future<Answer> find(Call call) {
    var id = call.path("id");
    return timers
        .find(id)
        .compose(found -> {
          if (found == null) {
            throw new SkeinException(
                ErrorCode.NOT_FOUND, "No timer " + id + " is pending: it was fired, or never was");
          }
          return scheduler.state().map(state -> Answer.ok(json(found, state)));
        });
  }

  private static Map<String, @Nullable Object> json(
      TimerList.Entry entry, SchedulerStore.State state) {
    var json = json(entry);
    json.put("payload", entry.timer().payload());
    if (state.shards() > 0) {
      var shard = TimerShard.of(entry.timer().instanceId(), state.shards());
      var leader = state.leaders().get(shard.number());
      json.put("shard", (long) shard.number());
      json.put("holder", leader.holder());
      json.put("node", leader.holderName());
    }
    return json;
  }
}
