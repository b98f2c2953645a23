package skein.events;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.decisions.EventTimers;
import skein.decisions.Payloads;
import skein.model.BookmarkId;
import skein.model.Timer;

/**
 * The deliveries of an event without what it carries, as they are kept with an idempotency key: a
 * repetition of the request brings the rest, and asks for the outcome of each. A JSON array of the
 * event's id and an array for each delivery: the id of the bookmark, or the four parts of {@link
 * EventTimers.Triggered}.
 */
public final class DeliveryList {
  private DeliveryList() {}

  public static Buffer write(String eventId, List<Timer> deliveries) {
    var list = new JsonArray().add(eventId);
    for (var delivery : deliveries) {
      list.add(
          delivery.kind() == Timer.Kind.Trigger
              ? new JsonArray()
                  .add(Payloads.text(delivery, "triggerId"))
                  .add(Payloads.text(delivery, "definitionId"))
                  .add(Payloads.text(delivery, "versionId"))
                  .add(Payloads.text(delivery, "activityId"))
              : new JsonArray().add(Payloads.text(delivery, "bookmarkId")));
    }
    return list.toBuffer();
  }

  /**
   * The very deliveries that were written, of an event from outside with this correlation and
   * payload; starts first.
   *
   * @param tenant whom the event reaches; empty: the default tenant
   */
  public static List<Timer> read(
      Buffer written, String tenant, @Nullable String correlationId, @Nullable Object payload) {
    var list = new JsonArray(written);
    var starts = new ArrayList<EventTimers.Triggered>();
    var waiting = new ArrayList<BookmarkId>();
    for (int i = 1; i < list.size(); i++) {
      var parts = list.getJsonArray(i);
      if (parts.size() == 1) {
        waiting.add(BookmarkId.parse(parts.getString(0)));
      } else {
        starts.add(triggered(parts));
      }
    }
    var event = new DeliveryTimers.Carried(list.getString(0), tenant, correlationId, payload, 0);
    return new DeliveryTimers(event, starts, waiting);
  }

  private static EventTimers.Triggered triggered(JsonArray parts) {
    return new EventTimers.Triggered(
        parts.getString(0), parts.getString(1), parts.getString(2), parts.getString(3));
  }
}
