package skein.exchange;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.graph.Graph;
import skein.model.InstanceId;
import skein.model.JournalEntry;

/**
 * The journal from the logs of a file: Elsa keeps what went in and out of an activity with its
 * record, we keep it with the entries.
 */
final class Records {
  private static final String LOG = "workflowExecutionLogRecords";
  private static final String EXECUTIONS = "activityExecutionRecords";

  private final InstanceId instanceId;
  private final Graph graph;
  private final ContextIds ids;
  private final List<Members> log;
  private final List<Members> executions;
  private final Map<String, Members> byId = new HashMap<>();

  /** Executions whose inputs are in an entry already: the log may have several. */
  private final Set<String> stated = new HashSet<>();

  private final Set<String> put = new HashSet<>();

  Records(Members file, InstanceId instanceId, Graph graph, ContextIds ids) {
    this.instanceId = instanceId;
    this.graph = graph;
    this.ids = ids;
    this.log = file.each(LOG);
    this.executions = file.each(EXECUTIONS);
    executions.forEach(record -> byId.put(record.required("id"), record));
  }

  /** Every id that has a number already, and those of the workflow and its root. */
  void see() {
    executions.forEach(record -> see(record.required("id"), nodeId(record)));
    for (var entry : log) {
      var id = entry.text("activityInstanceId");
      if (id != null) {
        see(id, nodeId(entry));
      }
    }
  }

  private void see(String id, String nodeId) {
    ids.see(id);
    if (ids.known(id) == null && nodeId.indexOf(':') < 0) {
      ids.fix(id, ContextIds.WORKFLOW);
    } else if (ids.known(id) == null && nodeId.equals(graph.root().nodeId())) {
      ids.fix(id, ContextIds.ROOT);
    }
  }

  private String nodeId(Members json) {
    var nodeId = json.text("activityNodeId");
    return NodePaths.here(graph, nodeId == null ? json.required("nodeId") : nodeId);
  }

  /** In order; from the records alone where the file has no log. */
  List<JournalEntry> journal() {
    var entries = new ArrayList<JournalEntry>();
    if (log.isEmpty()) {
      executions.forEach(record -> addFrom(record, entries));
    } else {
      log.forEach(json -> add(json, entries));
    }
    entries.sort(Comparator.comparing(JournalEntry::at).thenComparingLong(JournalEntry::sequence));
    var sequences = new HashSet<Long>();
    var ordered = true;
    for (var entry : entries) {
      ordered &= entry.sequence() > 0 && sequences.add(entry.sequence());
    }
    if (ordered) {
      entries.sort(Comparator.comparingLong(JournalEntry::sequence));
      return List.copyOf(entries);
    }
    var renumbered = new ArrayList<JournalEntry>();
    entries.forEach(entry -> renumbered.add(entry.numbered(renumbered.size() + 1L)));
    return List.copyOf(renumbered);
  }

  static long last(List<JournalEntry> journal) {
    return journal.isEmpty() ? 0 : journal.getLast().sequence();
  }

  private int number(@Nullable String id) {
    return id == null ? ContextIds.WORKFLOW : ids.number(id);
  }

  private void add(Members json, List<JournalEntry> into) {
    var event = json.text("eventName");
    if (event == null) {
      return; // A remark of Elsa's without an event says nothing about an activity.
    }
    var id = json.text("activityInstanceId");
    into.add(
        new JournalEntry(
            json.number("sequence", 0),
            json.requiredTime("timestamp"),
            number(id),
            number(json.text("parentActivityInstanceId")),
            json.required("activityId"),
            nodeId(json),
            json.required("activityType"),
            json.count("activityTypeVersion", 1),
            json.text("activityName"),
            event,
            json.text("message"),
            data(json, event, id == null ? null : byId.get(id))));
  }

