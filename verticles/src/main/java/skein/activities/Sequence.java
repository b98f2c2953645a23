package skein.activities;

import java.util.List;

/** Runs its activities one after another. */
final class Sequence implements Activity {
  private static final Port ACTIVITIES = Port.of("activities");
  private static final String NEXT = "next";
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.Sequence", "Workflows", "Runs activities one after another.")
          .with(ACTIVITIES)
          .asContainer()
          .hidden();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    next(context);
  }

  @Override
  public void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    if (child.node().descriptor().terminal()) {
      context.complete();
      return;
    }
    next(context);
  }

  private static void next(ActivityContext context) {
    var activities = context.node().children(ACTIVITIES);
    var index = context.memory().get(NEXT) instanceof Long at ? at.intValue() : 0;
    if (index >= activities.size()) {
      context.complete();
      return;
    }
    context.memory().put(NEXT, index + 1L);
    context.schedule(activities.get(index));
  }
}
