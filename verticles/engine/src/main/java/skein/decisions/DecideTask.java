package skein.decisions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;
import skein.activities.Json;
import skein.activities.Stimuli;
import skein.activities.TaskPayload;
import skein.burst.Burst;
import skein.forms.Form;
import skein.forms.FormLimits;
import skein.forms.InvalidFormException;
import skein.forms.StarvedCheckException;
import skein.graph.Graph;
import skein.messages.Command;
import skein.messages.Command.TaskAction;
import skein.model.AuditEntry;
import skein.model.Bookmark;
import skein.model.ErrorCode;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.model.Transition;
import skein.model.WorkflowInstance;

/**
 * Decides what is done to user tasks. All of it is one transition, with a line in the audit log,
 * also where a task is already as it is wanted: what was answered has to be in the history, or a
 * copy of the command that comes late would change what others have made of the task since.
 */
final class DecideTask {
  private final Burst burst;
  private final FormLimits forms;

  DecideTask(Burst burst, FormLimits forms) {
    this.burst = burst;
    this.forms = forms;
  }

  Decision decide(
      Command.Task command,
      WorkflowInstance current,
      @Nullable Graph graph,
      DecisionContext context) {
    var bookmark = Required.bookmark(command.bookmarkId(), current);
    if (!isTask(bookmark)) {
      throw InstanceRefusals.taskNotFound(bookmark.id().toString());
    }
    var task = TaskPayload.of(bookmark.payload());
    return switch (command.action()) {
      case TaskAction.Claim _ -> claim(command, current, bookmark, task, context);
      case TaskAction.Unclaim _ -> unclaim(command, current, bookmark, task, context);
      case TaskAction.Assign assign -> assign(assign, command, current, bookmark, task, context);
      case TaskAction.Complete(var input) -> {
        var checked = checked(bookmark, input, command.user(), command.groups());
        var transition =
            burst
                .resume(
                    Required.graph(graph),
                    current,
                    bookmark.id(),
                    checked,
                    context.answerable(),
                    context.inputs())
                .withGuard(Transition.Guard.notAfter(bookmark.expiresAt(current.bookmarks())));
        yield Decision.commit(transition.withAudit(List.of(audit("complete", command))));
      }
    };
  }

  static boolean isTask(Bookmark bookmark) {
    return bookmark.name().equals(Stimuli.USER_TASK);
  }

  static boolean hasForm(Bookmark bookmark) {
    return isTask(bookmark) && TaskPayload.of(bookmark.payload()).form() != null;
  }

  private static Decision claim(
      Command.Task command,
      WorkflowInstance current,
      Bookmark bookmark,
      TaskPayload task,
      DecisionContext context) {
    var user = named(command);
    mayAct(bookmark, task, user, command.groups());
    return changed(command, "claim", current, bookmark, task.withClaim(user), context);
  }

  private static Decision unclaim(
      Command.Task command,
      WorkflowInstance current,
      Bookmark bookmark,
      TaskPayload task,
      DecisionContext context) {
    if (task.claimedBy() != null) {
      mayAct(bookmark, task, named(command), command.groups());
    }
    return changed(command, "unclaim", current, bookmark, task.withClaim(null), context);
  }

