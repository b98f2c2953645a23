package skein.burst;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.activities.VariableDeclaration;
import skein.model.JournalEntry;

/** Takes variables and outputs out of the entries of a journal. */
final class ReplayedData {
  private static final String SET_OUTPUT = "Elsa.SetOutput";
  private static final String OUTPUT_NAME = "OutputName";
  private static final String OUTPUT_VALUE = "OutputValue";

  private final ActivityServices services;
  private final RunState state;
  private final Set<String> given;

  /** Names of variables that the journal has values of. */
  private final Set<String> known = new HashSet<>();

  /** Names of variables whose last value is not in the journal. */
  private final Set<String> missing = new TreeSet<>();

  /** {@code given}: names of variables whose values in the journal do not matter. */
  ReplayedData(ActivityServices services, Set<String> given) {
    this.services = services;
    this.state = services.state();
    this.given = given;
  }

  /**
   * Refuses where the journal lacks the value of a variable.
   *
   * @param fromTheStart whether it has the values that the instance was started with
   */
  void refuseUnlessComplete(boolean fromTheStart) {
    if (!fromTheStart) {
      Stream.concat(state.graph.variables().stream(), state.graph.root().variables().stream())
          .map(VariableDeclaration::name)
          .filter(name -> !known.contains(name))
          .forEach(missing::add);
    }
    missing.removeAll(given);
    if (!missing.isEmpty()) {
      throw ReplayedInputs.unknown(
          "The journal has no values of the variables "
              + String.join(", ", missing)
              + ": give them in \"variables\"");
    }
  }

  /** Those that the execution has set, as the entry has them. */
  void take(Execution execution, JournalEntry entry) {
    var node = execution.node;
    if (!node.logs().showsInternalState()
        || node.descriptor().outputs().stream().anyMatch(o -> !node.logs().showsOutput(o.name()))) {
      throw ReplayedInputs.unknown(execution, "has data that the journal hides");
    }
    takeOutputs(execution, entry);
    if (node.type().equals(SET_OUTPUT) && entry.event().equals(Journal.STARTED)) {
      takeWorkflowOutput(execution, entry);
    }
    var variables = Json.object(entry.data().get("variables"));
    if (variables != null) {
      variables.forEach((name, value) -> takeVariable(execution, name, value));
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

  /** By the inputs of the activity; a value that is null is in no entry. */
  private void takeWorkflowOutput(Execution execution, JournalEntry entry) {
    var logs = execution.node.logs();
    if (!logs.showsInput(OUTPUT_NAME) || !logs.showsInput(OUTPUT_VALUE)) {
      throw ReplayedInputs.unknown(execution, "has inputs that the journal hides");
    }
    var values = Json.object(entry.data().get("state"));
    if (values != null && values.get(OUTPUT_NAME) instanceof String name) {
      var value = values.get(OUTPUT_VALUE);
      if (JsonSize.isCut(value)) {
        throw ReplayedInputs.unknown(execution, "sets an output too large for the journal");
      }
      new Context(services, execution).workflowOutput(name, value);
    }
  }

  private void takeVariable(Execution execution, String name, @Nullable Object value) {
    known.add(name);
    if (JsonSize.isCut(value)) {
      missing.add(name);
      return;
    }
    missing.remove(name);
    new ExecutionScope(state, execution).setVariable(name, value);
  }

  /** It belongs to the journal of the other instance. */
  void forgetJournaled(Execution execution) {
    execution.takeNoted();
  }
}
