package skein.http;

import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.cluster.Inquiries;
import skein.cluster.LockReport;
import skein.cluster.WaitingReport;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;

/** The locks of the cluster, their holders and waiting commands; any node answers for all. */
final class LockRoutes {
  private static final int PAGE_SIZE = 100;

  private static final Shape UNREACHABLE =
      Shape.listOf(
          Shape.object()
              .has("node", Shape.TEXT)
              .has("nodeId", Shape.TEXT)
              .has("detail", Shape.TEXT));

  private static final Shape LOCKS =
      ListShapes.page(
              Shape.object()
                  .has("key", Shape.TEXT)
                  .has("kind", Shape.oneOf("instance", "shard"))
                  .has("node", Shape.TEXT)
                  .has("nodeId", Shape.TEXT)
                  .has("since", Shape.INSTANT)
                  .has("heldMs", Shape.INTEGER)
                  .has("expiresAt", Shape.INSTANT)
                  .has("expiresInMs", Shape.INTEGER)
                  .has("token", Shape.INTEGER))
          .has("provider", Shape.TEXT)
          .has("instancesLocked", Shape.COUNT)
          .has("unreachable", UNREACHABLE);

  private static final Shape WAITING =
      ListShapes.page(
              Shape.object()
                  .has("workflowInstanceId", Shape.ID)
                  .has("node", Shape.TEXT)
                  .has("nodeId", Shape.TEXT)
                  .has("commands", Shape.COUNT)
                  .has("reason", Shape.oneOf("lock", "commands"))
                  .has("since", Shape.INSTANT)
                  .has("waitedMs", Shape.INTEGER))
          .has("unreachable", UNREACHABLE);

  private final Inquiries inquiries;
  private final InstantSource clock;

  LockRoutes(Inquiries inquiries, InstantSource clock) {
    this.inquiries = inquiries;
    this.clock = clock;
  }

  void addTo(Routes routes) {
    routes
        .get(
            "/locks",
            Operation.of(Tag.CLUSTER, "listLocks", "Lists who holds which lock")
                .takesPage()
                .takes(
                    Parameter.query("kind", Shape.oneOf("instance", "shard"), "Only of this kind"),
                    Parameter.query("node", Shape.ID, "Only held by this node"),
                    Parameter.query("workflowInstanceId", Shape.ID, "Only of this instance"))
                .answers(LOCKS),
            this::list)
        .get(
            "/locks/waiting",
            Operation.of(
                    Tag.CLUSTER,
                    "listWaitingCommands",
                    "Lists the instances with the most commands that wait for their lock or for the"
                        + " commands before them")
                .answers(WAITING),
            _ -> waiting());
  }

  /** Of each node at most 20 instances, so there are no pages. */
  private Future<Answer> waiting() {
    return WaitingReport.of(inquiries)
        .map(report -> {
          var now = clock.instant();
          var items = report.instances().stream().map(found -> json(found, now)).toList();
          var json = Lists.page(items, items.size());
          json.put("unreachable", report.silent().stream().map(LockRoutes::json).toList());
          return Answer.ok(json);
        });
  }

  private static Map<String, @Nullable Object> json(WaitingReport.OfNode found, Instant now) {
    var commands = found.commands();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("workflowInstanceId", commands.id().value());
    json.put("node", found.node().name());
    json.put("nodeId", found.node().id());
    json.put("commands", (long) commands.count());
    json.put("reason", commands.reason().name().toLowerCase(Locale.ROOT));
    json.put("since", now.minus(commands.waitedFor()).toString());
    json.put("waitedMs", commands.waitedFor().toMillis());
    return json;
  }

  private Future<Answer> list(Call call) {
    var fields = call.queryFields();
    var window = fields.window(PAGE_SIZE);
    var kind = fields.text("kind");
    var node = fields.text("node");
    var instance = fields.text("workflowInstanceId");
    return LockReport.of(inquiries)
        .map(report -> {
          var now = clock.instant();
          var found =
              report.locks().stream()
                  .filter(held -> kind == null || held.lock().kind().wireName().equals(kind))
                  .filter(held -> node == null || held.node().name().equals(node))
                  .filter(
                      held -> instance == null || held.lock().key().equals("workflow:" + instance))
                  .toList();
          var page =
              found.stream()
                  .skip(window.skip())
                  .limit(window.take())
                  .map(held -> json(held, now))
                  .toList();
          var json = Lists.page(page, found.size());
          json.put("provider", report.provider());
          json.put("instancesLocked", report.instances());
          json.put("unreachable", report.silent().stream().map(LockRoutes::json).toList());
          return Answer.ok(json);
        });
  }

  private static Map<String, @Nullable Object> json(LockReport.OfNode held, Instant now) {
    var lock = held.lock();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("key", lock.key());
    json.put("kind", lock.kind().wireName());
    json.put("node", held.node().name());
    json.put("nodeId", held.node().id());
    json.put("since", now.minus(lock.heldFor()).toString());
    json.put("heldMs", lock.heldFor().toMillis());
    json.put("expiresAt", now.plus(lock.freeAfter()).toString());
    json.put("expiresInMs", lock.freeAfter().toMillis());
    json.put("token", lock.token());
    return json;
  }

  private static Map<String, @Nullable Object> json(LockReport.Silent silent) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("node", silent.node().name());
    json.put("nodeId", silent.node().id());
    json.put("detail", silent.detail());
    return json;
  }
}
