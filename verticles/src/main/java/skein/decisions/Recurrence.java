package skein.decisions;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.burst.Burst;
import skein.burst.BurstInputs;
import skein.definitions.TriggerTimers;
import skein.graph.Graph;
import skein.model.Labels;
import skein.model.StartRequest;
import skein.model.Timer;

/** The next occurrence of a trigger that fires by itself. */
public final class Recurrence {
  private Recurrence() {}

  /** Null when it fires no more. Occurrences missed meanwhile are one: it fires once, now. */
  public static @Nullable Timer next(Burst burst, Graph graph, Timer fired, BurstInputs inputs) {
    var triggerId = Payloads.text(fired, "triggerId");
    for (var trigger : burst.triggers(graph, inputs)) {
      if (trigger.id().equals(triggerId) && TriggerTimers.recurs(trigger)) {
        var at = trigger.nextAt();
        var interval = TriggerTimers.interval(trigger);
        if (interval != null) {
          at = afterNow(fired.dueAt(), interval, inputs.now());
        }
        return at == null ? null : TriggerTimers.timer(trigger, at);
      }
    }
    return null;
  }

  /** Keeps the rhythm of the first occurrence, however late this one was. */
  static Instant afterNow(Instant due, Duration interval, Instant now) {
    if (due.plus(interval).isAfter(now)) {
      return due.plus(interval);
    }
    long behind = Duration.between(due, now).toMillis();
    long every = Math.max(1, interval.toMillis());
    return due.plusMillis((behind / every + 1) * every);
  }

  /** What the trigger gives the instance: the event's payload, or when it was due. */
  static StartRequest request(Timer timer) {
    var correlationId = Payloads.value(timer, "correlationId");
    var labels = new Labels(null, correlationId instanceof String text ? text : null, null);
    @Nullable Object stimulus =
        Payloads.has(timer, "stimulus")
            ? Payloads.value(timer, "stimulus")
            : Map.of("dueAt", timer.dueAt().toString());
    return new StartRequest(Map.of(), labels, Payloads.text(timer, "activityId"), stimulus, null);
  }
}
