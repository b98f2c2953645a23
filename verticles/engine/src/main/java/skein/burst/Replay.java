package skein.burst;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityDescriptor;
import skein.activities.FaultException;
import skein.activities.Json;
import skein.activities.Signals;
import skein.expressions.ExpressionException;
import skein.model.ActivityStatus;
import skein.model.ErrorCode;
import skein.model.JournalEntry;
import skein.model.SkeinException;

/**
 * Makes the state that an instance had after one of its bursts out of its journal. The states
 * themselves are not kept.
 *
 * <p>Executions, variables and outputs are in the journal; the memory of containers is not, so
 * their calls are made again, in the order of the journal. Activities without others inside are not
 * called: those that had not ended begin anew in the new instance. Refuses with {@code
 * PAST_STATE_UNKNOWN} wherever the journal and the calls do not fit together, rather than guess.
 */
final class Replay {
  private static final String BREAK = "Elsa.Break";
  private static final String SET_OUTPUT = "Elsa.SetOutput";

  /** What tells nothing of the state beside its data. */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of(Journal.SUSPENDED, Journal.RESUMED, Journal.SKIPPED, "VariableModified", "DueChanged");

  private final ActivityServices services;
  private final RunState state;
  private final List<JournalEntry> entries;
  private final ReplayedInputs inputs;
  private final Set<String> given;
  private final Set<String> missing = new TreeSet<>();

  /** By execution: why its call could not be made again, which matters if it has begun others. */
  private final Map<Integer, SkeinException> notCalled = new HashMap<>();

  /** {@code given}: names of variables whose values in the journal do not matter. */
  Replay(ActivityServices services, List<JournalEntry> entries, Set<String> given) {
    this.services = services;
    this.state = services.state();
    this.entries = entries;
    this.inputs = new ReplayedInputs(entries);
    this.given = given;
  }

  void run() {
    for (int i = 0; i < entries.size(); i++) {
      inputs.moveTo(i);
      take(entries.get(i));
    }
    if (state.usage.limitPassed()) {
      throw ReplayedInputs.unknown("The state is larger than an instance may be");
    }
    if (!missing.isEmpty()) {
      throw ReplayedInputs.unknown(
          "The journal has no values of the variables "
              + String.join(", ", missing)
              + ": give them in \"variables\"");
    }
    var root = state.executions.root();
    if (root == null || !root.running()) {
      throw ReplayedInputs.unknown("The instance had ended there: choose an earlier burst");
    }
    if (nextPerform() != null) {
      throw ReplayedInputs.unknown("The burst was stopped: choose an earlier one");
    }
    for (var execution : state.executions.all()) {
      if (execution.status == ActivityStatus.Faulted && !execution.children.isEmpty()) {
        throw ReplayedInputs.unknown(execution, "was faulted there with others inside");
      }
      forgetJournaled(execution);
    }
  }

  private void take(JournalEntry entry) {
    if (entry.event().equals(Journal.STARTED)) {
      start(entry);
      return;
    }
    var execution = state.executions.get(entry.execution());
    if (execution == null) {
      throw ReplayedInputs.unknown(
          "Entry "
              + entry.sequence()
              + " of the journal ("
              + entry.event()
              + ") cannot be replayed");
    }
    takeData(execution, entry);
    switch (entry.event()) {
      case Journal.COMPLETED -> complete(execution, entry);
      case Journal.CANCELED -> state.executions.close(execution, ActivityStatus.Canceled);
      case Journal.FAULTED -> execution.status = ActivityStatus.Faulted;
      default -> {
        var retries = entry.event().equals(Attempts.RETRYING) && !holdsOthers(execution);
        if (!retries && !WITHOUT_EFFECT.contains(entry.event())) {
          throw ReplayedInputs.unknown(
              execution, "has an entry " + entry.event() + ", which cannot be replayed");
        }
      }
    }
  }

