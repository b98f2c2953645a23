package skein.decisions;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import skein.model.BookmarkId;
import skein.model.DerivedIds;
import skein.model.Timer;

/** Makes the timers that carry one event to its receivers. */
public final class EventTimers {
  private EventTimers() {}

  /** Delivers to a bookmark. {@code eventId} names the event: a second delivery has no effect. */
  public static Timer resume(String eventId, BookmarkId bookmark, @Nullable Object payload) {
    var input = new HashMap<String, @Nullable Object>();
    input.put("payload", payload);
    var delivery = new HashMap<String, @Nullable Object>();
    delivery.put("bookmarkId", bookmark.toString());
    delivery.put("input", input);
    var id = eventId + "/" + bookmark;
    return new Timer(id, Instant.EPOCH, bookmark.instanceId(), Timer.Kind.Resume, delivery);
  }

  /** A trigger that an event meets. */
  public record Triggered(
      String triggerId, String definitionId, String versionId, String activityId) {}

  /**
   * The instance's id follows from event and trigger: a second delivery finds it started.
   *
   * @param tenant whom the event reaches; empty: the default tenant
   * @param causes instances that started one another before it; 0: the event came from outside
   */
  public static Timer start(
      String eventId,
      String tenant,
      Triggered trigger,
      @Nullable String correlationId,
      @Nullable Object eventPayload,
      int causes) {
    var payload = new LinkedHashMap<String, @Nullable Object>();
    payload.put("definitionId", trigger.definitionId());
    payload.put("versionId", trigger.versionId());
    payload.put("triggerId", trigger.triggerId());
    payload.put("activityId", trigger.activityId());
    payload.put("correlationId", correlationId);
    payload.put("stimulus", eventPayload);
    Payloads.putCauses(payload, causes);
    Payloads.putTenant(payload, tenant);
    var id = eventId + "/" + trigger.triggerId();
    var instance = DerivedIds.of(tenant, id);
    return new Timer(id, Instant.EPOCH, instance, Timer.Kind.Trigger, payload);
  }
}
