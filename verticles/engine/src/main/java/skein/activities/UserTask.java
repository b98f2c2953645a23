package skein.activities;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.model.Effect;

/**
 * Gives people a task and waits until one of them has completed it. The task's id is the
 * bookmark's. What it is completed with has been checked before it gets here.
 */
final class UserTask implements Activity {
  private static final String ESCALATE = "$escalate";
  private static final String EXPIRE = "$expire";
  private static final String EXPIRED = "Expired";
  private static final String ESCALATE_TO_KEY = "escalateTo";

  private static final Input TITLE =
      Input.of("Title", "String").described("What the task is called in lists.");
  private static final Input DESCRIPTION =
      Input.of("Description", "String").edited(Editor.MULTI_LINE);
  private static final Input FORM =
      Input.of("Form", "Object")
          .edited(Editor.JSON)
          .described("The JSON Schema that the result must fit.");
  private static final Input DATA =
      Input.of("Data", "Object")
          .edited(Editor.JSON)
          .described("What the form shows at first; the result, if nothing else is sent.");
  private static final Input ASSIGNEES =
      Input.of("Assignees", "String[]").described("Users who may perform it.");
  private static final Input GROUPS =
      Input.of("Groups", "String[]").described("Groups whose members may perform it.");
  private static final Input DUE_DATE =
      Input.of("DueDate", "Object")
          .edited(Editor.SINGLE_LINE)
          .described("An instant, or a time span from now. Nothing happens by itself then.");
  private static final Input PRIORITY =
      Input.of("Priority", "Int32", 0L).described("Shown in lists.");
  private static final Input OUTCOMES =
      Input.of("Outcomes", "String[]")
          .outcomes(ActivityDescriptor.DONE, EXPIRED)
          .described("The outcomes that its user may choose from, besides Done.");
  private static final Input ESCALATE_AFTER =
      Input.of("EscalateAfter", "TimeSpan").grouped("Escalation");
  private static final Input ESCALATE_TO =
      Input.of("EscalateTo", "Object")
          .edited(Editor.JSON)
          .grouped("Escalation")
          .described("Who has it then instead: assignees and groups.");
  private static final Input EXPIRE_AFTER =
      Input.of("ExpireAfter", "TimeSpan").grouped("Escalation");

  private static final Output COMPLETED_BY = new Output("CompletedBy", "String");

  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(Stimuli.USER_TASK, "People", "Waits until people complete a task.")
          .with(
              TITLE,
              DESCRIPTION,
              FORM,
              DATA,
              ASSIGNEES,
              GROUPS,
              DUE_DATE,
              PRIORITY,
              OUTCOMES,
              ESCALATE_AFTER,
              ESCALATE_TO,
              EXPIRE_AFTER)
          .with(Output.RESULT, COMPLETED_BY)
          .withOutcomes(ActivityDescriptor.DONE, EXPIRED);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Input form() {
    return FORM;
  }

  @Override
  public Collection<String> failures(ActivityNode node) {
    return node.input(EXPIRE_AFTER) == null ? List.of() : List.of(EXPIRED);
  }

  @Override
  public @Nullable Collection<String> outcomes(ActivityNode node) {
    var chosen = node.literalTexts(OUTCOMES);
    return chosen == null
        ? null
        : Stream.concat(DESCRIPTOR.outcomes().stream(), chosen.stream()).toList();
  }

  @Override
  public void execute(ActivityContext context) {
    var taskId = context.nextBookmarkId().toString();
    var task =
        TaskPayload.of(describe(taskId, context))
            .assigned(
                SearchText.requireAll("An assignee", context.texts(ASSIGNEES)),
                SearchText.requireAll("A group", context.texts(GROUPS)));
    context.await(Wait.forStimulus(Stimuli.USER_TASK, Stimuli.userTask(taskId), task.members()));
    var escalateTo = object(context, ESCALATE_TO);
    var escalateAfter = context.duration(ESCALATE_AFTER);
    if (escalateTo != null && escalateAfter.isPositive()) {
      people(escalateTo, TaskPayload.ASSIGNEES);
      people(escalateTo, TaskPayload.GROUPS);
      context.memory().put(ESCALATE_TO_KEY, escalateTo);
      await(context, ESCALATE, "Skein.UserTask.Escalation", escalateAfter);
    }
    var expireAfter = context.duration(EXPIRE_AFTER);
    if (expireAfter.isPositive()) {
      await(context, EXPIRE, "Skein.UserTask.Expiry", expireAfter);
    }
    announce(context, task);
  }

