package skein.exchange;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.graph.Graph;
import skein.model.ActivityExecution;
import skein.model.ActivityStatus;
import skein.model.Bookmark;
import skein.model.Counters;
import skein.model.DefinitionRef;
import skein.model.Incident;
import skein.model.InstanceId;
import skein.model.InstanceLimits;
import skein.model.JournalEntry;
import skein.model.Labels;
import skein.model.Parent;
import skein.model.StartRequest;
import skein.model.Timing;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/**
 * Builds an instance from a file that Elsa 3 exported, or from one of ours that Elsa may have
 * continued. Anything that cannot be imported is refused with {@code INVALID_REQUEST}, which names
 * the member: nothing is left out in silence.
 */
public final class StateReader {
  static final String INPUT = "input";
  static final String OUTPUT = "output";
  static final String PARENT_ID = "ParentInstanceId";
  static final String WAITS = "WaitForCompletion";
  static final String INCIDENT_TYPE = "Skein.Type";
  static final String INCIDENT_CODE = "Skein.Code";
  private static final String STATE = "workflowState";
  private static final String EXPORT_LATER = "export it when it is suspended or has ended";

  private final Members file;
  private final Members state;
  private final Members properties;

  /** Ours among the properties; empty in files of instances that Elsa started. */
  private final Members own;

  private final InstanceLimits limits;

  private StateReader(Members file, Members state, InstanceLimits limits) {
    this.limits = limits;
    this.file = file;
    this.state = state;
    this.properties = state.within("properties");
    this.own = properties.within(ContextWriter.OWN);
  }

  /** The content of a file: an instance as it is stored, and its journal. */
  public record Exchanged(WorkflowInstance instance, List<JournalEntry> journal) {}

  /** {@code file}: the JSON of an export. */
  public static StateReader of(Map<String, @Nullable Object> file, InstanceLimits limits) {
    var members = new Members(file, "");
    if (!(members.get(STATE) instanceof Map<?, ?> state)) {
      throw ImportRefusals.at(
          "WorkflowState", "it is missing: this is not the export of an instance");
    }
    var decoded = new ElsaJson(limits.stateBytesMax()).members(state);
    return new StateReader(members, new Members(decoded, "WorkflowState"), limits);
  }

  public InstanceId id() {
    return new InstanceId(state.required("id"));
  }

  /** Of Elsa's: the ids here may differ. */
  public DefinitionRef definition() {
    return new DefinitionRef(
        state.required("definitionId"),
        state.required("definitionVersionId"),
        state.count("definitionVersion", 0));
  }

  /** The instance that waits for this one, which has to be asked whether it does; else null. */
  public @Nullable InstanceId waitingParent() {
    var ours = ownParent();
    if (ours != null) {
      return ours.isSchedule() || ours.notice() == Parent.Notice.Never ? null : ours.id();
    }
    var parentId = state.text("parentWorkflowInstanceId");
    return parentId == null || !properties.flag(WAITS) ? null : new InstanceId(parentId);
  }

  /**
   * Builds the instance.
   *
   * @param graph of its definition
   * @param parent the {@link #waitingParent}; null when there is none or it is not here
   */
  public Exchanged read(Graph graph, @Nullable WorkflowInstance parent, Instant now) {
    var status = status();
    var id = id();
    var ids = new ContextIds(id, own.count("executions", 0));
    var records = new Records(file, id, graph, ids);
    records.see();
    var contexts = new Contexts(state, graph, ids);
    var numbers = new BookmarkNumbers(id, own.count("bookmarks", 0));
    var given = state.each("bookmarks");
    var kept = status == WorkflowStatus.Faulted ? own.each("shelved") : List.<Members>of();
    limits.check(
        contexts.size(), Math.max(given.size(), kept.size()), state.each("incidents").size());
    checkBegun(status, contexts.size(), given);
    given.forEach(bookmark -> numbers.see(bookmark.required("id")));
    kept.forEach(bookmark -> numbers.see(bookmark.required("id")));
    state.each("incidents").forEach(incident -> ids.see(incident.text("activityInstanceId")));
    contexts.number();
    var waiting = bookmarks(given, numbers, contexts, graph, now);
    var shelved = new ArrayList<>(bookmarks(kept, numbers, contexts, graph, now));
    var open = status.finished() ? List.<Bookmark>of() : waiting;
    if (status == WorkflowStatus.Faulted && kept.isEmpty()) {
      shelved.addAll(waiting);
    }
    var executions = contexts.executions(open);
    if (status == WorkflowStatus.Suspended) {
      Waiting.check(executions, open);
    }
    var journal = records.journal();
    var incidents = incidents(ids, graph);
    var counters =
        new Counters(
            ids.last(), numbers.last(), Math.max(own.number("journal", 0), Records.last(journal)));
    var instance =
        new WorkflowInstance(
            id,
            graph.ref(),
            status,
            1,
            labels(parent),
            timing(status),
            counters,
            status == WorkflowStatus.Pending ? pending(parent) : null,
            values(INPUT),
            values(OUTPUT),
            records.results(own.object("results")),
            executions,
            open,
            List.copyOf(shelved),
            incidents,
            own.text("fingerprint"));
    return new Exchanged(instance, journal);
  }

