package skein.burst;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.activities.VariableDeclaration;
import skein.expressions.ExpressionException;
import skein.model.JournalEntry;

/** Takes variables and outputs out of the entries of a journal. */
final class ReplayedData {
  private final ActivityServices services;
  private final RunState state;
  private final Set<String> given;
  private final ReplayedActions actions;

  /** Variables that the journal has values of. */
  private final Set<Place> known = new HashSet<>();

  /** Names of variables whose last value is not in the journal. */
  private final Map<Place, String> missing = new HashMap<>();

  /** Where the value of a variable is: the execution that has it, and the id in it. */
  private record Place(int execution, String variable) {
    static Place of(ExecutionScope.Found found) {
      return new Place(found.owner().number, found.variable().id());
    }
  }

  /**
   * @param given ids or names of variables whose values in the journal do not matter
   * @param moment when the last entry that is replayed was written
   */
  ReplayedData(ActivityServices services, Set<String> given, Instant moment) {
    this.services = services;
    this.state = services.state();
    this.given = given;
    this.actions = new ReplayedActions(services, moment);
  }

  /**
   * Refuses where the journal lacks the value of a variable. To be asked at the end.
   *
   * @param fromTheStart whether it has the values that the instance was started with
   */
  void refuseUnlessComplete(boolean fromTheStart) {
    var root = state.executions.root();
    if (!fromTheStart && root != null) {
      Stream.concat(state.graph.variables().stream(), root.node.variables().stream())
          .map(variable -> new ExecutionScope.Found(root, variable))
          .filter(found -> !known.contains(Place.of(found)))
          .forEach(found -> missing.put(Place.of(found), found.variable().name()));
    }
    missing.keySet().removeIf(place -> state.executions.get(place.execution) == null);
    for (var name : given) {
      var found = ExecutionScope.nearestToRoot(state, name);
      if (found != null) {
        missing.remove(Place.of(found));
      }
    }
    missing.forEach(this::refuseUnlessItCanBeGiven);
    if (!missing.isEmpty()) {
      throw ReplayedInputs.unknown(
          "The journal has no values of the variables "
              + String.join(", ", new TreeSet<>(missing.values()))
              + ": give them in \"variables\"");
    }
  }

  private void refuseUnlessItCanBeGiven(Place place, String name) {
    var found = ExecutionScope.nearestToRoot(state, name);
    if (found == null || !place.equals(Place.of(found))) {
      throw ReplayedInputs.unknown(
          "The journal has no value of one of several variables "
              + name
              + ", and \"variables\" can give only that of the outermost: choose an earlier burst");
    }
  }

  /** Those that the execution has set, as the entry has them. */
  void take(Execution execution, JournalEntry entry) {
    var node = execution.node;
    if (!node.logs().showsInternalState()
        || node.descriptor().outputs().stream().anyMatch(o -> !node.logs().showsOutput(o.name()))) {
      throw ReplayedInputs.unknown(execution, "has data that the journal hides");
    }
    var variables = Json.object(entry.data().get("variables"));
    try {
      takeOutputs(execution, entry);
      actions.take(execution, entry);
      if (variables != null) {
        variables.forEach((name, value) -> takeVariable(execution, entry, name, value));
      }
    } catch (ExpressionException e) {
      throw ReplayedInputs.unknown(execution, "has a value that does not fit: " + e.getMessage());
    }
    forgetJournaled(execution);
  }

  private void takeOutputs(Execution execution, JournalEntry entry) {
    var outputs = Json.object(entry.data().get("outputs"));
    if (outputs == null) {
      return;
    }
    var context = new Context(services, execution);
    for (var output : execution.node.descriptor().outputs()) {
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

  private void takeVariable(
      Execution execution, JournalEntry entry, String name, @Nullable Object value) {
    var found = meant(execution, entry, name);
    var place = Place.of(found);
    var scope = new ExecutionScope(state, execution);
    known.add(place);
    if (!JsonSize.isCut(value)) {
      missing.remove(place);
      scope.restore(found, value);
      return;
    }
    missing.put(place, name);
    if (!found.owner().variables.containsKey(place.variable)) {
      scope.restore(found, null); // for a value that is given to replace
    }
  }

  /** The journal has names alone, whatever the variables were set by. */
  private ExecutionScope.Found meant(Execution execution, JournalEntry entry, String name) {
    var matching = new ExecutionScope(state, execution).matching(name);
    if (matching.size() == 1) {
      return matching.getFirst();
    }
    if (!matching.isEmpty()) {
      throw ReplayedInputs.unknown(
          execution, "has set one of several variables " + name + ": choose an earlier burst");
    }
    if (entry.parent() == 0 && entry.event().equals(Journal.STARTED)) {
      // Given by the start, and declared by nothing.
      return new ExecutionScope.Found(
          execution, new VariableDeclaration(name, name, "Object", null));
    }
    throw ReplayedInputs.unknown(
        execution, "has set a variable " + name + " that it cannot see: choose an earlier burst");
  }

  /** It belongs to the journal of the other instance. */
  void forgetJournaled(Execution execution) {
    execution.takeNoted();
  }
}