  private void start(JournalEntry entry) {
    var again = state.executions.get(entry.execution());
    if (again != null && !holdsOthers(again)) {
      again.status = ActivityStatus.Running;
      takeData(again, entry);
      return;
    }
    var work =
        entry.parent() == 0
            ? new Agenda.Work.Perform(state.graph.root(), 0, null, Map.of(), Map.of())
            : nextPerform();
    var reason = notCalled.get(entry.parent());
    if (reason != null) {
      throw reason;
    }
    if (work == null
        || work.parent() != entry.parent()
        || !work.node().nodeId().equals(entry.nodeId())
        || entry.execution() != state.executions.last() + 1) {
      throw ReplayedInputs.unknown(
          "It is not known why activity "
              + entry.activityId()
              + " began (entry "
              + entry.sequence()
              + "): after a fault handler, an alteration or a migration choose an earlier burst");
    }
    var parent = state.executions.get(work.parent());
    if (parent != null) {
      parent.queued--;
    }
    var execution = state.executions.open(work, state.in);
    takeData(execution, entry);
    inputs.started(execution, entry);
    if (holdsOthers(execution)) {
      try {
        call(execution, context -> execution.node.activity().execute(context));
      } catch (SkeinException e) {
        if (e.code() != ErrorCode.PAST_STATE_UNKNOWN) {
          throw e;
        }
        notCalled.put(execution.number, e);
      }
    }
  }

  /** As the engine takes it: what was scheduled by one that has ended is dropped. */
  private Agenda.Work.@Nullable Perform nextPerform() {
    for (var work = state.agenda.next(); work != null; work = state.agenda.next()) {
      if (work instanceof Agenda.Work.Perform perform) {
        var parent = state.executions.get(perform.parent());
        if (parent != null && parent.running()) {
          return perform;
        }
      }
    }
    return null;
  }

  static boolean holdsOthers(Execution execution) {
    return execution.node.children().values().stream().anyMatch(held -> !held.isEmpty());
  }

  private void complete(Execution execution, JournalEntry entry) {
    if (execution.node.policy().compensatedBy() != null) {
      throw ReplayedInputs.unknown(
          execution, "would have to be compensated, and when is not known");
    }
    if (execution.node.type().equals(BREAK)) {
      signalBreak(execution);
    }
    var parent = state.executions.get(execution.parent);
    var outcomes = Json.list(entry.data().get("outcomes")).stream().map(String::valueOf).toList();
    state.executions.close(execution, ActivityStatus.Completed);
    if (parent != null && parent.running()) {
      var named = outcomes.isEmpty() ? List.of(ActivityDescriptor.DONE) : outcomes;
      var child = execution.asChild();
      call(parent, context -> parent.node.activity().childCompleted(context, child, named));
    }
  }

  private void signalBreak(Execution execution) {
    for (var above : state.executions.above(execution)) {
      var context = new ReplayContext(services, above, inputs);
      if (above.node.activity().signalled(context, Signals.BREAK, null)) {
        return;
      }
    }
  }

  /** Variables and outputs that it has set. */
  private void takeData(Execution execution, JournalEntry entry) {
    var node = execution.node;
    if (!node.logs().showsInternalState()
        || node.descriptor().outputs().stream().anyMatch(o -> !node.logs().showsOutput(o.name()))) {
      throw ReplayedInputs.unknown(execution, "has data that the journal hides");
    }
    var context = new Context(services, execution);
    var outputs = Json.object(entry.data().get("outputs"));
    if (outputs != null) {
      for (var output : node.descriptor().outputs()) {
        if (outputs.containsKey(output.name())) {
          var value = outputs.get(output.name());
          if (JsonSize.isCut(value)) {
            throw ReplayedInputs.unknown(
                execution, "has an output " + output.name() + " too large for the journal");
          }
          context.output(output, value);
        }
      }
    }
    if (node.type().equals(SET_OUTPUT) && entry.data().get("state") instanceof Map<?, ?> values) {
      context.workflowOutput(String.valueOf(values.get("OutputName")), values.get("OutputValue"));
    }
    var variables = Json.object(entry.data().get("variables"));
    if (variables != null) {
      variables.forEach((name, value) -> takeVariable(execution, name, value));
    }
    forgetJournaled(execution);
  }

  private void takeVariable(Execution execution, String name, @Nullable Object value) {
    if (JsonSize.isCut(value)) {
      if (!given.contains(name)) {
        missing.add(name);
      }
      return;
    }
    missing.remove(name);
    new ExecutionScope(state, execution).setVariable(name, value);
  }

  /** It belongs to the journal of the other instance. */
  private static void forgetJournaled(Execution execution) {
    execution.state.clear();
    execution.outputs.clear();
    execution.changed.clear();
  }

  private interface Call {
    void make(ReplayContext context);
  }

  private void call(Execution execution, Call call) {
    try {
      call.make(new ReplayContext(services, execution, inputs));
    } catch (FaultException | ExpressionException e) {
      throw ReplayedInputs.unknown(execution, "has failed there: " + e.getMessage());
    }
    forgetJournaled(execution);
  }
}