  private WorkflowStatus status() {
    var status = state.required("status").toLowerCase(Locale.ROOT);
    var subStatus = state.required("subStatus").toLowerCase(Locale.ROOT);
    var read =
        switch (status + "/" + subStatus) {
          case "running/pending" -> WorkflowStatus.Pending;
          case "running/suspended" -> WorkflowStatus.Suspended;
          case "finished/finished" -> WorkflowStatus.Completed;
          case "finished/faulted" -> WorkflowStatus.Faulted;
          case "finished/cancelled" -> WorkflowStatus.Cancelled;
          default ->
              throw ImportRefusals.at(
                  state.path("subStatus"),
                  "an instance that is "
                      + state.text("status")
                      + " and "
                      + state.text("subStatus")
                      + " is in the middle of its work: "
                      + EXPORT_LATER);
        };
    if (!read.finished() && !state.each("scheduledActivities").isEmpty()) {
      throw ImportRefusals.at(
          state.path("scheduledActivities"),
          "there is work that was not done when it was exported: " + EXPORT_LATER);
    }
    return read;
  }

  /** The state's, with what has no place there. */
  private Map<String, @Nullable Object> values(String member) {
    var values = new LinkedHashMap<String, @Nullable Object>(state.object(member));
    values.putAll(own.object(member));
    return values;
  }

  private void checkBegun(WorkflowStatus status, int contexts, List<Members> bookmarks) {
    if (status == WorkflowStatus.Pending && (contexts > 0 || !bookmarks.isEmpty())) {
      throw ImportRefusals.at(
          state.path(contexts > 0 ? "activityExecutionContexts" : "bookmarks"),
          "an instance that is pending has not begun");
    }
    if (status == WorkflowStatus.Suspended && contexts == 0) {
      throw ImportRefusals.at(
          state.path("activityExecutionContexts"), "nothing is under way that could wait");
    }
  }

  private Timing timing(WorkflowStatus status) {
    var createdAt = state.requiredTime("createdAt");
    var updatedAt = state.time("updatedAt");
    var finishedAt = state.time("finishedAt");
    var last = updatedAt == null ? createdAt : updatedAt;
    var end = finishedAt == null ? last : finishedAt;
    return new Timing(createdAt, last, status.finished() ? end : null);
  }

  private Labels labels(@Nullable WorkflowInstance parent) {
    return new Labels(state.text("name"), state.text("correlationId"), parent(parent));
  }

  private @Nullable Parent ownParent() {
    if (own.get("parent") == null) {
      return null;
    }
    var ours = own.within("parent");
    var execution = ours.number("execution", 0);
    var id = new InstanceId(ours.required("id"));
    if (execution == Parent.SCHEDULE) {
      return Parent.schedule(id);
    }
    try {
      return new Parent(
          id, ours.count("execution", 0), Parent.Notice.valueOf(ours.required("notice")));
    } catch (IllegalArgumentException e) {
      throw ImportRefusals.at(ours.path("notice"), "there is no such notice");
    }
  }

  /** {@code waiting}: the one that is said to wait; only its own statements are trusted. */
  private @Nullable Parent parent(@Nullable WorkflowInstance waiting) {
    var ours = ownParent();
    var waits = waitingParent();
    if (waits == null) {
      var parentId = state.text("parentWorkflowInstanceId");
      return ours != null || parentId == null
          ? ours
          : new Parent(new InstanceId(parentId), 0, Parent.Notice.Never);
    }
    var execution = waiting == null ? null : waitingExecution(waiting, ours);
    if (execution != null) {
      return new Parent(waits, execution, ours == null ? Parent.Notice.AtEnd : ours.notice());
    }
    if (status().finished()) {
      return new Parent(waits, 0, Parent.Notice.Never);
    }
    throw ImportRefusals.at(
        state.path("parentWorkflowInstanceId"),
        waiting == null
            ? "instance "
                + waits
                + " waits for its end and is not here: import that one first, or both in one archive"
            : "instance " + waits + " does not wait for its end: import it when it has ended");
  }

