package skein.burst;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** Its end is not passed to its parent: it completes the composite that holds both. */
  private static final String COMPLETE = "Elsa.Complete";

  /** Events that change nothing but the data of their entry. */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          Journal.SUSPENDED,
          Journal.RESUMED,
          Journal.SKIPPED,
          Journal.MODIFIED,
          Journal.DUE_CHANGED,
          Journal.CHILD_ENDED);

  private final ActivityServices services;
  private final Steps steps;
  private final RunState state;
  private final List<JournalEntry> entries;
  private final ReplayedInputs inputs;
  private final ReplayedEnds ends = new ReplayedEnds();
  private final ReplayedData data;

  /** By execution: why its call could not be made again, which matters if it has begun others. */
  private final Map<Integer, SkeinException> notCalled = new HashMap<>();

  /** {@code given}: names of variables whose values in the journal do not matter. */
  Replay(ActivityServices services, Steps steps, List<JournalEntry> entries, Set<String> given) {
    this.services = services;
    this.steps = steps;
    this.state = services.state();
    this.entries = entries;
    this.inputs = new ReplayedInputs(services.evaluation(), entries);
    this.data = new ReplayedData(services, given, entries.getLast().at());
  }

  void run() {
    for (int i = 0; i < entries.size(); i++) {
      steps.replay();
      inputs.moveTo(i);
      take(entries.get(i));
    }
    if (state.usage.limitPassed()) {
      throw ReplayedInputs.unknown("The state is larger than an instance may be");
    }
    data.refuseUnlessComplete(entries.getFirst().data().containsKey(Journal.VERSION));
    var root = state.executions.root();
    if (root == null || !root.running()) {
      throw ReplayedInputs.unknown("The instance had ended there: choose an earlier burst");
    }
    if (nextPerform() != null) {
      throw ReplayedInputs.unknown("The burst was stopped: choose an earlier one");
    }
    for (var execution : state.executions.all()) {
      refuseUnlessItGoesOn(execution);
      data.forgetJournaled(execution);
    }
  }

  /** Whether the execution can go on, or begin anew, without doing again what it has done. */
  private void refuseUnlessItGoesOn(Execution execution) {
    if (execution.status == ActivityStatus.Faulted && !execution.children.isEmpty()) {
      throw ReplayedInputs.unknown(execution, "was faulted there with others inside");
    }
    if (execution.children.isEmpty() && inputs.hasBegunOthers(execution)) {
      throw ReplayedInputs.unknown(
          execution,
          "had nothing under way there, and would repeat what is over in it: choose an earlier"
              + " burst");
    }
    if (ends.isMissing(execution)) {
      throw ReplayedInputs.unknown(execution, "should have ended there");
    }
  }

  private void take(JournalEntry entry) {
    if (entry.event().equals(Journal.STARTED)) {
      start(entry);
      return;
    }
    if (entry.event().equals(Journal.MIGRATED)) {
      throw ReplayedInputs.unknown(
          "The instance was migrated before (entry "
              + entry.sequence()
              + "): choose a burst before that");
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
    if (hasDataOfItsOwn(execution, entry)) {
      data.take(execution, entry);
    }
    switch (entry.event()) {
      case Journal.COMPLETED -> complete(execution, entry);
      case Journal.CANCELED -> close(execution, ActivityStatus.Canceled);
      case Journal.FAULTED -> {
        refuseHandledFault(execution);
        execution.status = ActivityStatus.Faulted;
      }
      default -> {
        var retries = entry.event().equals(Attempts.RETRYING) && !holdsOthers(execution);
        if (!retries && !WITHOUT_EFFECT.contains(entry.event())) {
          throw ReplayedInputs.unknown(
              execution, "has an entry " + entry.event() + ", which cannot be replayed");
        }
        if (retries) {
          state.executions.declareAgain(execution); // the root may be an activity without others
        }
      }
    }
  }

  /**
   * Whether an entry has values beside those that calls which are made again have set. What a
   * container sets when it begins is in its next entry, which may be its last one: others may have
   * set the same variables since. Where its call could not be made again nothing began in it, and
   * the entries are all there is.
   */
  private boolean hasDataOfItsOwn(Execution execution, JournalEntry entry) {
    if (!holdsOthers(execution) || notCalled.containsKey(execution.number)) {
      return true;
    }
    return switch (entry.event()) {
      case Journal.RESUMED, Journal.SKIPPED, Journal.MODIFIED -> true;
      case Journal.COMPLETED -> !ends.hasCompleted(execution);
      default -> false;
    };
  }

  /** After a fault that the definition handles, only the lost state would tell what follows. */
  private void refuseHandledFault(Execution execution) {
    for (var at = execution; at.parent != 0; ) {
      var parent = state.executions.get(at.parent);
      if (parent == null) {
        return;
      }
      var context = new ReplayContext(services, parent, inputs, ends);
      if (FaultHandlers.handler(at, parent) != null
          || parent.node.activity().continuesAfterFault(context, at.asChild())) {
        throw ReplayedInputs.unknown(
            execution, "has a fault that is handled: choose an earlier burst");
      }
      at = parent;
    }
  }

  /** With all below, which must be over, but for what is faulted: its end is in no entry. */
  private void close(Execution execution, ActivityStatus status) {
    for (var below : state.executions.below(execution)) {
      if (below.running()) {
        throw ReplayedInputs.unknown(below, "is not over, unlike " + execution.node.id());
      }
      state.executions.close(below, below.status);
    }
    ends.confirm(execution);
    state.executions.close(execution, status);
  }

  private void start(JournalEntry entry) {
    var again = state.executions.get(entry.execution());
    if (again != null && !holdsOthers(again)) {
      again.status = ActivityStatus.Running;
      data.take(again, entry);
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
    if (entry.parent() == 0) {
      refuseOtherVersion(entry);
    }
    data.take(execution, entry);
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

  private void refuseOtherVersion(JournalEntry entry) {
    var version = entry.data().get(Journal.VERSION);
    if (version != null && !version.equals(state.graph.ref().versionId())) {
      throw ReplayedInputs.unknown(
          "The instance began with version "
              + version
              + " of its definition, and the journal does not say when it was migrated");
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
    if (entry.data().containsKey(Journal.OUTCOMES_LEFT_OUT)) {
      throw ReplayedInputs.unknown(execution, "has outcomes too long for the journal");
    }
    if (execution.node.type().equals(BREAK)) {
      signalBreak(execution);
    }
    var parent = state.executions.get(execution.parent);
    var outcomes = Json.list(entry.data().get("outcomes")).stream().map(String::valueOf).toList();
    close(execution, ActivityStatus.Completed);
    if (parent != null && parent.running() && !execution.node.type().equals(COMPLETE)) {
      var named = outcomes.isEmpty() ? List.of(ActivityDescriptor.DONE) : outcomes;
      var child = execution.asChild();
      call(parent, context -> parent.node.activity().childCompleted(context, child, named));
    }
  }

  private void signalBreak(Execution execution) {
    for (var above : state.executions.above(execution)) {
      var context = new ReplayContext(services, above, inputs, ends);
      if (above.node.activity().signalled(context, Signals.BREAK, null)) {
        return;
      }
    }
  }

  private interface Call {
    void make(ReplayContext context);
  }

  private void call(Execution execution, Call call) {
    try {
      call.make(new ReplayContext(services, execution, inputs, ends));
    } catch (FaultException | ExpressionException e) {
      throw ReplayedInputs.unknown(execution, "has failed there: " + e.getMessage());
    }
    data.forgetJournaled(execution);
  }
}