  private Map<String, @Nullable Object> data(Members json, String event, @Nullable Members record) {
    var data = new LinkedHashMap<String, @Nullable Object>();
    if (json.get("activityState") != null) {
      data.put("state", json.get("activityState"));
    }
    switch (json.get("payload")) {
      case null -> {}
      case Map<?, ?> payload -> data.putAll(ours(Members.of(payload)));
      default -> data.put("payload", json.get("payload"));
    }
    if (record == null) {
      return data;
    }
    var id = record.required("id");
    if (event.equals("Started") && !isOurs(record) && stated.add(id)) {
      putIfAny(data, "state", record.object("activityState"));
    } else if (event.equals("Completed") && put.add(id)) {
      putIfAny(data, "outputs", record.object("outputs"));
    }
    return data;
  }

  private static void putIfAny(
      Map<String, @Nullable Object> data, String name, Map<String, @Nullable Object> values) {
    if (!values.isEmpty()) {
      data.putIfAbsent(name, values);
    }
  }

  private static Map<String, @Nullable Object> ours(Map<String, @Nullable Object> payload) {
    var outcomes = payload.remove("Outcomes");
    if (outcomes != null) {
      payload.put("outcomes", outcomes);
    }
    return payload;
  }

  /** It began here: what went in is with its entries, what came out is unless it ended in Elsa. */
  private boolean isOurs(Members record) {
    return ContextIds.isOurs(instanceId, record.required("id"));
  }

  private void addFrom(Members record, List<JournalEntry> into) {
    var started = new LinkedHashMap<String, @Nullable Object>();
    putIfAny(started, "state", record.object("activityState"));
    into.add(entry(record, "startedAt", "Started", null, started));
    var end = record.required("status");
    if (record.time("completedAt") != null && !end.equals("Running")) {
      var data = ours(Members.of(record.object("payload")));
      putIfAny(data, "outputs", record.object("outputs"));
      into.add(entry(record, "completedAt", end, record.within("exception").text("message"), data));
    }
  }

  private JournalEntry entry(
      Members record,
      String time,
      String event,
      @Nullable String message,
      Map<String, @Nullable Object> data) {
    return new JournalEntry(
        0,
        record.requiredTime(time),
        number(record.required("id")),
        ContextIds.WORKFLOW, // Elsa's records know what came before, not what is around.
        record.required("activityId"),
        nodeId(record),
        record.required("activityType"),
        record.count("activityTypeVersion", 1),
        record.text("activityName"),
        event,
        message,
        data);
  }

  /** Ours that Elsa has completed: our own entries would have their outputs. */
  private Set<String> endedElsewhere() {
    var ended = new HashSet<String>();
    for (var json : log) {
      var id = json.text("activityInstanceId");
      var data = json.get("payload") instanceof Map<?, ?> payload ? payload : Map.of();
      if (id != null && "Completed".equals(json.text("eventName"))) {
        if (data.containsKey("outputs")) {
          ended.remove(id);
        } else {
          ended.add(id);
        }
      }
    }
    return ended;
  }

  /**
   * The last outputs of each activity.
   *
   * @param known ours, to which those of what Elsa has executed are added
   */
  Map<String, @Nullable Object> results(Map<String, @Nullable Object> known) {
    var results = new LinkedHashMap<String, @Nullable Object>(known);
    var endedElsewhere = endedElsewhere();
    executions.stream()
        .filter(record -> !isOurs(record) || endedElsewhere.contains(record.required("id")))
        .filter(record -> !record.object("outputs").isEmpty())
        .sorted(Comparator.comparing(record -> record.requiredTime("startedAt")))
        .forEach(record -> {
          var nodeId = nodeId(record);
          var key = graph.user(nodeId) == null ? record.required("activityId") : nodeId;
          var outputs = new LinkedHashMap<String, @Nullable Object>();
          if (results.get(key) instanceof Map<?, ?> earlier) {
            outputs.putAll(Members.of(earlier));
          }
          outputs.putAll(record.object("outputs"));
          results.put(key, outputs);
        });
    return results;
  }
}
