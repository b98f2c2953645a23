package skein.events;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.Stimuli;
import skein.decisions.EventTimers;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.storage.StimulusRows;
import skein.storage.StimulusStore;

/** Turns one event into one timer for each of its receivers. Thread-safe. */
public final class Deliveries {
  /**
   * Receivers of one event; more are refused, so that an event is delivered whole or not at all.
   */
  public static final int RECEIVERS_MAX = 100_000;

  /** Receivers of one event that are served at one time, beside everybody else's commands. */
  public static final int IN_FLIGHT_MAX = 32;

  private final StimulusRows stimuli;

  public Deliveries(StimulusRows stimuli) {
    this.stimuli = stimuli;
  }

  /**
   * An event on its way.
   *
   * @param id names the event; its deliveries' ids begin with it, so an event delivered twice is
   *     one
   * @param correlationId restricts it to instances with this correlation; null does not
   * @param instanceId restricts it to one instance, and starts nothing; null does not
   * @param bookmarks restricts it to these of that instance; null does not
   * @param causes instances that started one another before it; 0: it comes from outside
   */
  public record Event(
      String id,
      String name,
      @Nullable String correlationId,
      @Nullable InstanceId instanceId,
      @Nullable Set<BookmarkId> bookmarks,
      @Nullable Object payload,
      int causes) {
    private boolean reaches(BookmarkId bookmark) {
      return bookmarks == null || bookmarks.contains(bookmark);
    }
  }

  /** Nothing is written; an event without receivers has no deliveries. */
  public Future<List<Timer>> of(Event event) {
    var hash = Stimuli.event(event.name());
    return stimuli
        .waiting(hash, event.correlationId(), event.instanceId(), RECEIVERS_MAX + 1)
        .compose(waiting -> {
          if (waiting.size() > RECEIVERS_MAX) {
            return Future.failedFuture(tooMany(event));
          }
          return starts(event, hash).map(starts -> all(event, waiting, starts));
        });
  }

  private Future<List<Timer>> starts(Event event, String hash) {
    if (event.instanceId() != null) {
      return Future.succeededFuture(List.of());
    }
    return stimuli
        .triggers(hash)
        .map(matches -> matches.stream().map(match -> start(event, match)).toList());
  }

  private static List<Timer> all(Event event, List<BookmarkId> waiting, List<Timer> starts) {
    var deliveries = new ArrayList<Timer>(starts);
    for (var bookmark : waiting) {
      if (event.reaches(bookmark)) {
        deliveries.add(EventTimers.resume(event.id(), bookmark, event.payload()));
      }
    }
    return deliveries;
  }

  private static Timer start(Event event, StimulusStore.Match match) {
    var trigger =
        new EventTimers.Triggered(
            match.triggerId(), match.definitionId(), match.versionId(), match.activityId());
    return EventTimers.start(
        event.id(), trigger, event.correlationId(), event.payload(), event.causes());
  }

  private static SkeinException tooMany(Event event) {
    return new SkeinException(
        ErrorCode.TOO_LARGE,
        "More than "
            + RECEIVERS_MAX
            + " instances wait for event "
            + event.name()
            + ": publish it with a correlation id");
  }
}
