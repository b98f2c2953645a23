package skein.activities;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Waits for an event, or starts the workflow when it is published. */
final class Event implements TriggerActivity {
  private static final Input NAME =
      Input.of("EventName", "String").described("The event to wait for, or to start by.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(Stimuli.EVENT, "Primitives", "Waits for an event to be published.")
          .with(NAME)
          .with(Output.RESULT)
          .asTrigger();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var name = context.required(NAME);
    context.await(Wait.forStimulus(Stimuli.EVENT, Stimuli.event(name), Map.of("eventName", name)));
  }

  @Override
  public void resume(ActivityContext context, Resumption resumption) {
    context.output(Output.RESULT, resumption.input().get("payload"));
    context.complete();
  }

  @Override
  public List<TriggerSpec> triggers(Inputs inputs) {
    var name = inputs.required(NAME);
    return List.of(
        new TriggerSpec(Stimuli.EVENT, Stimuli.event(name), Map.of("eventName", name), null));
  }

  @Override
  public Map<String, @Nullable Object> startInput(@Nullable Object stimulus) {
    return Collections.singletonMap("payload", stimulus);
  }
}
