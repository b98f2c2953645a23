package skein.http;

import io.vertx.core.Future;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.TaskPayload;
import skein.ingress.Ingress;
import skein.messages.Command.TaskAction;
import skein.model.BookmarkId;
import skein.model.SkeinException;
import skein.storage.TaskStore;

/** User tasks; who acts, {@link TaskCallers} knows. */
final class TaskRoutes {
  private static final int PAGE_SIZE = 50;

  /** Shown as null where the payload has no such member. */
  private static final List<String> MEMBERS =
      List.of(
          "taskId",
          "title",
          "description",
          "form",
          "data",
          "assignees",
          "groups",
          "priority",
          "dueAt",
          "claimedBy",
          "createdAt",
          "outcomes");

  private final Ingress ingress;
  private final TaskStore tasks;

  TaskRoutes(Ingress ingress, TaskStore tasks) {
    this.ingress = ingress;
    this.tasks = tasks;
  }

  void addTo(Routes routes) {
    routes
        .get("/user-tasks", this::list)
        .get("/user-tasks/:id", this::find)
        .post("/user-tasks/:id/claim", call -> act(call, new TaskAction.Claim(), "Claimed"))
        .post("/user-tasks/:id/unclaim", call -> act(call, new TaskAction.Unclaim(), "Unclaimed"))
        .post("/user-tasks/:id/assign", call -> act(call, assign(call), "Assigned"))
        .post("/user-tasks/:id/complete", call -> act(call, complete(call), "Completed"));
  }

  /** Of several people and groups: the tasks that one of them may perform. */
  private Future<Answer> list(Call call) {
    var fields = call.queryFields();
    var subjects = TaskCallers.subjects(call, fields);
    var claimedBy = fields.text("claimedBy");
    var window = fields.window(PAGE_SIZE);
    var query =
        new TaskStore.Query(
            subjects,
            claimedBy == null ? null : TaskPayload.claimedSubject(claimedBy),
            fields.texts("definitionId", "definitionIds"),
            instant("dueBefore", fields.text("dueBefore")),
            window.skip(),
            window.take());
    return tasks
        .page(query)
        .map(page ->
            Answer.ok(
                Lists.page(page.items().stream().map(TaskRoutes::json).toList(), page.total())));
  }

  private Future<Answer> find(Call call) {
    var taskId = call.path("id");
    return tasks
        .find(bookmarkId(taskId))
        .map(found -> {
          if (found == null || !TaskCallers.maySee(call, TaskPayload.of(found.task()))) {
            throw SkeinException.taskNotFound(taskId);
          }
          return Answer.ok(json(found));
        });
  }

  private static BookmarkId bookmarkId(String taskId) {
    try {
      return BookmarkId.parse(taskId);
    } catch (SkeinException e) {
      throw SkeinException.taskNotFound(taskId);
    }
  }

  private static Map<String, @Nullable Object> json(TaskStore.Task found) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    MEMBERS.forEach(member -> json.put(member, found.task().get(member)));
    json.put("workflowInstanceId", found.instanceId().value());
    json.put("workflowInstanceName", found.instanceName());
    json.put("definitionId", found.definitionId());
    json.put("definitionVersionId", found.versionId());
    json.put("version", (long) found.version());
    json.put("correlationId", found.correlationId());
    return json;
  }

  private static TaskAction assign(Call call) {
    var to = Fields.of(call.fields().object("to"));
    return new TaskAction.Assign(to.texts("assignees"), to.texts("groups"));
  }

  private static TaskAction complete(Call call) {
    var fields = call.fields();
    if (TaskCallers.user(call) == null) {
      throw Call.invalid("Say who completes the task, as \"user\"");
    }
    var input = new LinkedHashMap<String, @Nullable Object>();
    call.body()
        .forEach((name, value) -> {
          if (name.equalsIgnoreCase("result")) {
            input.put("result", value);
          }
        });
    var outcome = fields.text("outcome");
    if (outcome != null) {
      input.put("outcome", outcome);
    }
    return new TaskAction.Complete(input);
  }

  private Future<Answer> act(Call call, TaskAction action, String status) {
    var taskId = call.path("id");
    return call.once(ingress)
        .task(taskId, action, TaskCallers.user(call), TaskCallers.groups(call), call.actor())
        .map(done -> {
          var json = InstanceJson.outcome(done);
          json.put("taskId", taskId);
          json.put("status", status);
          return Answer.ok(json);
        });
  }

  private static @Nullable Instant instant(String name, @Nullable String text) {
    try {
      return text == null ? null : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw Call.invalid(name + " is \"" + text + "\", not a date and time with its offset");
    }
  }
}
