package skein.node.elsa;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An instance in the form of Elsa's export.
 *
 * @param json {@code WorkflowState}, {@code Bookmarks} and the logs
 */
record InstanceFile(Map<String, @Nullable Object> json) {
  /** What Elsa's activities wait for that a cluster brings, too. */
  private static final Set<String> WAITS =
      Set.of(
          "Elsa.Event",
          "Elsa.RunTask",
          "Elsa.HttpEndpoint",
          "Elsa.Delay",
          "Elsa.Timer",
          "Elsa.Cron",
          "Elsa.StartAt",
          "Elsa.DispatchWorkflow",
          "Elsa.ExecuteWorkflow",
          "Elsa.BulkDispatchWorkflows");

  /** In the metadata of bookmarks that a cluster made. */
  private static final String OURS = "Skein.Hash";

  private static final String STATE = "workflowState";

  Map<?, ?> state() {
    return Json.object(json, STATE);
  }

  private List<Map<?, ?>> bookmarks() {
    return Json.objects(state(), "bookmarks");
  }

  /** Where it waits. */
  Set<String> places() {
    var places = new TreeSet<String>();
    bookmarks().forEach(bookmark -> places.add(Json.textOr(bookmark, "activityId")));
    return places;
  }

  /** Where it waits, by the ids of the bookmarks: an activity that waits again has another one. */
  Map<String, String> waits() {
    var waits = new TreeMap<String, String>();
    bookmarks()
        .forEach(bookmark ->
            waits.put(Json.textOr(bookmark, "id"), Json.textOr(bookmark, "activityId")));
    return waits;
  }

  /** The instance that started it; null: none did. */
  @Nullable String parent() {
    return Json.text(state(), "parentWorkflowInstanceId");
  }

  /** Whether its parent waits for its end. */
  boolean isAwaited() {
    return parent() != null && Json.flag(Json.object(state(), "properties"), "WaitForCompletion");
  }

  /** The instances whose ends it waits for, by their ids. */
  Set<String> children() {
    var children = new HashSet<String>();
    for (var bookmark : bookmarks()) {
      var child = Json.text(Json.object(bookmark, "payload"), "childInstanceId");
      if (child != null) {
        children.add(child);
      }
    }
    return children;
  }

  /** Whether it waits for the ends of all instances that it has started in one place. */
  boolean awaitsMany() {
    return bookmarks().stream()
        .anyMatch(bookmark -> Json.textOr(bookmark, "name").equals("Elsa.BulkDispatchWorkflows"));
  }

  /** Why it cannot be taken, as far as the file alone says it; null: nothing speaks against it. */
  @Nullable Refusal refusal() {
    var state = state();
    var subStatus = Json.textOr(state, "subStatus");
    if (Json.text(state, "id") == null) {
      return new Refusal(Reason.UNREADABLE, "it has no state");
    }
    boolean waits = subStatus.equals("Suspended") || subStatus.equals("Pending");
    if (!waits || Json.flag(state, "isExecuting")) {
      return new Refusal(
          Reason.INSTANCE_AT_WORK,
          "it is " + subStatus + ", and does not wait: let Elsa finish, or cancel it there");
    }
    if (!Json.objects(state, "scheduledActivities").isEmpty()) {
      return new Refusal(
          Reason.INSTANCE_AT_WORK, "activities are scheduled that Elsa has not executed");
    }
    for (var bookmark : bookmarks()) {
      var name = Json.textOr(bookmark, "name");
      boolean ours = Json.object(bookmark, "metadata").containsKey(OURS);
      if (!ours && !WAITS.contains(name)) {
        return new Refusal(
            Reason.BOOKMARK_UNSUPPORTED,
            "activity "
                + Json.textOr(bookmark, "activityId")
                + " waits for \""
                + name
                + "\", which nothing in the cluster would bring");
      }
    }
    return disagreement();
  }

  /** Elsa writes both one after the other, and may end in between. */
  private @Nullable Refusal disagreement() {
    if (Json.get(json, "bookmarks") == null) {
      return null;
    }
    var stored = ids(Json.objects(json, "bookmarks"));
    var kept = ids(bookmarks());
    return stored.equals(kept)
        ? null
        : new Refusal(
            Reason.BOOKMARKS_DISAGREE,
            "the state has the bookmarks " + kept + ", Elsa's table has " + stored);
  }

  private static Set<String> ids(List<Map<?, ?>> bookmarks) {
    var ids = new TreeSet<String>();
    bookmarks.forEach(bookmark -> ids.add(Json.textOr(bookmark, "id")));
    return ids;
  }

  /** The same, begun with a version of the cluster's. */
  InstanceFile of(VersionRef version) {
    var state = Json.copy(state());
    state.put(name(state, "definitionVersionId"), version.versionId());
    state.put(name(state, "definitionVersion"), (long) version.version());
    var file = Json.copy(json);
    file.put(name(json, STATE), state);
    return new InstanceFile(Collections.unmodifiableMap(file));
  }

  /** In the case that the object has it. */
  private static String name(Map<?, ?> json, String member) {
    var upper = Character.toUpperCase(member.charAt(0)) + member.substring(1);
    return json.containsKey(upper) ? upper : member;
  }

  /** The places, for people. */
  static String text(Set<String> places) {
    return places.isEmpty() ? "nowhere" : String.join(", ", places);
  }
}
