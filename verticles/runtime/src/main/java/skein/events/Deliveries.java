package skein.events;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import skein.activities.Stimuli;
import skein.codecs.DistinctText;
import skein.decisions.EventTimers;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.StimulusHash;
import skein.model.Timer;
import skein.storage.StimulusRows;

/** Turns one event into one timer for each of its receivers. Thread-safe. */
public final class Deliveries {
  /**
   * Receivers of one event; more are refused, so that an event is delivered whole or not at all.
   */
  public static final int RECEIVERS_MAX = 100_000;

  /** Receivers of one event that are served at one time, beside all other commands. */
  static final int IN_FLIGHT_MAX = 32;

  /** The same of an event with many: it takes long, in which others hardly wait for it. */
  static final int IN_FLIGHT_OF_MANY_MAX = 8;

  /** Any number of events with so many receivers may be on their way. */
  static final int FEW = 1_000;

  /**
   * Characters of what an event carries, times its receivers, each of which gets it stored; more
   * are refused.
   */
  static final long CARRIED_CHARS_MAX = 1L << 29;

  /** The same of as many of them as a scheduler keeps of what is due. */
  static final long CARRIED_READ_CHARS_MAX = 1L << 25;

  /** Any number of events that carry so many characters to few receivers may be on their way. */
  static final long CARRIED_BY_FEW_CHARS_MAX = 1L << 22;

  /** Timers that a scheduler keeps at one time. */
  private static final int READ_MAX = 4_000;

  /** For so long an event with many is served; then others have their turn. */
  static final Duration SERVED_MAX = Duration.ofSeconds(30);

  private final StimulusRows stimuli;
  private final int few;
  private final LongSupplier nanoTime;
  private final AtomicReference<@Nullable Heard> many = new AtomicReference<>();

  /** One for each node, so that of events with many receivers one at a time takes memory. */
  public Deliveries(StimulusRows stimuli) {
    this(stimuli, FEW, System::nanoTime);
  }

  /** {@code few}: in place of a thousand. */
  public Deliveries(StimulusRows stimuli, int few, LongSupplier nanoTime) {
    this.stimuli = stimuli;
    this.few = few;
    this.nanoTime = nanoTime;
  }

  /**
   * An event on its way.
   *
   * @param id names the event; its deliveries' ids begin with it, so an event delivered twice is
   *     one
   * @param topic its possible receivers, and its name
   * @param correlationId restricts it to instances with this correlation; null does not
   * @param instanceId restricts it to one instance, and starts nothing; null does not
   * @param bookmarks restricts it to these of that instance; null does not
   * @param causes instances that started one another before it; 0: it comes from outside
   */
  public record Event(
      String id,
      Topic topic,
      @Nullable String correlationId,
      @Nullable InstanceId instanceId,
      @Nullable Set<BookmarkId> bookmarks,
      @Nullable Object payload,
      int causes) {
    /** An event of the default tenant. */
    public Event(
        String id,
        String name,
        @Nullable String correlationId,
        @Nullable InstanceId instanceId,
        @Nullable Set<BookmarkId> bookmarks,
        @Nullable Object payload,
        int causes) {
      this(id, new Topic("", name), correlationId, instanceId, bookmarks, payload, causes);
    }

    public String name() {
      return topic.name();
    }

    private boolean reaches(BookmarkId bookmark) {
      return bookmarks == null || bookmarks.contains(bookmark);
    }
  }

  /**
   * The name of an event among those of a tenant: other tenants do not receive it.
   *
   * @param tenant empty: the default tenant
   */
  public record Topic(String tenant, String name) {}

  /** The receivers of an event; not a value: each stands for one event on its way. */
  private static final class Heard {
    private final Topic topic;
    private final @Nullable String correlationId;

    private Heard(Topic topic, @Nullable String correlationId) {
      this.topic = topic;
      this.correlationId = correlationId;
    }

    private boolean isOf(Event event) {
      return event.instanceId() == null
          && topic.equals(event.topic())
          && Objects.equals(correlationId, event.correlationId());
    }
  }

  /** One timer for each receiver of an event, in memory until they are closed. Thread-safe. */
  public static final class Receivers implements AutoCloseable {
    private final List<Timer> timers;
    private final int inFlightMax;
    private final BooleanSupplier inTime;
    private final Runnable end;

    private Receivers(List<Timer> timers, int inFlightMax, BooleanSupplier inTime, Runnable end) {
      this.timers = timers;
      this.inFlightMax = inFlightMax;
      this.inTime = inTime;
      this.end = end;
    }

    public List<Timer> timers() {
      return timers;
    }

    /** So many are served at one time. */
    public int inFlightMax() {
      return inFlightMax;
    }

    /**
     * Whether one more is served. The leader serves those that are left, by their rows; until then
     * another event has its turn.
     */
    public boolean areInTime() {
      return inTime.getAsBoolean();
    }

    /** May be repeated. */
    @Override
    public void close() {
      end.run();
    }
  }

  /** Whether an event with many receivers is in memory. */
  public boolean hasMany() {
    return many.get() != null;
  }

  public StimulusRows stimuli() {
    return stimuli;
  }

  /**
   * As {@link #of}, for an event from outside: fails with {@code OVERLOADED} when its many
   * receivers are being served already, before any is read.
   */
  public Future<Receivers> ofOutside(Event event) {
    var served = many.get();
    return served != null && served.isOf(event) ? Future.failedFuture(sameEvent(event)) : of(event);
  }

