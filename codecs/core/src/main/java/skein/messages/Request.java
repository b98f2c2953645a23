package skein.messages;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.BookmarkId;
import skein.model.InstanceId;

/** A request of a service to the cluster; any node answers. The wire format is versioned. */
public sealed interface Request {

  /**
   * Starts an instance of the published version.
   *
   * @param instanceId chosen by the caller; null lets the cluster choose
   * @param idempotencyKey a second start with the same key and definition returns the first's
   *     instance; 1 to 255 characters
   * @param dispatch true answers as soon as the start is durable; false after the first burst
   */
  record Start(
      String definitionId,
      Map<String, @Nullable Object> input,
      @Nullable String correlationId,
      @Nullable String name,
      @Nullable InstanceId instanceId,
      @Nullable String idempotencyKey,
      boolean dispatch)
      implements Request {}

  /** Resumes a bookmark; without an id the only open one. */
  record Resume(
      InstanceId instanceId, @Nullable BookmarkId bookmarkId, Map<String, @Nullable Object> input)
      implements Request {}

  /** Resumes the bookmark a token stands for. */
  record ResumeByToken(String token, Map<String, @Nullable Object> input, @Nullable String actor)
      implements Request {
    /** Without the token. */
    @Override
    public String toString() {
      return "ResumeByToken[input=" + input + ", actor=" + actor + "]";
    }
  }

  /** Resumes the instances that wait for the event and starts those that it triggers. */
  record PublishEvent(
      String eventName,
      @Nullable String correlationId,
      @Nullable InstanceId instanceId,
      @Nullable Object payload)
      implements Request {}

  /** Answers a task that a RunTask activity asked for. */
  record CompleteTask(String taskId, @Nullable Object result) implements Request {}

  record Cancel(InstanceId instanceId) implements Request {}

  /** Asks for an instance as it is stored. */
  record Query(InstanceId instanceId) implements Request {}

  /**
   * Asks for a part of the journal of an instance.
   *
   * @param after the sequence of the entry after which to continue; 0: from the beginning
   * @param take how many entries at most
   */
  record Journal(InstanceId instanceId, long after, int take) implements Request {}
}
