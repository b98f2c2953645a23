package skein.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.activities.TaskPayload;
import skein.codecs.StorableText;
import skein.identity.Caller;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * The user who works on a user task. With authentication it is the caller, with their roles as
 * groups; an application is none of the users, whatever its name. Only a caller who may see and
 * change the tasks of all may name another user. Without authentication the request names the user,
 * and a proxy that authenticates people must set it.
 */
final class TaskCallers {
  private static final String READ_ALL = "read:user-tasks:all";
  private static final String WRITE_ALL = "write:user-tasks:all";
  private static final int NAME_CHARS_MAX = 255;

  private TaskCallers() {}

  /** Null: no user is named. */
  static @Nullable String user(Call call) {
    var said = said(call);
    var caller = call.caller();
    if (isUnknown(caller) || (said != null && caller.permissions().allows(WRITE_ALL))) {
      return said;
    }
    if (said != null && !said.equals(caller.taskUser())) {
      throw others(WRITE_ALL);
    }
    return caller.taskUser();
  }

  static List<String> groups(Call call) {
    var caller = call.caller();
    return isUnknown(caller) || (said(call) != null && caller.permissions().allows(WRITE_ALL))
        ? saidGroups(call)
        : caller.roles();
  }

  private static @Nullable String said(Call call) {
    var named = call.fields().text("user");
    var header = named == null ? call.header("X-Skein-User") : named;
    return header == null || header.isBlank()
        ? null
        : StorableText.check("user", header.strip(), NAME_CHARS_MAX);
  }

  private static List<String> saidGroups(Call call) {
    var fields = call.fields();
    var header = call.header("X-Skein-Groups");
    if (fields.has("groups") || header == null) {
      return fields.texts("groups");
    }
    return Arrays.stream(header.split(",", -1))
        .map(String::strip)
        .filter(group -> !group.isEmpty())
        .map(group -> StorableText.check("groups", group, NAME_CHARS_MAX))
        .toList();
  }

  /** The filter of tasks: as requested, or as the caller may see; empty: all. */
  static List<String> subjects(Call call, Fields fields) {
    var asked = new ArrayList<String>();
    fields.texts("assignee", "assignees").forEach(u -> asked.add(TaskPayload.userSubject(u)));
    fields.texts("group", "groups").forEach(g -> asked.add(TaskPayload.groupSubject(g)));
    var caller = call.caller();
    if (isUnknown(caller) || caller.permissions().allows(READ_ALL)) {
      return asked;
    }
    var own = own(caller);
    if (!own.containsAll(asked)) {
      throw others(READ_ALL);
    }
    return asked.isEmpty() ? own : asked;
  }

  private static List<String> own(Caller caller) {
    var own = new ArrayList<String>();
    own.add(TaskPayload.userSubject(caller.taskUser()));
    caller.roles().forEach(role -> own.add(TaskPayload.groupSubject(role)));
    return own;
  }

  /** Whether the caller may see the task: their own, or one that is open to all. */
  static boolean maySee(Call call, TaskPayload task) {
    var caller = call.caller();
    return isUnknown(caller)
        || caller.permissions().allows(READ_ALL)
        || task.isFor(caller.taskUser(), caller.roles())
        || caller.taskUser().equals(task.claimedBy());
  }

  private static boolean isUnknown(Caller caller) {
    return caller instanceof Caller.Anonymous;
  }

  private static SkeinException others(String permission) {
    return new SkeinException(
        ErrorCode.FORBIDDEN,
        "The permission " + permission + " is needed to name other users or groups than one's own");
  }
}
