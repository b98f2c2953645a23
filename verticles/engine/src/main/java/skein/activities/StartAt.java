package skein.activities;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import skein.codecs.JsonText;
import skein.expressions.Expressions;
import skein.model.Recurrence;
import skein.model.StimulusHash;
import skein.model.Timetable;
import skein.model.Timetable.Policies;

/** Waits until an instant, or starts the workflow then. One that has passed is not waited for. */
final class StartAt implements TriggerActivity {
  private static final Input DATE_TIME =
      Input.of("DateTime", "DateTimeOffset").described("When it fires, once.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.StartAt", "Scheduling", "Waits until an instant.")
          .with(DATE_TIME)
          .asTrigger();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var dueAt = Expressions.instant(context.required(DATE_TIME));
    if (!dueAt.isAfter(context.now())) {
      context.complete();
      return;
    }
    var payload = Map.<String, Object>of("executeAt", dueAt.toString());
    context.await(Wait.until(dueAt, DESCRIPTOR.typeName(), payload, context.execution()));
  }

  @Override
  public List<TriggerSpec> triggers(Inputs inputs) {
    var at = Expressions.instant(inputs.required(DATE_TIME));
    var payload = Map.<String, Object>of("executeAt", at.toString());
    var hash = StimulusHash.of(DESCRIPTOR.typeName(), JsonText.canonical(payload), null);
    var once =
        new Timetable(
            new Recurrence.Dates(List.of(at.toString())),
            ZoneId.of("UTC"),
            null,
            null,
            Duration.ZERO,
            Policies.DEFAULT);
    return List.of(new TriggerSpec(DESCRIPTOR.typeName(), hash, payload, once));
  }
}