  /** Where no user is named an administrator acts, who may take it from any user. */
  private static Decision assign(
      TaskAction.Assign assign,
      Command.Task command,
      WorkflowInstance current,
      Bookmark bookmark,
      TaskPayload task,
      DecisionContext context) {
    if (assign.assignees().isEmpty() && assign.groups().isEmpty()) {
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST, "Name at least one assignee or group to give the task to");
    }
    if (command.user() != null) {
      mayAct(bookmark, task, command.user(), command.groups());
    }
    var assigned = task.assigned(assign.assignees(), assign.groups());
    return changed(command, "assign", current, bookmark, assigned, context);
  }

  /**
   * What a task is resumed with, however the completion has reached the cluster: {@code {result,
   * outcome, user}}.
   *
   * @param input {@code result} and {@code outcome}, {@code user} and {@code groups}
   * @throws SkeinException and nothing is changed
   */
  Map<String, @Nullable Object> checked(Bookmark bookmark, Map<String, @Nullable Object> input) {
    return checked(
        bookmark, input, Json.text(input, "user"), TaskPayload.texts(input.get("groups")));
  }

  private Map<String, @Nullable Object> checked(
      Bookmark bookmark,
      Map<String, @Nullable Object> input,
      @Nullable String user,
      List<String> groups) {
    var task = TaskPayload.of(bookmark.payload());
    mayAct(bookmark, task, user, groups);
    var result = input.containsKey("result") ? input.get("result") : task.data();
    var outcome = Json.text(input, "outcome");
    var errors = new ArrayList<String>();
    if (outcome != null
        && !outcome.equals(ActivityDescriptor.DONE)
        && !task.outcomes().contains(outcome)) {
      errors.add("outcome: \"" + outcome + "\" is neither Done nor one of " + task.outcomes());
    }
    var form = task.form();
    if (form != null) {
      errors.addAll(errors(form, result));
    }
    if (!errors.isEmpty()) {
      throw InstanceRefusals.taskInvalid(bookmark.id(), errors);
    }
    var checked = new LinkedHashMap<String, @Nullable Object>();
    checked.put("result", result);
    checked.put("outcome", outcome);
    checked.put("user", user);
    return checked;
  }

  private List<String> errors(Map<String, @Nullable Object> form, @Nullable Object result) {
    try {
      return Form.of(form, forms).errors(result);
    } catch (InvalidFormException e) {
      throw new SkeinException(
          ErrorCode.DEFINITION_INVALID,
          "The form of the task cannot be used: correct the definition, and migrate or cancel the"
              + " instance",
          e.problems(),
          e);
    } catch (StarvedCheckException e) {
      throw SkeinException.starved(String.valueOf(e.getMessage()), e);
    }
  }

  /** A task that is claimed is its claimer's alone; another one that of those it was given to. */
  private static void mayAct(
      Bookmark bookmark, TaskPayload task, @Nullable String user, List<String> groups) {
    var claimedBy = task.claimedBy();
    if (claimedBy != null && !claimedBy.equals(user)) {
      throw InstanceRefusals.taskClaimed(bookmark.id(), claimedBy);
    }
    if (claimedBy == null && user != null && !task.isFor(user, groups)) {
      throw InstanceRefusals.taskNotYours(bookmark.id(), user);
    }
  }

  private static String named(Command.Task command) {
    var user = command.user();
    if (user == null || user.isBlank()) {
      throw new SkeinException(ErrorCode.INVALID_REQUEST, "`user` is required");
    }
    return user;
  }

  private static Decision changed(
      Command.Task command,
      String action,
      WorkflowInstance current,
      Bookmark bookmark,
      TaskPayload task,
      DecisionContext context) {
    var changed = bookmark.withPayload(task.members());
    return Decision.commit(
        BookmarkChange.of(current, changed, context.inputs())
            .withAudit(List.of(audit(action, command))));
  }

  private static AuditEntry audit(String action, Command.Task command) {
    return audit(action, command.bookmarkId().toString(), command.user(), command.actor(), command);
  }

  private static AuditEntry audit(
      String action,
      String bookmarkId,
      @Nullable String user,
      @Nullable String actor,
      Command command) {
    var claim = user == null ? null : "claimed:" + user;
    var who = claim == null ? actor : actor == null ? claim : claim + " (" + actor + ")";
    return new AuditEntry("task." + action, "ok", command.instanceId().value(), bookmarkId, who);
  }

  /** The line for a task that was completed by an ordinary resume. */
  static AuditEntry completed(Bookmark bookmark, @Nullable String user, Command.Resume resume) {
    var actor = resume.via() instanceof Command.Via.Token token ? token.actor() : null;
    return audit("complete", bookmark.id().toString(), user, actor, resume);
  }
}
