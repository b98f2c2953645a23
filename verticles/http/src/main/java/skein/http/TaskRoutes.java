package skein.http;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.TaskPayload;
import skein.ingress.Ingress;
import skein.messages.Command.TaskAction;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.openapi.Operation;
import skein.openapi.Parameter;
import skein.openapi.Shape;
import skein.openapi.Tag;
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

  private static final Shape TASK =
      Shape.object()
          .has("taskId", Shape.ID.orNull())
          .has("title", Shape.TEXT.orNull())
          .has("description", Shape.TEXT.orNull())
          .has("form", Shape.ANY.described("A JSON Schema, or null"))
          .has("data", Shape.ANY)
          .has("assignees", Shape.listOf(Shape.TEXT).orNull())
          .has("groups", Shape.listOf(Shape.TEXT).orNull())
          .has("priority", Shape.ANY)
          .has("dueAt", Shape.INSTANT.orNull())
          .has("claimedBy", Shape.TEXT.orNull())
          .has("createdAt", Shape.INSTANT.orNull())
          .has("outcomes", Shape.listOf(Shape.TEXT).orNull())
          .has("workflowInstanceId", Shape.ID)
          .has("workflowInstanceName", Shape.TEXT.orNull())
          .has("definitionId", Shape.ID)
          .has("definitionVersionId", Shape.ID)
          .has("version", Shape.INTEGER)
          .has("correlationId", Shape.TEXT.orNull())
          .as("UserTask");

  private static final Parameter[] WHO = {
    Parameter.header("X-Skein-User", "Who acts, in place of user in the body"),
    Parameter.header("X-Skein-Groups", "Their groups with commas, in place of groups in the body")
  };

  private static final Shape ACTING =
      Shape.object().may("user", Shape.ID).may("groups", ListShapes.IDS);

  private final Ingress ingress;
  private final TaskStore tasks;

  TaskRoutes(Ingress ingress, TaskStore tasks) {
    this.ingress = ingress;
    this.tasks = tasks;
  }

  void addTo(Routes routes) {
    routes
        .get(
            "/user-tasks",
            Operation.of(Tag.USER_TASKS, "listUserTasks", "Lists open tasks")
                .takesPage()
                .takes(
                    Parameter.several("assignees", "That one of these users may perform"),
                    Parameter.several("groups", "That one of these groups may perform"),
                    Parameter.query("claimedBy", Shape.ID, "That this user has claimed"),
                    Parameter.several("definitionIds", "Only of these definitions"),
                    Parameter.query("dueBefore", Shape.INSTANT, "Only those due before"))
                .answers(ListShapes.page(TASK)),
            this::list)
        .get(
            "/user-tasks/:id",
            Operation.of(Tag.USER_TASKS, "getUserTask", "Reads an open task")
                .answers(TASK)
                .fails(ErrorCode.TASK_NOT_FOUND),
            this::find)
        .post(
            "/user-tasks/:id/claim",
            Operation.of(Tag.USER_TASKS, "claimUserTask", "Claims a task for a user")
                .takes(WHO)
                .reads(ACTING)
                .answers(InstanceShapes.TASK_DONE)
                .fails(
                    ErrorCode.TASK_NOT_FOUND,
                    ErrorCode.TASK_CLAIMED,
                    ErrorCode.TASK_NOT_YOURS,
                    ErrorCode.TASK_INVALID,
                    ErrorCode.ALREADY_RESUMED,
                    ErrorCode.INSTANCE_FINISHED),
            call -> act(call, new TaskAction.Claim(), "Claimed"))
        .post(
            "/user-tasks/:id/unclaim",
            Operation.of(Tag.USER_TASKS, "unclaimUserTask", "Gives a claimed task back")
                .takes(WHO)
                .reads(ACTING)
                .answers(InstanceShapes.TASK_DONE)
                .fails(
                    ErrorCode.TASK_NOT_FOUND,
                    ErrorCode.TASK_CLAIMED,
                    ErrorCode.TASK_NOT_YOURS,
                    ErrorCode.TASK_INVALID,
                    ErrorCode.ALREADY_RESUMED,
                    ErrorCode.INSTANCE_FINISHED),
            call -> act(call, new TaskAction.Unclaim(), "Unclaimed"))
        .post(
            "/user-tasks/:id/assign",
            Operation.of(Tag.USER_TASKS, "assignUserTask", "Hands a task to others")
                .takes(WHO)
                .reads(
                    ACTING.may(
                        "to",
                        Shape.object()
                            .may("assignees", ListShapes.IDS)
                            .may("groups", ListShapes.IDS)))
                .answers(InstanceShapes.TASK_DONE)
                .fails(
                    ErrorCode.TASK_NOT_FOUND,
                    ErrorCode.TASK_CLAIMED,
                    ErrorCode.TASK_NOT_YOURS,
                    ErrorCode.TASK_INVALID,
                    ErrorCode.ALREADY_RESUMED,
                    ErrorCode.INSTANCE_FINISHED),
            call -> act(call, assign(call), "Assigned"))
        .post(
            "/user-tasks/:id/complete",
            Operation.of(
                    Tag.USER_TASKS,
                    "completeUserTask",
                    "Completes a task with a result that fits its form")
                .takes(WHO)
                .reads(ACTING.may("result", Shape.ANY).may("outcome", Shape.ID))
                .answers(InstanceShapes.TASK_DONE)
                .fails(
                    ErrorCode.TASK_NOT_FOUND,
                    ErrorCode.TASK_CLAIMED,
                    ErrorCode.TASK_NOT_YOURS,
                    ErrorCode.TASK_INVALID,
                    ErrorCode.BOOKMARK_EXPIRED,
                    ErrorCode.ALREADY_RESUMED,
                    ErrorCode.INSTANCE_FINISHED),
            call -> act(call, complete(call), "Completed"));
  }

  private Future<Answer> list(Call call) {
    return tasks
        .page(query(call, call.queryFields()), call.scope())
        .map(page -> Answer.ok(json(page)));
  }

  /** The query for the tasks that one of several people and groups may perform. */
  static TaskStore.Query query(Call call, Fields fields) {
    var subjects = TaskCallers.subjects(call, fields);
    var claimedBy = fields.text("claimedBy");
    var window = fields.window(PAGE_SIZE);
    return new TaskStore.Query(
        subjects,
        claimedBy == null ? null : TaskPayload.claimedSubject(claimedBy),
        fields.texts("definitionId", "definitionIds"),
        fields.instant("dueBefore"),
        window.skip(),
        window.take());
  }

  static Map<String, @Nullable Object> json(TaskStore.Page page) {
    return Lists.page(page.items().stream().map(TaskRoutes::json).toList(), page.total());
  }

  private Future<Answer> find(Call call) {
    var taskId = call.path("id");
    return tasks
        .find(bookmarkId(taskId))
        .map(found -> {
          if (found == null || !TaskCallers.maySee(call, TaskPayload.of(found.task()))) {
            throw InstanceRefusals.taskNotFound(taskId);
          }
          return Answer.ok(json(found));
        });
  }

  private static BookmarkId bookmarkId(String taskId) {
    try {
      return BookmarkId.parse(taskId);
    } catch (SkeinException e) {
      throw InstanceRefusals.taskNotFound(taskId);
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
      throw BadRequest.of("\"user\" is required: who completes the task");
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
}
