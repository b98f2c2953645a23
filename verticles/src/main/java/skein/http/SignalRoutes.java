package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import skein.events.Published;
import skein.ingress.Ingress;
import skein.messages.Request;
import skein.model.InstanceId;

/** Takes events and the results of tasks. */
final class SignalRoutes {
  private final Ingress ingress;

  SignalRoutes(Ingress ingress) {
    this.ingress = ingress;
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
    return call.once(ingress).publish(request, wait).map(SignalRoutes::published);
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
