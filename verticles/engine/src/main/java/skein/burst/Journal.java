package skein.burst;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import skein.activities.LogPersistence;
import skein.model.DefinitionRef;
import skein.model.JournalEntry;

/** The events of a burst, in order, under Elsa's event names. */
final class Journal {
  static final String STARTED = "Started";
  static final String COMPLETED = "Completed";
  static final String FAULTED = "Faulted";
  static final String SUSPENDED = "Suspended";
  static final String RESUMED = "Resumed";
  static final String CANCELED = "Canceled";

  /** Of an instance that began with the state of another one; not one of Elsa's. */
  static final String FORKED = "Forked";

  /**
   * Of an instance that goes on with another version of its definition; not one of Elsa's. Its data
   * has {@link #FROM} and {@link #TO}.
   */
  static final String MIGRATED = "Migrated";

  /** The ids of versions. */
  static final String FROM = "fromDefinitionVersionId";

  static final String TO = "toDefinitionVersionId";

  /**
   * In the data of the first entry: the id of the version that the instance began with. It says,
   * too, that the values that variables had then are in that entry, as far as they were given.
   */
  static final String VERSION = "definitionVersionId";

  /** In the data of an entry: how many outcomes it has, where there was no room for them. */
  static final String OUTCOMES_LEFT_OUT = "outcomesLeftOut";

  static final String MODIFIED = "VariableModified";

  /** Not one of Elsa's. */
  static final String DUE_CHANGED = "DueChanged";

  /** Not one of Elsa's; followed by {@link #COMPLETED}. */
  static final String SKIPPED = "Skipped";

  /** Of an execution whose child ends while the instance is faulted; not one of Elsa's. */
  static final String CHILD_ENDED = "ChildEnded";

  /** Characters of messages and outcomes that are written whatever else there is. */
  private static final int SHORT = 1_000;

  /** What the data of an entry may have: version, inputs, outputs, variables, outcomes. */
  private static final int PARTS_MAX = 5;

  private final Instant now;
  private final List<JournalEntry> entries = new ArrayList<>();
  private final JournalLimits limits;
  private long sequence;
  private long chars;
  private int leftOut;

  Journal(Instant now, long sequence, JournalLimits limits) {
    this.now = now;
    this.limits = limits;
    this.sequence = sequence;
  }

  void add(Execution execution, String event, @Nullable String message) {
    add(execution, event, message, List.of());
  }

  /** An execution begins; that of a whole instance under the id of its version. */
  void started(Execution execution, String versionId) {
    add(execution, STARTED, null, List.of(), execution.parent == 0 ? versionId : null);
  }

  /** Says what went in and came out since the execution's last entry. */
  void add(Execution execution, String event, @Nullable String message, List<String> outcomes) {
    add(execution, event, message, outcomes, null);
  }

  private void add(
      Execution execution,
      String event,
      @Nullable String message,
      List<String> outcomes,
      @Nullable String versionId) {
    var node = execution.node;
    add(
        new JournalEntry(
            ++sequence,
            now,
            execution.number,
            execution.parent,
            node.id(),
            node.nodeId(),
            node.type(),
            node.version(),
            node.name(),
            event,
            message == null ? null : cutToFit(message),
            data(execution, outcomes, versionId)));
  }

  private Map<String, @Nullable Object> data(
      Execution execution, List<String> outcomes, @Nullable String versionId) {
    var noted = execution.takeNoted();
    if (noted == null && outcomes.isEmpty() && versionId == null) {
      return Map.of();
    }
    var data = new LinkedHashMap<String, @Nullable Object>(PARTS_MAX);
    if (versionId != null) {
      data.put(VERSION, versionId);
    }
    if (noted != null) {
      var shown = execution.node.logs();
      put(data, "state", noted.inputs(), shown, LogPersistence::showsInput);
      put(data, "outputs", noted.outputs(), shown, LogPersistence::showsOutput);
      put(data, "variables", noted.variables(), shown, (log, _) -> log.showsInternalState());
    }
    if (!outcomes.isEmpty()) {
      if (hasRoomFor(outcomes)) {
        data.put("outcomes", outcomes);
      } else {
        data.put(OUTCOMES_LEFT_OUT, (long) outcomes.size());
      }
    }
    return Collections.unmodifiableMap(data);
  }

