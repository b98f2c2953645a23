package skein.execution;

import io.vertx.core.json.JsonObject;
import skein.codecs.JsonText;
import skein.model.Effect;
import skein.model.InstanceId;

/** Tells listeners that a task waits; the bookmark is the truth. */
final class TaskNotice {
  private TaskNotice() {}

  static JsonObject of(InstanceId id, Effect.TaskRequested task) {
    var notice =
        new JsonObject()
            .put("v", 1)
            .put("workflowInstanceId", id.value())
            .put("taskId", task.taskId())
            .put("taskName", task.taskName());
    var payload = task.payload();
    return payload == null
        ? notice
        : notice.put(
            "payload", new JsonObject("{\"v\":" + JsonText.print(payload) + "}").getValue("v"));
  }
}
