package skein.burst;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.model.JournalEntry;

/**
 * What activities have done that only their inputs tell: outputs of the workflow, local events. It
 * is done once they complete, unless they are skipped.
 */
final class ReplayedActions {
  private static final String SET_OUTPUT = "Elsa.SetOutput";
  private static final String OUTPUT_NAME = "OutputName";
  private static final String OUTPUT_VALUE = "OutputValue";

  private static final String PUBLISH_EVENT = "Elsa.PublishEvent";
  private static final String IS_LOCAL = "IsLocalEvent";

  private final ActivityServices services;
  private final Instant moment;

  /** By execution: the inputs with which it has begun, until it completes, fails or is skipped. */
  private final Map<Integer, Map<String, @Nullable Object>> begun = new HashMap<>();

  /** {@code moment}: when the last entry that is replayed was written. */
  ReplayedActions(ActivityServices services, Instant moment) {
    this.services = services;
    this.moment = moment;
  }

  void take(Execution execution, JournalEntry entry) {
    var type = execution.node.type();
    if (!type.equals(SET_OUTPUT) && !type.equals(PUBLISH_EVENT)) {
      return;
    }
    switch (entry.event()) {
      case Journal.STARTED -> {
        var inputs = Json.object(entry.data().get("state"));
        begun.put(execution.number, inputs == null ? Map.of() : inputs);
      }
      case Journal.SKIPPED, Journal.FAULTED, Journal.CANCELED -> begun.remove(execution.number);
      case Journal.COMPLETED -> {
        var inputs = begun.remove(execution.number);
        if (inputs != null && type.equals(SET_OUTPUT)) {
          setOutput(execution, inputs);
        } else if (inputs != null && LocalStimuli.isKept(entry.at(), moment)) {
          refuseLocalEvent(execution, inputs);
        }
      }
      default -> {}
    }
  }

  /** A value that is null is in no entry. */
  private void setOutput(Execution execution, Map<String, @Nullable Object> inputs) {
    var logs = execution.node.logs();
    if (!logs.showsInput(OUTPUT_NAME) || !logs.showsInput(OUTPUT_VALUE)) {
      throw ReplayedInputs.unknown(execution, "has inputs that the journal hides");
    }
    var value = inputs.get(OUTPUT_VALUE);
    if (!(inputs.get(OUTPUT_NAME) instanceof String name) || JsonSize.isCut(value)) {
      throw ReplayedInputs.unknown(execution, "sets an output too large for the journal");
    }
    new Context(services, execution).workflowOutput(name, value);
  }

  /** Whether an activity has received it by then is not known. */
  private static void refuseLocalEvent(Execution execution, Map<String, @Nullable Object> inputs) {
    if (!execution.node.logs().showsInput(IS_LOCAL)) {
      throw ReplayedInputs.unknown(execution, "has inputs that the journal hides");
    }
    var isLocal = inputs.get(IS_LOCAL);
    if (isLocal != null && !isLocal.equals(false)) {
      throw ReplayedInputs.unknown(
          execution,
          "has published a local event in the ten minutes before: choose an earlier burst");
    }
  }
}
