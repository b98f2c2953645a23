package skein.http;

import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.InstanceCodec;
import skein.model.JournalEntry;
import skein.model.WorkflowInstance;

/**
 * An instance as a document: the four members of Elsa's export for people and other programs, and
 * the state as it is stored, in base 64, from which an import restores it to the bit.
 */
record ExportedInstance(WorkflowInstance instance, List<JournalEntry> journal) {
  private static final String STATE = "exactState";
  private static final String REVISION = "revision";
  private static final String JOURNAL = "workflowExecutionLogRecords";

  /** The journal may have been read after the state: it ends where the state does. */
  static ExportedInstance of(WorkflowInstance instance, List<JournalEntry> journal) {
    var known =
        journal.stream().filter(e -> e.sequence() <= instance.counters().journal()).toList();
    return new ExportedInstance(instance, known);
  }

  /** Which of the longer members; all unless the request says false. */
  record Parts(boolean bookmarks, boolean records, boolean log) {
    static Parts of(Fields fields) {
      return new Parts(
          !Boolean.FALSE.equals(fields.flag("includeBookmarks")),
          !Boolean.FALSE.equals(fields.flag("includeActivityExecutionLog")),
          !Boolean.FALSE.equals(fields.flag("includeWorkflowExecutionLog")));
    }
  }

  Map<String, @Nullable Object> toJson(Parts parts) {
    var id = instance.id();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("workflowState", InstanceJson.state(instance));
    json.put(
        "bookmarks",
        parts.bookmarks()
            ? instance.bookmarks().stream().map(InstanceJson::bookmark).toList()
            : null);
    json.put(
        "activityExecutionRecords",
        parts.records()
            ? ActivityRecords.of(id, journal).stream()
                .map(ActivityRecords.ActivityRecord::toJson)
                .toList()
            : null);
    json.put(
        JOURNAL,
        parts.log() ? journal.stream().map(entry -> JournalView.entry(id, entry)).toList() : null);
    json.put(REVISION, instance.revision());
    json.put(STATE, Base64.getEncoder().encodeToString(InstanceCodec.encode(instance)));
    return json;
  }

  /** The name of its file. */
  String fileName() {
    return "workflow-instance-" + instance.id() + ".json";
  }

  /**
   * Reads back what {@link #toJson} wrote, the journal if it is there. Throws {@code
   * INVALID_REQUEST} for anything else; Elsa's own exports have no exact state.
   */
  static ExportedInstance read(Map<?, ?> json) {
    if (!(json.get(STATE) instanceof String state)) {
      throw Call.invalid(
          STATE + " is missing: only instances that were exported by Skein can be imported");
    }
    long revision = json.get(REVISION) instanceof Long given && given > 0 ? given : 1;
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(state);
    } catch (IllegalArgumentException e) {
      throw Call.invalid(STATE + " is not base 64");
    }
    return new ExportedInstance(InstanceCodec.decode(bytes, revision), journal(json.get(JOURNAL)));
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
      default -> throw Call.invalid(JOURNAL + " is not a list");
    };
  }

  private static Map<?, ?> object(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw Call.invalid(JOURNAL + " has something that is no object");
  }
}
