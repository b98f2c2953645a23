package skein.simulation;

import java.util.Map;
import skein.activities.Activity;
import skein.activities.ActivityContext;
import skein.activities.ActivityDescriptor;
import skein.activities.Resumption;
import skein.activities.Stimuli;
import skein.activities.Wait;

/** Waits for one event, and says so twice. */
final class WaitsTwice implements Activity {
  static final String NAME = "WaitsTwice";

  private static final String EVENT = "a";
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Skein." + NAME, "Events", "Waits twice for the same event.");

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var wait = Wait.forStimulus(Stimuli.EVENT, Stimuli.event(EVENT), Map.of("eventName", EVENT));
    context.await(wait);
    context.await(wait);
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    context.complete();
  }
}
