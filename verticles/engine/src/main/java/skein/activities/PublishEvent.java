package skein.activities;

import java.util.Collections;
import org.jspecify.annotations.Nullable;
import skein.model.Effect;

/** Publishes an event: to this instance alone, or to all that wait for it. */
final class PublishEvent implements Activity {
  private static final Input NAME =
      Input.of("EventName", "String").described("The event to publish.");
  private static final Input CORRELATION_ID =
      Input.of("CorrelationId", "String")
          .described("Only instances with this correlation id receive it.");
  private static final Input LOCAL =
      Input.of("IsLocalEvent", "Boolean", false)
          .titled("Local event")
          .described("Whether only this instance receives it.");
  private static final Input PAYLOAD =
      Input.of("Payload", "Object").described("What receivers are given.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.PublishEvent", "Primitives", "Publishes an event.")
          .with(NAME, CORRELATION_ID, LOCAL, PAYLOAD);

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var name = SearchText.require("eventName", context.required(NAME));
    var payload = context.get(PAYLOAD);
    if (context.flag(LOCAL)) {
      context.publishLocally(Stimuli.event(name), Collections.singletonMap("payload", payload));
    } else {
      var id = context.instanceId() + ":" + context.execution();
      context.effect(new Effect.EventPublished(id, name, correlationId(context), payload, 0));
    }
    context.complete();
  }

  /** A blank one is none, as in Elsa. */
  private static @Nullable String correlationId(ActivityContext context) {
    var text = context.text(CORRELATION_ID);
    return text == null || text.isBlank() ? null : SearchText.optional("correlationId", text);
  }
}
