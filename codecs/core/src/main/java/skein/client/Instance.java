package skein.client;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;

/**
 * An instance as it is stored.
 *
 * @param input by the names of the workflow's inputs; JSON values
 * @param output by the names of the workflow's outputs; JSON values
 * @param bookmarks what it waits for, in the order in which it began to wait
 * @param incidents what went wrong, the oldest first
 */
public record Instance(
    Outcome outcome,
    @Nullable String correlationId,
    Map<String, @Nullable Object> input,
    Map<String, @Nullable Object> output,
    List<Bookmark> bookmarks,
    List<Incident> incidents) {

  /**
   * Something that the instance waits for.
   *
   * @param name what waits, such as {@code Elsa.Event}
   * @param payload what it waits for; a JSON value
   * @param dueAt when it fires by itself; null: never
   */
  public record Bookmark(
      BookmarkId id,
      String name,
      String activityId,
      @Nullable Object payload,
      @Nullable Instant dueAt) {}

  /** Something that went wrong. */
  public record Incident(
      String activityId, String activityType, @Nullable String message, Instant at) {}

  public InstanceId id() {
    return outcome.instanceId();
  }

  public WorkflowStatus status() {
    return outcome.status();
  }
}
