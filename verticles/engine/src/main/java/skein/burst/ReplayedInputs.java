package skein.burst;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.Input;
import skein.activities.Json;
import skein.activities.TriggerActivity;
import skein.expressions.Expression;
import skein.model.ErrorCode;
import skein.model.JournalEntry;
import skein.model.SkeinException;

/** The values that the journal has of the inputs of containers, and what it tells beyond them. */
final class ReplayedInputs {
  private final Evaluation evaluation;
  private final List<JournalEntry> entries;

  /** By execution: the indexes of the entries by which its children began, in order. */
  private final Map<Integer, List<Integer>> starts = new HashMap<>();

  /** By execution: the index of the first entry that says that it has completed. */
  private final Map<Integer, Integer> completions = new HashMap<>();

  private final Map<Integer, Map<String, @Nullable Object>> byExecution = new HashMap<>();
  private int at;

  ReplayedInputs(Evaluation evaluation, List<JournalEntry> entries) {
    this.evaluation = evaluation;
    this.entries = entries;
    var begun = new HashSet<Integer>();
    for (int i = 0; i < entries.size(); i++) {
      var entry = entries.get(i);
      if (entry.event().equals(Journal.COMPLETED)) {
        completions.putIfAbsent(entry.execution(), i);
      } else if (entry.event().equals(Journal.STARTED) && begun.add(entry.execution())) {
        starts.computeIfAbsent(entry.parent(), _ -> new ArrayList<>()).add(i);
      }
    }
  }

  /** From now on the entry with this index is the present one. */
  void moveTo(int index) {
    at = index;
  }

  void started(Execution execution, JournalEntry entry) {
    var inputs = Json.object(entry.data().get("state"));
    byExecution.put(execution.number, inputs == null ? Map.of() : inputs);
  }

  /** Whether any activity has begun in it, over or not. */
  boolean hasBegunOthers(Execution execution) {
    return starts.containsKey(execution.number);
  }

  /** As it was evaluated at the beginning; a condition, as it must have been. */
  @Nullable Object get(Execution execution, Input input) {
    var node = execution.node;
    var binding = node.input(input);
    if (binding == null) {
      return input.defaultValue();
    }
    if (input.form() == Input.Form.LAZY) {
      if (!input.typeName().equals("Boolean")) {
        throw unknown(execution, "evaluates " + input.name() + " more than once");
      }
      refuseIfItMaySet(execution, binding.expression(), input.name());
      return nextChild(execution) != null;
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

  /**
   * Whether the condition of a branch must have held: what began is known. Where nothing did, a
   * branch with nothing to run was chosen, if there is one.
   */
  boolean holds(Execution execution, Expression condition, @Nullable ActivityNode branch) {
    refuseIfItMaySet(execution, condition, "the condition of a case");
    var begun = startsAfter(execution);
    return branch == null
        ? begun.isEmpty()
        : begun.stream().anyMatch(i -> entries.get(i).nodeId().equals(branch.nodeId()));
  }

  /** Variables that it sets are in a later entry, by which others may have set them, or in none. */
  private void refuseIfItMaySet(Execution execution, Expression expression, String what) {
    if (!evaluation.setsNoVariable(expression)) {
      throw unknown(execution, "may set variables where it evaluates " + what);
    }
  }

  /** The activity that began it, if that can be a trigger. */
  @Nullable String startedBy(Execution execution) {
    var first = nextChild(execution);
    var child = first == null ? null : execution.node.childById(first.activityId());
    return child != null && child.activity() instanceof TriggerActivity ? child.id() : null;
  }

  /** The start of its next child; null when it has completed before. */
  private @Nullable JournalEntry nextChild(Execution execution) {
    var next = startsAfter(execution);
    var completed = completions.getOrDefault(execution.number, Integer.MAX_VALUE);
    return next.isEmpty() || completed < next.getFirst() ? null : entries.get(next.getFirst());
  }

  private List<Integer> startsAfter(Execution execution) {
    var all = starts.getOrDefault(execution.number, List.of());
    int found = Collections.binarySearch(all, at);
    return all.subList(found < 0 ? -found - 1 : found + 1, all.size());
  }

  static SkeinException unknown(Execution execution, String why) {
    return unknown("Activity " + execution.node.id() + " " + why);
  }

  static SkeinException unknown(String why) {
    return new SkeinException(ErrorCode.PAST_STATE_UNKNOWN, why);
  }
}
