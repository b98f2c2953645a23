package skein.activities;

import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.FindingCode;

/** Runs its activities one after another, up to one that ends it. */
final class Sequence implements Activity {
  private static final Port ACTIVITIES = Port.list("activities");
  static final String NEXT = "next";
  private final ActivityDescriptor descriptor;

  Sequence(String typeName) {
    descriptor =
        ActivityDescriptor.of(typeName, "Workflows", "Runs activities one after another.")
            .with(ACTIVITIES)
            .asContainer()
            .hidden();
  }

  @Override
  public ActivityDescriptor descriptor() {
    return descriptor;
  }

  @Override
  public void review(ActivityNode node, Warnings warnings) {
    ActivityNode end = null;
    for (var child : node.runnable(ACTIVITIES)) {
      if (end != null && !child.canStart()) {
        warnings.add(
            child,
            FindingCode.UNREACHABLE,
            "",
            "it never runs: \"" + end.id() + "\" before it ends the sequence",
            null);
      }
      if (end == null && child.descriptor().terminal()) {
        end = child;
      }
    }
  }

  @Override
  public void execute(ActivityContext context) {
    next(context);
  }

  @Override
  public void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    if (Breaking.is(context) || child.node().descriptor().terminal()) {
      context.complete();
      return;
    }
    next(context);
  }

  /** A break ends the sequence on its way to the loop that it is meant for. */
  @Override
  public boolean signalled(ActivityContext context, String signal, @Nullable Object value) {
    Breaking.note(context, signal);
    return false;
  }

  private static void next(ActivityContext context) {
    var activities = context.node().runnable(ACTIVITIES);
    var index = context.memory().get(NEXT) instanceof Long at ? at.intValue() : 0;
    if (index >= activities.size()) {
      context.complete();
      return;
    }
    context.memory().put(NEXT, index + 1L);
    context.schedule(activities.get(index));
  }
}
