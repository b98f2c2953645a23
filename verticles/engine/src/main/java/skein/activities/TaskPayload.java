package skein.activities;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A user task as the payload of its bookmark says it: {@code {taskId, title, description, form,
 * data, assignees, groups, subjects, priority, dueAt, claimedBy, createdAt, outcomes}}. A member
 * without a value is not there.
 *
 * <p>{@code subjects} are what the task is found by: {@code user:…}, {@code group:…} and {@code
 * claimed:…}; they follow from the other members.
 */
public record TaskPayload(Map<String, Object> members) {
  public static final String ASSIGNEES = "assignees";
  public static final String GROUPS = "groups";
  private static final String CLAIMED_BY = "claimedBy";
  private static final String OUTCOMES = "outcomes";
  private static final String SUBJECTS = "subjects";

  /** The task of a bookmark; a payload of another shape is a task without data. */
  public static TaskPayload of(@Nullable Object payload) {
    var members = new LinkedHashMap<String, Object>();
    var given = Json.object(payload);
    if (given != null) {
      given.forEach((name, value) -> {
        if (value != null) {
          members.put(name, value);
        }
      });
    }
    return new TaskPayload(members);
  }

  public static String userSubject(String user) {
    return "user:" + user;
  }

  public static String groupSubject(String group) {
    return "group:" + group;
  }

  public static String claimedSubject(String user) {
    return "claimed:" + user;
  }

  public @Nullable Object data() {
    return members.get("data");
  }

  /** The JSON Schema of the result; null when everything is right. */
  public @Nullable Map<String, @Nullable Object> form() {
    return Json.object(members.get("form"));
  }

  public @Nullable String claimedBy() {
    return members.get(CLAIMED_BY) instanceof String user ? user : null;
  }

  /** Those that may be chosen besides Done. */
  public List<String> outcomes() {
    return list(OUTCOMES);
  }

  /** Whether it is the user's, a group's that they are in, or open to all. */
  public boolean isFor(String user, List<String> groupsOfUser) {
    var assignees = list(ASSIGNEES);
    var groups = list(GROUPS);
    return (assignees.isEmpty() && groups.isEmpty())
        || assignees.contains(user)
        || groups.stream().anyMatch(new HashSet<>(groupsOfUser)::contains);
  }

  /** {@code user}: null gives it free. */
  public TaskPayload withClaim(@Nullable String user) {
    var next = new LinkedHashMap<>(members);
    if (user == null) {
      next.remove(CLAIMED_BY);
    } else {
      next.put(CLAIMED_BY, user);
    }
    return found(next);
  }

  /** Given to others, and free to be claimed by them. */
  public TaskPayload assigned(List<String> assignees, List<String> groups) {
    var next = new LinkedHashMap<>(members);
    next.remove(CLAIMED_BY);
    next.put(ASSIGNEES, List.copyOf(assignees));
    next.put(GROUPS, List.copyOf(groups));
    return found(next);
  }

  private static TaskPayload found(Map<String, Object> members) {
    var task = new TaskPayload(members);
    var subjects = new LinkedHashSet<String>();
    task.list(ASSIGNEES).forEach(user -> subjects.add(userSubject(user)));
    task.list(GROUPS).forEach(group -> subjects.add(groupSubject(group)));
    var claimedBy = task.claimedBy();
    if (claimedBy != null) {
      subjects.add(claimedSubject(claimedBy));
    }
    members.put(SUBJECTS, List.copyOf(subjects));
    return task;
  }

  private List<String> list(String member) {
    return texts(members.get(member));
  }

  /** The texts in a list that are not blank. */
  public static List<String> texts(@Nullable Object value) {
    var texts = new ArrayList<String>();
    for (var item : Json.list(value)) {
      if (item instanceof String text && !text.isBlank()) {
        texts.add(text);
      }
    }
    return texts;
  }
}
