package skein.activities;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expression;

/** Continues with the label of the first case that holds, or of all that do, or with Default. */
final class FlowSwitch implements Activity {
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(
              "Elsa.FlowSwitch", "Branching", "Continues with the labels of matching cases.")
          .with(Input.raw("Cases", "FlowSwitchCase[]").edited(Editor.FLOW_CASES), Cases.MODE)
          .withOutcomes("Default")
          .titled("Switch (flow)");

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Cases plan(
      Map<String, @Nullable Object> json,
      Map<String, List<ActivityNode>> children,
      Consumer<String> problem) {
    return Cases.read(json);
  }

  @Override
  public List<Expression> expressions(Map<String, @Nullable Object> json) {
    return Cases.read(json).conditions();
  }

  @Override
  public Collection<String> outcomes(ActivityNode node) {
    var labels = new ArrayList<>(DESCRIPTOR.outcomes());
    if (node.plan() instanceof Cases cases) {
      labels.addAll(cases.labels());
    }
    return labels;
  }

  @Override
  public void execute(ActivityContext context) {
    var matching = Cases.of(context).matching(context, _ -> null);
    var labels = matching.stream().map(Cases.Case::label).toList();
    context.complete(labels.isEmpty() ? new String[] {"Default"} : labels.toArray(String[]::new));
  }
}
