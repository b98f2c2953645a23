package skein.burst;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Input;
import skein.activities.Json;
import skein.activities.TriggerActivity;
import skein.model.ErrorCode;
import skein.model.JournalEntry;
import skein.model.SkeinException;

/** The values that the journal has of the inputs of containers, and what it tells beyond them. */
final class ReplayedInputs {
  private final List<JournalEntry> entries;
  private final Map<Integer, Map<String, @Nullable Object>> byExecution = new HashMap<>();
  private int at;

  ReplayedInputs(List<JournalEntry> entries) {
    this.entries = entries;
  }

  /** From now on the entry with this index is the present one. */
  void moveTo(int index) {
    at = index;
  }

  void started(Execution execution, JournalEntry entry) {
    var inputs = Json.object(entry.data().get("state"));
    byExecution.put(execution.number, inputs == null ? Map.of() : inputs);
  }

  /** As it was evaluated at the beginning; a condition, as it must have been. */
  @Nullable Object get(Execution execution, Input input) {
    var node = execution.node;
    if (node.input(input) == null) {
      return input.defaultValue();
    }
    if (input.form() == Input.Form.LAZY) {
      if (input.typeName().equals("Boolean")) {
        return nextChild(execution) != null;
      }
      throw unknown(execution, "evaluates " + input.name() + " more than once");
    }
    if (!node.logs().showsInput(input.name()) || input.secrecy() != Input.Secrecy.NONE) {
      throw unknown(execution, "has an input " + input.name() + " that the journal hides");
    }
    var value = byExecution.getOrDefault(execution.number, Map.of()).get(input.name());
    if (JsonSize.isCut(value)) {
      throw unknown(execution, "has an input " + input.name() + " too large for the journal");
    }
    return value;
  }

  /** The activity that began it, if that can be a trigger. */
  @Nullable String startedBy(Execution execution) {
    var first = nextChild(execution);
    var child = first == null ? null : execution.node.childById(first.activityId());
    return child != null && child.activity() instanceof TriggerActivity ? child.id() : null;
  }

  /** The start of its next child. */
  private @Nullable JournalEntry nextChild(Execution execution) {
    for (var entry : entries.subList(at + 1, entries.size())) {
      if (entry.execution() == execution.number && entry.event().equals(Journal.COMPLETED)) {
        return null;
      }
      if (entry.parent() == execution.number && entry.event().equals(Journal.STARTED)) {
        return entry;
      }
    }
    return null;
  }

  static SkeinException unknown(Execution execution, String why) {
    return unknown("Activity " + execution.node.id() + " " + why);
  }

  static SkeinException unknown(String why) {
    return new SkeinException(ErrorCode.PAST_STATE_UNKNOWN, why);
  }
}
