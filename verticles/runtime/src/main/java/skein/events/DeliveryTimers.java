package skein.events;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.decisions.EventTimers;
import skein.model.BookmarkId;
import skein.model.Timer;

/**
 * The deliveries of one event: first the starts, then those to waiting bookmarks. Each is made when
 * it is asked for, so that of very many only the ids are in memory. Immutable.
 */
final class DeliveryTimers extends AbstractList<Timer> implements RandomAccess {
  private final Carried event;
  private final List<EventTimers.Triggered> starts;
  private final List<BookmarkId> waiting;
  private final long carriedChars;

  /**
   * What all of them have.
   *
   * @param tenant whom the event reaches; empty: the default tenant
   * @param causes as {@link Deliveries.Event} has them
   */
  record Carried(
      String eventId,
      String tenant,
      @Nullable String correlationId,
      @Nullable Object payload,
      int causes) {}

  DeliveryTimers(Carried event, List<EventTimers.Triggered> starts, List<BookmarkId> waiting) {
    this.event = event;
    this.starts = List.copyOf(starts);
    this.waiting = List.copyOf(waiting);
    this.carriedChars =
        event.payload() == null ? 0 : (long) JsonText.print(event.payload()).length() * size();
  }

  /** The size of the event's payload, times its receivers. */
  long carriedChars() {
    return carriedChars;
  }

  @Override
  public Timer get(int index) {
    return index < starts.size()
        ? EventTimers.start(
            event.eventId(),
            event.tenant(),
            starts.get(index),
            event.correlationId(),
            event.payload(),
            event.causes())
        : EventTimers.resume(event.eventId(), waiting.get(index - starts.size()), event.payload());
  }

  @Override
  public int size() {
    return starts.size() + waiting.size();
  }
}
