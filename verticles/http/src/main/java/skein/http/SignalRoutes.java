package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.events.Published;
import skein.http.ActivityRecords.ExecutionId;
import skein.ingress.Ingress;
import skein.messages.Request;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.WorkflowInstance;
import skein.storage.InstanceStore;

/** Takes events and the results of tasks. */
final class SignalRoutes {
  private final Ingress ingress;
  private final InstanceStore instances;

  SignalRoutes(Ingress ingress, InstanceStore instances) {
    this.ingress = ingress;
    this.instances = instances;
  }

  void addTo(Routes routes) {
    routes
        .post("/events/:eventName/trigger", this::event)
        .post("/tasks/:taskId/complete", this::task);
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

  /** Of all that wait for the event, only the execution of an activity that the request names. */
  private Future<Published> publish(
      Call call, Request.PublishEvent request, ExecutionId activity, boolean wait) {
    var instanceId = request.instanceId();
    if (instanceId != null && !instanceId.equals(activity.instanceId())) {
      throw Call.invalid("activityInstanceId is of another instance than workflowInstanceId");
    }
    var narrowed =
        new Request.PublishEvent(
            request.eventName(), request.correlationId(), activity.instanceId(), request.payload());
    return instances
        .find(activity.instanceId())
        .compose(instance ->
            call.once(ingress).publish(narrowed, bookmarks(instance, activity.execution()), wait));
  }

  /** None of an instance that is gone: a repeated request has its answer all the same. */
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

  private Future<Answer> task(Call call) {
    return call.once(ingress)
        .completeTask(new Request.CompleteTask(call.path("taskId"), call.fields().value("result")))
        .map(done -> {
          var json = InstanceJson.outcome(done);
          json.put("status", "Completed");
          return Answer.ok(json);
        });
  }
}