  /** {@code values}: belong to the entry from now on. */
  private void put(
      Map<String, @Nullable Object> data,
      String name,
      Map<String, @Nullable Object> values,
      LogPersistence log,
      BiPredicate<LogPersistence, String> shows) {
    if (!values.isEmpty()) {
      for (var entries = values.entrySet().iterator(); entries.hasNext(); ) {
        var entry = entries.next();
        if (shows.test(log, entry.getKey())) {
          entry.setValue(bounded(entry.getValue()));
        } else {
          entries.remove();
        }
      }
      data.put(name, Collections.unmodifiableMap(values));
    }
  }

  private @Nullable Object bounded(@Nullable Object value) {
    var max = left();
    long size = JsonSize.of(value, max);
    chars += Math.min(max, size);
    boolean isFlat = !(value instanceof Map || value instanceof List);
    return isFlat && size <= max ? value : JsonSize.bounded(value, max);
  }

  /** The room for the next value. */
  private int left() {
    return (int) Math.min(limits.valueMax(), Math.max(0, limits.charsMax() - chars));
  }

  /** A short message is written in any case; a longer one as the values are. */
  private String cutToFit(String message) {
    if (message.length() <= SHORT) {
      return message;
    }
    var cut = cut(message, Math.max(SHORT, left()));
    chars += cut.length();
    return cut;
  }

  /** The same of outcomes, which are written whole or not at all: they are names. */
  private boolean hasRoomFor(List<String> outcomes) {
    long size = JsonSize.of(outcomes, Math.max(SHORT, left()));
    if (size <= SHORT) {
      return true;
    }
    boolean fits = size <= left();
    chars += fits ? size : 0;
    return fits;
  }

  /** Its first characters, and how many there were. */
  static String cut(String text, int max) {
    return text.length() <= max
        ? text
        : text.substring(0, max) + "… (" + text.length() + " characters)";
  }

  private void add(JournalEntry entry) {
    if (entries.size() < limits.entriesMax()) {
      entries.add(entry);
    } else {
      leftOut++;
    }
  }

  /** About the workflow itself rather than one of its activities. */
  void addForWorkflow(String event, String message) {
    addForWorkflow(event, message, Map.of());
  }

  /** The other version is the one of {@code to}. */
  void migrated(DefinitionRef from, DefinitionRef to) {
    addForWorkflow(
        MIGRATED,
        "from version " + from.version() + " to version " + to.version(),
        Map.of(FROM, from.versionId(), TO, to.versionId()));
  }

  private void addForWorkflow(String event, String message, Map<String, @Nullable Object> data) {
    add(
        new JournalEntry(
            ++sequence,
            now,
            0,
            0,
            "Workflow1",
            "Workflow1",
            "Elsa.Workflow",
            1,
            null,
            event,
            cutToFit(message),
            data));
  }

  long sequence() {
    return sequence;
  }

  /** Leaves out all but the first: ten thousand turns of an endless loop are of no use. */
  void keepFirst(int count) {
    while (entries.size() > count) {
      entries.removeLast();
      leftOut++;
    }
  }

  /**
   * To be asked once, at the end. They are numbered one after the other, as their compact form
   * needs; whatever was left out is missing before the first.
   */
  List<JournalEntry> entries() {
    if (leftOut > 0) {
      if (entries.size() >= limits.entriesMax()) {
        entries.removeLast();
        leftOut++;
      }
      addForWorkflow("LeftOut", leftOut + " entries of this burst were left out");
      long before = sequence - entries.size();
      for (int i = 0; i < entries.size(); i++) {
        entries.set(i, entries.get(i).numbered(before + i + 1));
      }
    }
    return List.copyOf(entries);
  }
}
