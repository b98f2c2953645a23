package skein.definitions;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.StimulusHash;
import skein.model.Timer;
import skein.model.Trigger;

/** The timers of triggers that fire by themselves: one at a time, the next occurrence. */
public final class TriggerTimers {
  private TriggerTimers() {}

  static List<Timer> first(List<Trigger> triggers) {
    var timers = new ArrayList<Timer>();
    for (var trigger : triggers) {
      if (trigger.nextAt() != null) {
        timers.add(timer(trigger, trigger.nextAt()));
      }
    }
    return timers;
  }

  /**
   * The occurrence of a trigger at an instant. Its id, and the id of the instance it starts, follow
   * from both: fired twice, it starts one instance.
   */
  public static Timer timer(Trigger trigger, Instant at) {
    var id = trigger.id() + "@" + at.toEpochMilli();
    var payload = new LinkedHashMap<String, @Nullable Object>();
    payload.put("definitionId", trigger.definition().definitionId());
    payload.put("versionId", trigger.definition().versionId());
    payload.put("triggerId", trigger.id());
    payload.put("activityId", trigger.activityId());
    return new Timer(id, at, new InstanceId(StimulusHash.id(id)), Timer.Kind.Trigger, payload);
  }

  /** True for cron expressions and intervals, false for a single instant. */
  public static boolean recurs(Trigger trigger) {
    return interval(trigger) != null
        || (trigger.payload() instanceof Map<?, ?> payload
            && payload.containsKey("cronExpression"));
  }

  /** The interval of a timer trigger; null for others. */
  public static @Nullable Duration interval(Trigger trigger) {
    return trigger.payload() instanceof Map<?, ?> payload
            && payload.get("interval") instanceof String text
        ? Duration.parse(text)
        : null;
  }
}
