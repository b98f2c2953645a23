package skein.activities;

import java.util.List;

/** Runs all its activities at once and waits for all of them. */
final class Parallel implements Activity {
  private static final Port ACTIVITIES = Port.list("activities");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.Parallel", "Workflows", "Runs activities at once.")
          .with(ACTIVITIES)
          .asContainer()
          .hidden();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var activities = context.node().runnable(ACTIVITIES);
    if (activities.isEmpty()) {
      context.complete();
      return;
    }
    activities.forEach(context::schedule);
  }

  @Override
  public void childCompleted(ActivityContext context, Child child, List<String> outcomes) {
    if (!context.hasPendingChildren()) {
      context.complete();
    }
  }
}
