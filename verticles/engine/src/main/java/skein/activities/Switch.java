package skein.activities;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expression;

/** Runs the activity of the first case that holds, or of all that do, or else the default. */
final class Switch implements Activity {
  private static final Output OUTPUT = new Output("Output", "Object");
  private static final Input CASE_LIST =
      Input.raw("Cases", "SwitchCase[]")
          .edited(Editor.CASES)
          .described("Conditions, each with the activity that runs where it holds.");
  private static final Port CASES = Port.cases(Cases.PROPERTY, "activity");
  private static final Port DEFAULT = Port.of("default");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.Switch", "Branching", "Runs the activities of matching cases.")
          .with(CASE_LIST, Cases.MODE)
          .with(OUTPUT)
          .with(CASES, DEFAULT);

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
  public void execute(ActivityContext context) {
    var chosen = chosen(context);
    if (chosen.isEmpty()) {
      context.complete();
      return;
    }
    chosen.forEach(context::schedule);
  }

  private static List<ActivityNode> chosen(ActivityContext context) {
    var node = context.node();
    var matching = Cases.of(context).matching(context, index -> node.child(CASES, index));
    if (matching.isEmpty()) {
      return node.runnable(DEFAULT);
    }
    var chosen = new ArrayList<ActivityNode>();
    for (var match : matching) {
      var activity = node.child(CASES, match.index());
      if (activity != null) {
        chosen.add(activity);
      }
    }
    return ActivityNode.runnable(chosen);
  }

  @Override
  public void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    if (!context.hasPendingChildren()) {
      context.complete();
    }
  }
}
