package skein.events;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import skein.activities.Stimuli;
import skein.codecs.DistinctText;
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

  /** Any number of events with so many receivers may be on their way. */
  static final int FEW = 1_000;

  private final StimulusRows stimuli;
  private final int few;
  private final AtomicBoolean hasMany = new AtomicBoolean();

  /** One for each node, so that of events with many receivers one at a time takes memory. */
  public Deliveries(StimulusRows stimuli) {
    this(stimuli, FEW);
  }

  /** {@code few}: in place of a thousand. */
  public Deliveries(StimulusRows stimuli, int few) {
    this.stimuli = stimuli;
    this.few = few;
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

  /** One timer for each receiver of an event, in memory until they are closed. Thread-safe. */
  public static final class Receivers implements AutoCloseable {
    private final List<Timer> timers;
    private final AtomicBoolean many;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Receivers(List<Timer> timers, AtomicBoolean many) {
      this.timers = timers;
      this.many = many;
    }

    public List<Timer> timers() {
      return timers;
    }

    /** May be repeated. */
    @Override
    public void close() {
      if (!closed.getAndSet(true)) {
        many.set(false);
      }
    }
  }

  /** Whether an event with many receivers is in memory. */
  public boolean hasMany() {
    return hasMany.get();
  }

  public StimulusRows stimuli() {
    return stimuli;
  }

  /**
   * Nothing is written; an event without receivers has no deliveries. Fails with {@code OVERLOADED}
   * when both this event and another one that is not closed yet have more than a thousand.
   */
  public Future<Receivers> of(Event event) {
    return resolved(event, few)
        .compose(timers -> {
          if (timers != null) {
            return Future.succeededFuture(few(timers));
          }
          return hasMany.compareAndSet(false, true)
              ? ofMany(event)
              : Future.failedFuture(otherEvent());
        });
  }

  /**
   * Those of an event that was delivered before; null: they are too many beside another event's.
   */
  public @Nullable Receivers again(List<Timer> timers) {
    if (timers.size() <= few) {
      return few(timers);
    }
    return hasMany.compareAndSet(false, true) ? new Receivers(timers, hasMany) : null;
  }

  private static Receivers few(List<Timer> timers) {
    return new Receivers(timers, new AtomicBoolean());
  }

  private Future<Receivers> ofMany(Event event) {
    return resolved(event, RECEIVERS_MAX)
        .compose(timers ->
            timers == null
                ? Future.failedFuture(tooMany(event))
                : Future.succeededFuture(new Receivers(timers, hasMany)))
        .onFailure(_ -> hasMany.set(false));
  }

  /** Null: more than {@code max} wait. */
  private Future<@Nullable List<Timer>> resolved(Event event, int max) {
    var hash = Stimuli.event(event.name());
    return stimuli
        .waiting(hash, event.correlationId(), event.instanceId(), max + 1)
        .compose(waiting ->
            waiting.size() > max
                ? Future.succeededFuture(null)
                : starts(event, hash).map(starts -> all(event, waiting, starts)));
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

  /** That nobody hears a name which can be taken for another is no answer to whoever reads it. */
  public static void requireDistinct(String eventName) {
    var doubt = DistinctText.doubt(eventName);
    if (doubt != null) {
      throw new SkeinException(
          ErrorCode.INVALID_ID, "Nobody waits for the event, and its name " + doubt);
    }
  }

  private SkeinException otherEvent() {
    return new SkeinException(
        ErrorCode.OVERLOADED,
        "This node delivers another event with more than "
            + few
            + " receivers: publish it again in a moment");
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
