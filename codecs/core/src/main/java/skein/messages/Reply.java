package skein.messages;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.DefinitionRef;
import skein.model.Effect;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** The answer to a {@link Request} or a {@link Command}. */
public sealed interface Reply {

  /**
   * It is committed.
   *
   * @param httpAnswer the workflow's answer to the HTTP request that caused the burst
   * @param state where it was requested
   */
  record Done(
      InstanceId instanceId,
      DefinitionRef definition,
      WorkflowStatus status,
      long revision,
      Effect.@Nullable HttpAnswer httpAnswer,
      @Nullable WorkflowInstance state)
      implements Reply {}

  /**
   * The receivers of an event or a task completion.
   *
   * @param resumed bookmarks whose resumption by it is committed
   * @param started instances whose start by it is committed
   * @param instances the first 1,000 of those, and of those that are still to be reached, which are
   *     not counted
   */
  record Delivered(int resumed, int started, List<InstanceId> instances) implements Reply {}

  /** The only time the token is seen. */
  record TokenMinted(String token, @Nullable Instant expiresAt) implements Reply {
    /** Without the token. */
    @Override
    public String toString() {
      return "TokenMinted[expiresAt=" + expiresAt + "]";
    }
  }

  /** Entries of a journal, the oldest first; fewer than were asked for: there are no more yet. */
  record Journal(InstanceId instanceId, List<Entry> entries) implements Reply {
    /**
     * An entry without its data.
     *
     * @param sequence 1 or more; rises from entry to entry
     * @param event such as {@code Started}, {@code Completed}, {@code Faulted}
     */
    public record Entry(
        long sequence,
        Instant at,
        String event,
        String activityId,
        String activityType,
        @Nullable String message) {}
  }

  /** Nothing was changed by it, unless the code is {@code OUTCOME_UNKNOWN} or {@code TIMEOUT}. */
  record Refused(ErrorCode code, String detail, List<String> errors) implements Reply {}
}
