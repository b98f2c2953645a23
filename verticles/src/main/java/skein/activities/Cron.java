package skein.activities;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.StimulusHash;

/** Waits for the next occurrence of a cron expression, or starts the workflow at each. */
final class Cron implements TriggerActivity {
  private static final Input EXPRESSION = Input.of("CronExpression", "String");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(
              Recurrence.CRON, "Scheduling", "Starts a workflow by a cron expression, in UTC.")
          .with(EXPRESSION)
          .asTrigger();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  /** A literal is checked before anything is published. */
  @Override
  public @Nullable Object plan(
      Map<String, @Nullable Object> json,
      Map<String, List<ActivityNode>> children,
      Consumer<String> problem) {
    var input = Json.object(Json.member(json, EXPRESSION.property()));
    var expression = input == null ? null : Json.object(input.get("expression"));
    if (expression != null
        && "Literal".equals(Json.text(expression, "type"))
        && expression.get("value") instanceof String literal
        && !literal.isBlank()) {
      try {
        CronSchedule.parse(literal);
      } catch (FaultException e) {
        problem.accept(String.valueOf(e.getMessage()));
      }
    }
    return null;
  }

  @Override
  public void execute(ActivityContext context) {
    var text = context.required(EXPRESSION);
    var dueAt = CronSchedule.parse(text).next(context.now());
    if (dueAt == null) {
      throw new FaultException("NoOccurrence", "No instant will ever match the cron " + text);
    }
    var payload = Map.<String, Object>of("executeAt", dueAt.toString(), "cronExpression", text);
    context.await(Wait.until(dueAt, DESCRIPTOR.typeName(), payload, context.execution()));
  }

  @Override
  public List<TriggerSpec> triggers(Inputs inputs) {
    var text = inputs.required(EXPRESSION);
    var nextAt = CronSchedule.parse(text).next(inputs.now());
    if (nextAt == null) {
      throw new FaultException("NoOccurrence", "No instant will ever match the cron " + text);
    }
    var payload = Map.<String, Object>of("cronExpression", text);
    var hash = StimulusHash.of(DESCRIPTOR.typeName(), JsonText.canonical(payload), null);
    return List.of(new TriggerSpec(DESCRIPTOR.typeName(), hash, payload, nextAt));
  }
}
