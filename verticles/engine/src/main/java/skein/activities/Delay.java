package skein.activities;

import java.util.Map;

/** Waits for a while. */
final class Delay implements Activity {
  private static final Input TIME_SPAN =
      Input.of("TimeSpan", "TimeSpan").showing("00:01:00").described("How long to wait.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.Delay", "Scheduling", "Waits for a time span.").with(TIME_SPAN);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var dueAt = context.now().plus(context.duration(TIME_SPAN));
    var payload = Map.<String, Object>of("resumeAt", dueAt.toString());
    context.await(Wait.until(dueAt, DESCRIPTOR.typeName(), payload, context.execution()));
  }
}
