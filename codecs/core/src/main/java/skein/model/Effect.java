package skein.model;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An action after the commit of a burst. Losing one loses convenience, never truth. */
public sealed interface Effect {
  /** A line of text written by the workflow. */
  record Line(String text) implements Effect {}

  /**
   * The answer to the HTTP request that caused the burst.
   *
   * @param status 100 to 599
   * @param headers name to value, as given
   * @param contentType null when the workflow did not say
   * @param content a JSON value; a string is sent as it is
   * @param base64 the content is a string that stands for bytes
   */
  record HttpAnswer(
      int status,
      Map<String, String> headers,
      @Nullable String contentType,
      @Nullable Object content,
      boolean base64)
      implements Effect {

    /** With content other than bytes. */
    public HttpAnswer(
        int status,
        Map<String, String> headers,
        @Nullable String contentType,
        @Nullable Object content) {
      this(status, headers, contentType, content, false);
    }
  }

  /**
   * Work outside that the instance waits for at a bookmark.
   *
   * @param kind names who performs it
   * @param timeout of this attempt
   * @param key the same for every attempt, by which the receiver may recognise a repetition
   */
  record Work(
      BookmarkId bookmarkId,
      String kind,
      Map<String, @Nullable Object> request,
      Duration timeout,
      String key,
      int attempt)
      implements Effect {}

  /**
   * A job waits for a worker outside the cluster; its bookmark has the details.
   *
   * @param type by which workers lease it
   */
  record JobWaiting(BookmarkId bookmarkId, String type) implements Effect {}

  /** An external system is asked to perform a task and to complete it by its id. */
  record TaskRequested(String taskId, String taskName, @Nullable Object payload)
      implements Effect {}

  /**
   * An event is published to every other instance and trigger that waits for it.
   *
   * @param id deterministic, so that an event published twice by a repeated burst is one
   * @param causes instances of which each started the next, up to the one that publishes it; 0: not
   *     counted yet
   */
  record EventPublished(
      String id,
      String eventName,
      @Nullable String correlationId,
      @Nullable Object payload,
      int causes)
      implements Effect {
    /** {@code causes}: as in the record. */
    public EventPublished withCauses(int causes) {
      return new EventPublished(id, eventName, correlationId, payload, causes);
    }
  }
}