  /**
   * Nothing is written; an event without receivers has no deliveries. Fails with {@code OVERLOADED}
   * when both this event and another one that is not closed yet have more than a thousand, or carry
   * more than {@link #CARRIED_BY_FEW_CHARS_MAX} characters to all of them; with {@code TOO_LARGE}
   * when more than {@link #RECEIVERS_MAX} wait for it, or it carries too much to so many.
   */
  public Future<Receivers> of(Event event) {
    return resolved(event, few)
        .compose(timers -> {
          if (timers == null) {
            return ofMany(event);
          }
          if (timers.carriedChars() <= CARRIED_BY_FEW_CHARS_MAX) {
            return Future.succeededFuture(few(timers));
          }
          var receivers = many(timers, heard(event));
          return receivers == null
              ? Future.failedFuture(otherEvent())
              : Future.succeededFuture(receivers);
        });
  }

  private static Heard heard(Event event) {
    return new Heard(event.topic(), event.correlationId());
  }

  /**
   * Those of an event that was delivered before; null: they are too many beside another event's.
   */
  public @Nullable Receivers again(
      Topic topic, @Nullable String correlationId, List<Timer> timers) {
    return timers.size() <= few ? few(timers) : many(timers, new Heard(topic, correlationId));
  }

  private static Receivers few(List<Timer> timers) {
    return new Receivers(timers, IN_FLIGHT_MAX, () -> true, () -> {});
  }

  private @Nullable Receivers many(List<Timer> timers, Heard heard) {
    return many.compareAndSet(null, heard) ? taken(timers, heard) : null;
  }

  private Receivers taken(List<Timer> timers, Heard heard) {
    long from = nanoTime.getAsLong();
    return new Receivers(
        timers,
        IN_FLIGHT_OF_MANY_MAX,
        () -> nanoTime.getAsLong() - from < SERVED_MAX.toNanos(),
        () -> many.compareAndSet(heard, null));
  }

  private Future<Receivers> ofMany(Event event) {
    var heard = heard(event);
    if (!many.compareAndSet(null, heard)) {
      return Future.failedFuture(otherEvent());
    }
    return resolved(event, RECEIVERS_MAX)
        .compose(timers ->
            timers == null
                ? Future.<Receivers>failedFuture(tooMany(event))
                : Future.succeededFuture(taken(timers, heard)))
        .onFailure(_ -> many.compareAndSet(heard, null));
  }

  /** Null: more than {@code max} wait. */
  private Future<@Nullable DeliveryTimers> resolved(Event event, int max) {
    var hash = StimulusHash.of(event.topic().tenant(), Stimuli.event(event.name()));
    return stimuli
        .waiting(hash, event.correlationId(), event.instanceId(), max + 1)
        .compose(waiting ->
            waiting.size() > max
                ? Future.succeededFuture(null)
                : starts(event, hash).map(starts -> all(event, waiting, starts)));
  }

  private Future<List<EventTimers.Triggered>> starts(Event event, String hash) {
    if (event.instanceId() != null) {
      return Future.succeededFuture(List.of());
    }
    return stimuli
        .triggers(hash)
        .map(matches -> matches.stream().map(Deliveries::triggered).toList());
  }

  private static EventTimers.Triggered triggered(StimulusRows.Match match) {
    return new EventTimers.Triggered(
        match.triggerId(), match.definitionId(), match.versionId(), match.activityId());
  }

  private static DeliveryTimers all(
      Event event, List<BookmarkId> waiting, List<EventTimers.Triggered> starts) {
    var reached = waiting.stream().filter(event::reaches).toList();
    var carried =
        new DeliveryTimers.Carried(
            event.id(),
            event.topic().tenant(),
            event.correlationId(),
            event.payload(),
            event.causes());
    var timers = new DeliveryTimers(carried, starts, reached);
    requireCarried(timers);
    return timers;
  }

  private static void requireCarried(DeliveryTimers timers) {
    long all = timers.carriedChars();
    long read = timers.isEmpty() ? 0 : all / timers.size() * Math.min(timers.size(), READ_MAX);
    if (all > CARRIED_CHARS_MAX || read > CARRIED_READ_CHARS_MAX) {
      throw new SkeinException(
          ErrorCode.TOO_LARGE,
          "What the event carries, for "
              + timers.size()
              + " receivers, is "
              + all
              + " characters; at most "
              + CARRIED_CHARS_MAX
              + " for all of them are allowed, and "
              + CARRIED_READ_CHARS_MAX
              + " for any "
              + READ_MAX
              + ": let them fetch it, or publish it with a correlation id");
    }
  }

  /**
   * A name without receivers that resembles another one is refused, since it is probably a mistake.
   */
  public static void requireDistinct(String eventName) {
    var doubt = DistinctText.doubt(eventName);
    if (doubt != null) {
      throw new SkeinException(
          ErrorCode.INVALID_ID, "No instance waits for the event, and its name " + doubt);
    }
  }

  private static SkeinException sameEvent(Event event) {
    return new SkeinException(
        ErrorCode.OVERLOADED,
        "This node delivers event "
            + event.name()
            + " to many receivers already: publish it again in a moment");
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
