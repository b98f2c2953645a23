package skein.http;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.InstanceCodec;
import skein.exchange.StateWriter;
import skein.graph.Graph;
import skein.model.JournalEntry;
import skein.model.WorkflowInstance;

/**
 * An instance as a file in the form of Elsa's, which Elsa can import and continue; beside that the
 * state as it is stored, in base 64, from which an import here restores it to the bit.
 */
record ExportedInstance(WorkflowInstance instance, List<JournalEntry> journal) {
  private static final String STATE = "exactState";
  private static final String REVISION = "revision";

  /** Elsa's reader takes the names of these members in this case alone. */
  private static final String JOURNAL = "WorkflowExecutionLogRecords";

  /** The name of the journal in files of earlier versions. */
  private static final String EARLIER_JOURNAL = "workflowExecutionLogRecords";

  /** The journal may have been read after the state: it ends where the state does. */
  static ExportedInstance of(WorkflowInstance instance, List<JournalEntry> journal) {
    var known =
        journal.stream().filter(e -> e.sequence() <= instance.counters().journal()).toList();
    return new ExportedInstance(instance, known);
  }

  /** The optional members; all unless the request says false. */
  record Parts(boolean bookmarks, boolean records, boolean log) {
    boolean needJournal() {
      return records || log;
    }

    static Parts of(Fields fields) {
      return new Parts(
          !Boolean.FALSE.equals(fields.flag("includeBookmarks")),
          !Boolean.FALSE.equals(fields.flag("includeActivityExecutionLog")),
          !Boolean.FALSE.equals(fields.flag("includeWorkflowExecutionLog")));
    }
  }

  /** {@code graph}: of its definition; null when that was deleted. */
  Map<String, @Nullable Object> toJson(Parts parts, @Nullable Graph graph) {
    var writer = new StateWriter(instance, graph);
    var status = ElsaStatus.of(instance.status());
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("WorkflowState", writer.state(status.status(), status.subStatus()));
    json.put("Bookmarks", parts.bookmarks() ? writer.bookmarks() : null);
    json.put("ActivityExecutionRecords", parts.records() ? records() : null);
    json.put(
        JOURNAL, parts.log() ? journal.stream().map(entry -> entry(entry, writer)).toList() : null);
    json.put(REVISION, instance.revision());
    json.put(STATE, Base64.getEncoder().encodeToString(InstanceCodec.encode(instance)));
    return json;
  }

  private List<Map<String, @Nullable Object>> records() {
    var records = new ArrayList<Map<String, @Nullable Object>>();
    for (var record : ActivityRecords.of(instance, journal)) {
      var json = record.toJson();
      if (json.get("exception") instanceof Map<?, ?> exception) {
        json.put("exception", StateWriter.exception(String.valueOf(exception.get("message"))));
      }
      records.add(json);
    }
    return records;
  }

  /** Elsa's table of them says whose they are in columns that cannot be empty. */
  private Map<String, @Nullable Object> entry(JournalEntry entry, StateWriter writer) {
    var ref = instance.definition();
    var json = JournalView.entry(instance.id(), entry);
    json.put("workflowDefinitionId", ref.definitionId());
    json.put("workflowDefinitionVersionId", ref.versionId());
    json.put("workflowVersion", (long) ref.version());
    json.put("activityInstanceId", writer.contextId(entry.execution()));
    return json;
  }

  /** The name of its file. */
  String fileName() {
    return "workflow-instance-" + instance.id() + ".json";
  }

  /**
   * Reads back what {@link #toJson} wrote, the journal if it is there; null when the file has no
   * exact state, because it is Elsa's own. Throws {@code INVALID_REQUEST} when it has a wrong one.
   */
  static @Nullable ExportedInstance read(Map<?, ?> json) {
    var given = json.get(STATE);
    if (given == null) {
      return null;
    }
    if (!(given instanceof String state)) {
      throw BadRequest.of(STATE + " is not base 64");
    }
    long revision = json.get(REVISION) instanceof Long number && number > 0 ? number : 1;
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(state);
    } catch (IllegalArgumentException e) {
      throw BadRequest.of(STATE + " is not base 64");
    }
    var log = json.containsKey(JOURNAL) ? json.get(JOURNAL) : json.get(EARLIER_JOURNAL);
    return new ExportedInstance(InstanceCodec.decode(bytes, revision), journal(log));
  }

  private static List<JournalEntry> journal(@Nullable Object records) {
    return switch (records) {
      case null -> List.of();
      case List<?> list ->
          list.stream()
              .map(ExportedInstance::object)
              .map(JournalView::read)
              .sorted(Comparator.comparingLong(JournalEntry::sequence))
              .toList();
      default -> throw BadRequest.of(JOURNAL + " is not a list");
    };
  }

  private static Map<?, ?> object(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw BadRequest.of(JOURNAL + " has something that is not an object");
  }
}
