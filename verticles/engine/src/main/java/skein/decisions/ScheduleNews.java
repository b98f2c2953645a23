package skein.decisions;

import java.time.Instant;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.model.InstanceId;
import skein.model.Schedule;
import skein.model.Timer;

/** The news to a schedule about instances that it has started. */
public final class ScheduleNews {
  private static final String REFUSED = "refused";

  private ScheduleNews() {}

  /** The instance has ended. */
  public static Timer ended(InstanceId lane, InstanceId instance, Instant now) {
    return timer(lane, instance, null, now);
  }

  /** The news for a {@link Timer.Kind#ScheduleStart} that starts nothing. */
  public static Timer notStarted(Timer start, String reason, Instant now) {
    var lane = Schedule.laneOf(Payloads.text(start, "scheduleId"));
    return timer(lane, start.instanceId(), reason, now);
  }

  /**
   * Of a {@link Timer.Kind#ScheduleStart} whose definition is another tenant's now: nothing is
   * started, and the schedule's tenant is told why.
   */
  static Timer refused(Timer start, Instant now) {
    var definitionId = Payloads.text(start, "definitionId");
    var news = notStarted(start, "Workflow definition " + definitionId + " is not published", now);
    var payload = new LinkedHashMap<String, @Nullable Object>(Payloads.members(news));
    payload.put(REFUSED, true);
    payload.put("scheduleId", Payloads.text(start, "scheduleId"));
    payload.put("definitionId", definitionId);
    Payloads.putTenant(payload, Payloads.tenant(start));
    return new Timer(news.id(), news.dueAt(), news.instanceId(), news.kind(), payload);
  }

  /** Whether the news are of a start whose definition is another tenant's now. */
  public static boolean isRefused(Timer news) {
    return Boolean.TRUE.equals(Payloads.value(news, REFUSED));
  }

  private static Timer timer(
      InstanceId lane, InstanceId instance, @Nullable String failed, Instant now) {
    return new Timer(
        "done-" + instance,
        now,
        lane,
        Timer.Kind.ScheduleDone,
        Json.members("instanceId", instance.value(), "failed", failed));
  }
}