  private static Map<String, @Nullable Object> describe(String taskId, ActivityContext context) {
    var title = context.text(TITLE);
    var dueAt = dueAt(context);
    return Json.members(
        "taskId",
        taskId,
        "title",
        title == null ? context.node().id() : title,
        "description",
        context.text(DESCRIPTION),
        "form",
        object(context, FORM),
        "data",
        context.get(DATA),
        "priority",
        context.get(PRIORITY),
        "dueAt",
        dueAt == null ? null : Wait.requireYears(dueAt).toString(),
        "createdAt",
        context.now().toString(),
        "outcomes",
        context.texts(OUTCOMES));
  }

  private static @Nullable Instant dueAt(ActivityContext context) {
    var given = context.get(DUE_DATE);
    if (given == null || given.equals("")) {
      return null;
    }
    if (given instanceof String) {
      try {
        return context.now().plus(Expressions.duration(given));
      } catch (ExpressionException e) {
        return Expressions.instant(given); // Says what is wrong where it is neither.
      }
    }
    return Expressions.instant(given);
  }

  /** An object, or text that is one; null where there is none. */
  private static @Nullable Map<String, @Nullable Object> object(
      ActivityContext context, Input input) {
    var given = context.get(input);
    if (given instanceof String text) {
      return Json.object(Expressions.convert(text, "ObjectDictionary"));
    }
    var object = Json.object(given);
    if (given != null && object == null) {
      throw new FaultException("InvalidInput", "The input " + input.name() + " is not an object");
    }
    return object;
  }

  private static void await(ActivityContext context, String tag, String name, Duration rest) {
    var dueAt = context.now().plus(rest);
    var payload = Map.<String, Object>of("resumeAt", dueAt.toString());
    context.await(Wait.until(dueAt, name, payload, context.execution()).tagged(tag));
  }

  /** Tells listeners who has a task; its content is requested separately. */
  private static void announce(ActivityContext context, TaskPayload task) {
    var notice = new LinkedHashMap<String, @Nullable Object>(task.members());
    notice.keySet().removeAll(Set.of("taskId", "form", "data", "subjects"));
    context.effect(
        new Effect.TaskRequested(
            String.valueOf(task.members().get("taskId")), Stimuli.USER_TASK, notice));
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    switch (resumption.tag()) {
      case ESCALATE -> escalate(context);
      case EXPIRE -> context.complete(EXPIRED);
      case null, default -> completed(context, resumption.input());
    }
  }

  private static void escalate(ActivityContext context) {
    var to = Json.object(context.memory().remove(ESCALATE_TO_KEY));
    if (to == null) {
      return;
    }
    var assignees = people(to, TaskPayload.ASSIGNEES);
    var groups = people(to, TaskPayload.GROUPS);
    context.rewrite(
        Stimuli.USER_TASK,
        payload -> {
          var task = TaskPayload.of(payload).assigned(assignees, groups);
          announce(context, task);
          return new LinkedHashMap<String, @Nullable Object>(task.members());
        });
  }

  private static List<String> people(Map<String, @Nullable Object> to, String member) {
    return SearchText.requireAll(
        "One of " + member + " of EscalateTo", TaskPayload.texts(Json.member(to, member)));
  }

  private static void completed(ActivityContext context, Map<String, @Nullable Object> input) {
    context.output(Output.RESULT, input.get("result"));
    context.output(COMPLETED_BY, input.get("user"));
    var outcome = Json.text(input, "outcome");
    context.complete(outcome == null ? ActivityDescriptor.DONE : outcome);
  }
}
