package skein.activities;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.Timetable;
import skein.schedules.ScheduleRules;

/** Waits for the next occurrence of a cron expression, or starts the workflow at each. */
final class Cron implements TriggerActivity {
  private static final Input EXPRESSION =
      Input.of("CronExpression", "String").described("When it fires, in five or six fields.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of(
              "Elsa.Cron",
              "Scheduling",
              "Starts a workflow by a cron expression, in UTC or its time zone.")
          .with(TimeInputs.with(EXPRESSION))
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
    TimeInputs.plan(json, EXPRESSION, problem);
    return null;
  }

  @Override
  public void execute(ActivityContext context) {
    var text = context.required(EXPRESSION);
    var dueAt = next(text, timetable(text, context), context.now());
    var payload = Map.<String, Object>of("executeAt", dueAt.toString(), "cronExpression", text);
    context.await(Wait.until(dueAt, DESCRIPTOR.typeName(), payload, context.execution()));
  }

  @Override
  public List<TriggerSpec> triggers(Inputs inputs) {
    var text = inputs.required(EXPRESSION);
    var timetable = timetable(text, inputs);
    next(text, timetable, inputs.now());
    var payload = new LinkedHashMap<String, Object>();
    payload.put("cronExpression", text);
    var recurrence = JsonText.canonical(payload);
    var rule = TimeInputs.rule(inputs);
    payload.putAll(rule);
    var hash = TimeInputs.hash(DESCRIPTOR.typeName(), recurrence, rule);
    return List.of(new TriggerSpec(DESCRIPTOR.typeName(), hash, payload, timetable));
  }

  private static Timetable timetable(String text, Inputs inputs) {
    return TimeInputs.timetable(Map.of("cron", TimeInputs.cron(text).expression()), inputs);
  }

  private static Instant next(String text, Timetable timetable, Instant now) {
    var next = ScheduleRules.of(timetable).after(now);
    if (next == null) {
      throw new FaultException("NoOccurrence", "No instant will ever match the cron " + text);
    }
    return next;
  }
}
