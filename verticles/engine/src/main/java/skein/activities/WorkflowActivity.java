package skein.activities;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.WorkflowDefinition;

/**
 * A workflow that is used as an activity of another one. It runs within the instance of its user,
 * with variables, inputs and outputs of its own.
 */
public final class WorkflowActivity implements Activity {
  /** Holds the root of the workflow; no member of the JSON of its user. */
  public static final Port ROOT = Port.of("root");

  private static final String INPUT = "input";
  private static final String OUTPUT = "output";
  private final ActivityDescriptor descriptor;

  /** {@code outcomes}: besides Done. */
  public WorkflowActivity(
      WorkflowDefinition definition,
      String typeName,
      List<Input> inputs,
      List<Output> outputs,
      List<String> outcomes) {
    var description = definition.description();
    var all = new LinkedHashSet<>(outcomes);
    all.add(ActivityDescriptor.DONE);
    var ref = definition.ref();
    this.descriptor =
        ActivityDescriptor.of(
                typeName, category(definition), description == null ? "" : description)
            .withVersion(ref.version())
            .with(inputs.toArray(Input[]::new))
            .with(outputs.toArray(Output[]::new))
            .withOutcomes(all.toArray(String[]::new))
            .asContainer()
            .with(
                Map.of(
                    "RootType",
                    "WorkflowDefinitionActivity",
                    "WorkflowDefinitionId",
                    ref.definitionId(),
                    "WorkflowDefinitionVersionId",
                    ref.versionId()),
                Map.of(
                    "WorkflowDefinitionId",
                    ref.definitionId(),
                    "WorkflowDefinitionVersionId",
                    ref.versionId()));
  }

  private static String category(WorkflowDefinition definition) {
    var options = Json.object(definition.json().get("options"));
    var given = options == null ? null : Json.text(options, "activityCategory");
    return given == null || given.isBlank() ? "Workflows" : given;
  }

  @Override
  public ActivityDescriptor descriptor() {
    return descriptor;
  }

  /** The input of the workflow; {@code memory} is that of an execution of this kind. */
  public static Map<String, @Nullable Object> input(Map<String, @Nullable Object> memory) {
    var input = Json.object(memory.get(INPUT));
    return input == null ? Map.of() : input;
  }

  /** Sets an output of the workflow. */
  public static void setOutput(
      Map<String, @Nullable Object> memory, String name, @Nullable Object value) {
    var output = new LinkedHashMap<String, @Nullable Object>(outputs(memory));
    output.put(name, value);
    memory.put(OUTPUT, output);
  }

  private static Map<String, @Nullable Object> outputs(Map<String, @Nullable Object> memory) {
    var output = Json.object(memory.get(OUTPUT));
    return output == null ? Map.of() : output;
  }

  public boolean hasOutput(String name) {
    return descriptor.outputs().stream().anyMatch(output -> output.name().equals(name));
  }

  @Override
  public void execute(ActivityContext context) {
    var input = new LinkedHashMap<String, @Nullable Object>();
    descriptor.inputs().forEach(declared -> input.put(declared.name(), context.get(declared)));
    context.memory().put(INPUT, input);
    context.memory().remove(OUTPUT);
    var root = context.node().child(ROOT);
    if (root == null) {
      context.complete();
      return;
    }
    context.schedule(root);
  }

  /** A composite at the root may have been asked for outcomes; others are the root's own affair. */
  @Override
  public void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    var declared = new ArrayList<>(outcomes);
    declared.retainAll(descriptor.outcomes());
    complete(context, declared);
  }

  @Override
  public boolean signalled(ActivityContext context, String signal, @Nullable Object value) {
    if (!signal.equals(Signals.COMPLETE)) {
      return false;
    }
    complete(context, Json.list(value).stream().map(String::valueOf).toList());
    return true;
  }

  private void complete(ActivityContext context, List<String> outcomes) {
    var outputs = outputs(context.memory());
    for (var declared : descriptor.outputs()) {
      if (outputs.containsKey(declared.name())) {
        context.output(declared, outputs.get(declared.name()));
      }
    }
    context.complete(outcomes.toArray(String[]::new));
  }
}
