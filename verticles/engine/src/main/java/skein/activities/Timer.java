package skein.activities;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import skein.model.Recurrence;

/** Waits for an interval, or starts the workflow again and again. */
final class Timer implements TriggerActivity {
  private static final Input INTERVAL =
      Input.of("Interval", "TimeSpan", "00:01:00")
          .described("How long from one start to the next.");
  private static final ActivityDescriptor DESCRIPTOR =
      ActivityDescriptor.of("Elsa.Timer", "Scheduling", "Starts a workflow at an interval.")
          .with(TimeInputs.with(INTERVAL))
          .asTrigger();

  @Override
  public ActivityDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public void execute(ActivityContext context) {
    var dueAt = context.now().plus(context.duration(INTERVAL));
    var payload = Map.<String, Object>of("resumeAt", dueAt.toString());
    context.await(Wait.until(dueAt, DESCRIPTOR.typeName(), payload, context.execution()));
  }

  /** Counts from the start that was given, else from the instant of publishing. */
  @Override
  public List<TriggerSpec> triggers(Inputs inputs) {
    var interval = inputs.duration(INTERVAL);
    if (interval.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new FaultException(
          "InvalidInterval", "The interval is shorter than a second: " + interval);
    }
    var rule = TimeInputs.rule(inputs);
    var timetable = TimeInputs.timetable(Map.of("interval", interval.toString()), inputs);
    var payload = new LinkedHashMap<String, Object>();
    if (timetable.recurrence() instanceof Recurrence.Interval(_, var anchor)) {
      payload.put("startAt", anchor.toString());
    }
    payload.put("interval", interval.toString());
    rule.forEach(payload::putIfAbsent);
    var hash = TimeInputs.hash(DESCRIPTOR.typeName(), interval.toString(), rule);
    return List.of(new TriggerSpec(DESCRIPTOR.typeName(), hash, payload, timetable));
  }
}
