package skein.model;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A durable place where an instance waits; burnt when it is resumed.
 *
 * @param name the kind of stimulus it waits for: {@code Elsa.Event}, {@code Elsa.Delay}, …
 * @param hash finds it from a stimulus, see {@link StimulusHash}
 * @param payload a JSON value: compared with the stimulus, or data of the activity that waits
 * @param activityId the activity that waits
 * @param nodeId the path of that activity
 * @param execution the number of the {@link ActivityExecution} that waits
 * @param dueAt when it resumes by itself; then a timer row with the bookmark's id exists
 * @param token the one-time token that may resume it from outside
 * @param tag the activity's own mark, to distinguish its bookmarks on resumption
 */
public record Bookmark(
    BookmarkId id,
    String name,
    String hash,
    @Nullable Object payload,
    String activityId,
    String nodeId,
    int execution,
    Instant createdAt,
    @Nullable Instant dueAt,
    @Nullable TokenGrant token,
    @Nullable String tag) {

  /** Marks the tags of the engine's own bookmarks. */
  private static final String ENGINE = "$";

  /** The tag of the end of an attempt; it is that of every bookmark of the execution. */
  public static final String TIMEOUT = ENGINE + "timeout";

  /** The tag of the end of another bookmark of the execution, whose hash {@link #EXPIRES} names. */
  public static final String EXPIRY = ENGINE + "expiry";

  /** The member of the payload of an expiry that has the hash of the bookmark that expires. */
  public static final String EXPIRES = "expires";

  /** The tag of a delay before another attempt. */
  public static final String RETRY = ENGINE + "retry";

  /** The tag of a link that publishes an event to the instance: only its token resumes it. */
  public static final String EVENT_LINK = ENGINE + "eventLink";

  /** The name of one that waits for a worker outside the cluster to do a job. */
  public static final String JOB = "Skein.Job";

  /** Whether it is a job: a timer with its id exists while a worker has leased it. */
  public boolean isJob() {
    return name.equals(JOB);
  }

  /** Whether a timer with its id may exist. */
  public boolean mayHaveTimer() {
    return dueAt != null || isJob();
  }

  /** Whether only the engine itself resumes it: a retry, a deadline, work under way. */
  public boolean ofEngine() {
    return tag != null && tag.startsWith(ENGINE);
  }

  /** Whether it is the delay before another attempt. */
  public boolean isRetry() {
    return RETRY.equals(tag);
  }

  /** Whether it is the end of {@code other}, or of the attempt that waits there. */
  public boolean ends(Bookmark other) {
    if (execution != other.execution || dueAt == null || tag == null) {
      return false;
    }
    return switch (tag) {
      case TIMEOUT -> true;
      case EXPIRY -> payload instanceof Map<?, ?> map && other.hash.equals(map.get(EXPIRES));
      default -> false;
    };
  }

  /**
   * The instant from which external callers may no longer resume it.
   *
   * @param all the open bookmarks of the instance
   * @return null: it does not expire, or only the engine resumes it
   */
  public @Nullable Instant expiresAt(Collection<Bookmark> all) {
    if (ofEngine()) {
      return null;
    }
    return all.stream()
        .filter(bookmark -> bookmark.ends(this))
        .map(Bookmark::dueAt)
        .filter(Objects::nonNull)
        .min(Instant::compareTo)
        .orElse(null);
  }

  /** Whether it is a link that publishes an event: no activity waits at it. */
  public boolean isEventLink() {
    return EVENT_LINK.equals(tag);
  }

  public Bookmark withId(BookmarkId next) {
    return new Bookmark(
        next, name, hash, payload, activityId, nodeId, execution, createdAt, dueAt, token, tag);
  }

  public Bookmark withPayload(@Nullable Object next) {
    return new Bookmark(
        id, name, hash, next, activityId, nodeId, execution, createdAt, dueAt, token, tag);
  }

  public Bookmark withToken(@Nullable TokenGrant next) {
    return new Bookmark(
        id, name, hash, payload, activityId, nodeId, execution, createdAt, dueAt, next, tag);
  }
}
