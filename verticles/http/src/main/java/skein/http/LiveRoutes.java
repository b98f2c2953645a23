package skein.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.identity.Requirement;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.InstanceStore;
import skein.storage.TaskStore;

/**
 * States that clients follow by server-sent events: each event is a whole state, as the API answers
 * it, sent when it has changed. Any node answers for all. {@code Last-Event-ID} names the state
 * that a client has, on whichever node it got it.
 */
final class LiveRoutes {
  static final String PATH = "/live";

  private static final int TAKE_MAX = 100;

  private final LiveFeed feed;
  private final LiveOptions options;
  private final InstanceStore instances;
  private final Overview overview;
  private final ClusterView cluster;
  private final TaskStore tasks;
  private final Gate gate;

  LiveRoutes(
      LiveFeed feed,
      LiveOptions options,
      InstanceStore instances,
      Overview overview,
      ClusterView cluster,
      TaskStore tasks,
      Gate gate) {
    this.gate = gate;
    this.feed = feed;
    this.options = options;
    this.instances = instances;
    this.overview = overview;
    this.cluster = cluster;
    this.tasks = tasks;
  }

  /** Streams live longer than other requests may. */
  static boolean isStream(@Nullable String path) {
    return (Routes.API + PATH).equals(path);
  }

  void addTo(Routes routes) {
    routes.get(
        PATH,
        Operation.of(Tag.CONSOLE, "followState", "Sends a state whenever it has changed")
            .takes(
                Parameter.needed(
                    "topic",
                    Shape.oneOf("overview", "cluster", "instance", "instances", "tasks"),
                    "What is followed; instances and tasks take the filters of their lists"),
                Parameter.query("id", Shape.ID, "The instance that is followed"),
                Parameter.header("Last-Event-ID", "The state that the caller has"))
            .answersWith("text/event-stream", "Events, each with a whole state as JSON"),
        this::follow);
  }

  private Future<Answer> follow(Call call) {
    var followed = followed(call, call.queryFields());
    var name = followed.name();
    var known = call.header("Last-Event-ID");
    feed.requireRoom(name);
    return Future.succeededFuture(
        Answer.flowing(
                "text/event-stream", response -> stream(response, name, followed.source(), known))
            .with("X-Accel-Buffering", "no"));
  }

  private Future<Void> stream(
      HttpServerResponse response, String name, LiveFeed.Source source, @Nullable String known) {
    var context = Vertx.currentContext();
    if (context == null) {
      throw new IllegalStateException("Not on an event loop");
    }
    var reader = new LiveReader(response, context, known, options.streamMax());
    var ended = reader.open();
    feed.follow(name, source, reader, ended);
    return ended;
  }

  /** A state by its name: all who follow that name are sent the same. */
  private record Followed(String name, LiveFeed.Source source) {}

  /** The permission for a topic, beside that of the stream: that of the route with its state. */
  private static Requirement needed(String topic) {
    var route =
        switch (topic) {
          case "overview" -> "/overview";
          case "cluster" -> "/cluster";
          case "tasks" -> "/user-tasks";
          default -> "/workflow-instances";
        };
    return RouteTable.of("GET", Routes.API + route).permission();
  }

  /** An invalid request is refused at once, not in the stream. */
  private Followed followed(Call call, Fields fields) {
    var topic = fields.required("topic");
    gate.require(call, needed(topic));
    return switch (topic) {
      case "overview" -> ofCluster(call, overview::read);
      case "cluster" -> ofCluster(call, cluster::read);
      case "instance" -> asked(call, instance(call, new InstanceId(fields.required("id"))));
      case "instances" -> asked(call, instances(call, fields));
      case "tasks" -> tasks(call, fields);
      default ->
          throw BadRequest.of(
              "topic is \""
                  + topic
                  + "\", not one of overview, cluster, instance, instances, tasks");
    };
  }

  private static Followed ofCluster(Call call, LiveFeed.Source source) {
    TenantGate.requireCluster(call);
    return asked(call, source);
  }

  /** The same for all callers of the tenant. */
  private static Followed asked(Call call, LiveFeed.Source source) {
    return new Followed(ofTenant(call, call.rawQuery()), source);
  }

  private static String ofTenant(Call call, String question) {
    var tenant = call.scope().owner();
    return tenant.isEmpty() ? question : tenant + " " + question;
  }

  /** The tasks that a caller may see are part of the query. */
  private Followed tasks(Call call, Fields fields) {
    var query = TaskRoutes.query(call, fields);
    requirePage(query.take(), "tasks");
    var scope = call.scope();
    return new Followed(
        ofTenant(call, tasksName(query)), () -> tasks.page(query, scope).map(TaskRoutes::json));
  }

  /** As JSON: names of users may have commas and brackets, as lists of several would have them. */
  static String tasksName(TaskStore.Query query) {
    var parts = new ArrayList<@Nullable Object>();
    parts.add(query.subjects());
    parts.add(query.claimed());
    parts.add(query.definitionIds());
    parts.add(query.dueBefore() == null ? null : query.dueBefore().toString());
    parts.add((long) query.skip());
    parts.add((long) query.take());
    return "tasks " + JsonText.print(parts);
  }

  private static void requirePage(int take, String what) {
    if (take > TAKE_MAX) {
      throw BadRequest.of(
          "take is " + take + ": a list that is followed shows at most " + TAKE_MAX + " " + what);
    }
  }

  private LiveFeed.Source instance(Call call, InstanceId id) {
    var scope = call.scope();
    var query = InstanceQueries.byIds(List.of(id.value()));
    return () ->
        instances
            .list(query, scope)
            .map(page -> {
              if (page.items().isEmpty()) {
                throw InstanceRefusals.instanceNotFound(id);
              }
              return InstanceJson.summary(page.items().getFirst(), scope.owner());
            });
  }

  private LiveFeed.Source instances(Call call, Fields fields) {
    var query = InstanceQueries.query(fields);
    if (query == null) {
      return () -> Future.succeededFuture(Lists.of(List.of()));
    }
    requirePage(query.window().take(), "instances");
    var scope = call.scope();
    return () -> instances.list(query, scope).map(page -> InstanceJson.page(page, scope));
  }
}
