package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.events.Published;
import skein.http.ActivityRecords.ExecutionId;
import skein.ingress.Ingress;
import skein.messages.Request;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;
import skein.openapi.Operation;
import skein.openapi.Shape;
import skein.openapi.Tag;
import skein.storage.InstanceStore;

/** Takes events and the results of tasks. */
final class SignalRoutes {
  private final Ingress ingress;
  private final InstanceStore instances;
  private final TenantGate tenants;

  SignalRoutes(Ingress ingress, InstanceStore instances, TenantGate tenants) {
    this.tenants = tenants;
    this.ingress = ingress;
    this.instances = instances;
  }

  void addTo(Routes routes) {
    routes
        .post(
            "/events/:eventName/trigger",
            Operation.of(
                    Tag.EVENTS,
                    "publishEvent",
                    "Publishes an event to all that wait for it or start by it")
                .reads(
                    Shape.object()
                        .may("correlationId", Shape.ID)
                        .may("workflowInstanceId", Shape.ID)
                        .may("activityInstanceId", Shape.ID)
                        .may("input", Shape.ANY)
                        .may("workflowExecutionMode", Shape.oneOf("Synchronous", "Asynchronous")))
                .answers(
                    Shape.object()
                        .has("resumed", Shape.COUNT)
                        .has("started", Shape.COUNT)
                        .has("pending", Shape.COUNT)
                        .has("workflowInstanceIds", ListShapes.IDS))
                .fails(ErrorCode.STATE_TOO_LARGE),
            this::event)
        .post(
            "/tasks/:taskId/complete",
            Operation.of(Tag.EVENTS, "completeTask", "Reports the result of a task of RunTask")
                .reads(Shape.object().may("result", Shape.ANY))
                .answers(InstanceShapes.COMPLETED)
                .fails(
                    ErrorCode.TASK_INVALID,
                    ErrorCode.TASK_NOT_FOUND,
                    ErrorCode.BOOKMARK_EXPIRED,
                    ErrorCode.ALREADY_RESUMED,
                    ErrorCode.INSTANCE_FINISHED,
                    ErrorCode.INSTANCE_NOT_FOUND,
                    ErrorCode.BOOKMARK_NOT_FOUND,
                    ErrorCode.STATE_TOO_LARGE),
            this::task);
  }

  private Future<Answer> event(Call call) {
    var fields = call.fields();
    var request =
        new Request.PublishEvent(
            call.path("eventName"),
            fields.text("correlationId"),
            fields.instanceId("workflowInstanceId"),
            fields.value("input"));
    boolean wait = "Synchronous".equalsIgnoreCase(fields.text("workflowExecutionMode"));
    var activity = fields.text("activityInstanceId");
    var published =
        activity == null
            ? call.once(ingress).publish(request, wait)
            : publish(call, request, ExecutionId.parse(activity), wait);
    return published.map(SignalRoutes::published);
  }

  /** Publishes to all that wait for the event, or only to the execution that the request names. */
  private Future<Published> publish(
      Call call, Request.PublishEvent request, ExecutionId activity, boolean wait) {
    var instanceId = request.instanceId();
    if (instanceId != null && !instanceId.equals(activity.instanceId())) {
      throw BadRequest.of("activityInstanceId is of another instance than workflowInstanceId");
    }
    var narrowed =
        new Request.PublishEvent(
            request.eventName(), request.correlationId(), activity.instanceId(), request.payload());
    return instances
        .find(activity.instanceId())
        .compose(instance ->
            call.once(ingress).publish(narrowed, bookmarks(instance, activity.execution()), wait));
  }

  /** None for a deleted instance: a repeated request has its answer all the same. */
  private static Set<BookmarkId> bookmarks(@Nullable WorkflowInstance instance, int execution) {
    return instance == null
        ? Set.of()
        : instance.bookmarks().stream()
            .filter(bookmark -> bookmark.execution() == execution)
            .map(Bookmark::id)
            .collect(Collectors.toUnmodifiableSet());
  }

  private static Answer published(Published published) {
    var delivered = published.reply();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("resumed", (long) delivered.resumed());
    json.put("started", (long) delivered.started());
    json.put("pending", (long) published.pending());
    json.put("workflowInstanceIds", delivered.instances().stream().map(InstanceId::value).toList());
    return Answer.ok(json);
  }

  /** A task of an instance that came from Elsa has another id, and is looked for by tenant. */
  private Future<Void> requireOwn(Call call, String taskId) {
    try {
      BookmarkId.parse(taskId);
    } catch (SkeinException e) {
      return Future.succeededFuture();
    }
    return tenants.require(call, TenantRule.Thing.BOOKMARK, List.of(taskId));
  }

  private Future<Answer> task(Call call) {
    var taskId = call.path("taskId");
    var request = new Request.CompleteTask(taskId, call.fields().value("result"));
    return requireOwn(call, taskId)
        .compose(_ -> call.once(ingress).completeTask(request))
        .map(done -> {
          var json = InstanceJson.outcome(done);
          json.put("status", "Completed");
          return Answer.ok(json);
        });
  }
}