  /** The bookmark that names this one; else the only one that waits for several. */
  private @Nullable Integer waitingExecution(WorkflowInstance waiting, @Nullable Parent ours) {
    var id = id().value();
    var open =
        waiting.bookmarks().stream()
            .filter(bookmark -> ours == null || bookmark.execution() == ours.execution())
            .toList();
    for (var bookmark : open) {
      if (Bookmarks.awaits(bookmark, id)) {
        return bookmark.execution();
      }
    }
    var many = open.stream().filter(Bookmarks::awaitsMany).toList();
    if (many.size() == 1) {
      return many.getFirst().execution();
    }
    // An activity may wait for its children without a bookmark.
    return ours != null && open.isEmpty() && waitsWithout(waiting, ours.execution())
        ? ours.execution()
        : null;
  }

  private static boolean waitsWithout(WorkflowInstance waiting, int number) {
    return waiting.executions().stream()
        .filter(execution -> execution.number() == number)
        .anyMatch(Contexts::waitsForChildren);
  }

  private StartRequest pending(@Nullable WorkflowInstance parent) {
    var ours = own.within("pending");
    return own.get("pending") == null
        ? new StartRequest(values(INPUT), labels(parent), null, null, null)
        : new StartRequest(
            ours.object("input"),
            labels(parent),
            ours.text("triggerActivityId"),
            ours.get("stimulus"),
            ours.text("fingerprint"));
  }

  private static List<Bookmark> bookmarks(
      List<Members> given, BookmarkNumbers numbers, Contexts contexts, Graph graph, Instant now) {
    var bookmarks = new ArrayList<Bookmark>();
    for (var json : given) {
      var execution = contexts.execution(json.text("activityInstanceId"));
      if (execution == null) {
        throw ImportRefusals.at(
            json.path("activityInstanceId"), "it names none of the activityExecutionContexts");
      }
      bookmarks.add(Bookmarks.read(json, numbers.take(json), execution, graph, now));
    }
    return List.copyOf(bookmarks);
  }

  private List<Incident> incidents(ContextIds ids, Graph graph) {
    var incidents = new ArrayList<Incident>();
    for (var json : state.each("incidents")) {
      var exception = json.within("exception");
      var ours = exception.within("metadata");
      var type = ours.text(INCIDENT_TYPE);
      var execution = json.text("activityInstanceId");
      var message = json.text("message");
      incidents.add(
          new Incident(
              json.required("activityId"),
              incidentNode(json, graph),
              json.required("activityType"),
              execution == null ? ContextIds.WORKFLOW : ids.number(execution),
              type == null ? simpleName(exception.text("type")) : type,
              ours.text(INCIDENT_CODE),
              message == null ? "" : message,
              json.requiredTime("timestamp")));
    }
    return List.copyOf(incidents);
  }

  /** Elsa before 3.4 says only which activity it was. */
  private static String incidentNode(Members json, Graph graph) {
    var given = json.text("activityNodeId");
    if (given != null) {
      return NodePaths.here(graph, given);
    }
    var activityId = json.required("activityId");
    var node = graph.activity(activityId);
    return node == null ? activityId : node.nodeId();
  }

  /** The simple name of a .NET type with its namespace and assembly. */
  private static String simpleName(@Nullable String type) {
    if (type == null) {
      return "Exception";
    }
    var full = type.split(",", 2)[0].strip();
    return full.substring(full.lastIndexOf('.') + 1);
  }

  /** Whether everything that is under way can be moved on by something. */
  private static final class Waiting {
    static void check(List<ActivityExecution> executions, List<Bookmark> bookmarks) {
      var moving = new HashSet<Integer>();
      executions.forEach(execution -> moving.add(execution.parent()));
      bookmarks.forEach(bookmark -> moving.add(bookmark.execution()));
      for (var execution : executions) {
        var moved =
            moving.contains(execution.number())
                || execution.status() != ActivityStatus.Running
                || Contexts.waitsForChildren(execution);
        if (!moved) {
          throw ImportRefusals.at(
              "WorkflowState.activityExecutionContexts",
              "activity "
                  + execution.nodeId()
                  + " is under way and waits for nothing that is known here: "
                  + EXPORT_LATER);
        }
      }
    }
  }
}
