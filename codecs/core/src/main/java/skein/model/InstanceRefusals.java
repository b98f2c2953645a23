package skein.model;

import java.util.List;

/** Refusals that concern an instance, its bookmarks or its tasks. */
public final class InstanceRefusals {
  /** Travels between nodes, so it never changes; callers are not told. */
  private static final String MAY_GO_ON = "may-go-on";

  private InstanceRefusals() {}

  public static SkeinException instanceNotFound(InstanceId id) {
    return new SkeinException(ErrorCode.INSTANCE_NOT_FOUND, "No workflow instance " + id);
  }

  /** Where the instance has faulted, the refusal says that it {@link #mayGoOn may go on}. */
  public static SkeinException instanceFinished(InstanceId id, WorkflowStatus status) {
    return new SkeinException(
        ErrorCode.INSTANCE_FINISHED,
        "Workflow instance " + id + " is " + status,
        status == WorkflowStatus.Faulted ? List.of(MAY_GO_ON) : List.of(),
        null);
  }

  /** Whether what is refused may be accepted later, as the instance has faulted and may go on. */
  public static boolean mayGoOn(SkeinException refused) {
    return refused.errors().equals(List.of(MAY_GO_ON));
  }

  /** The refusal as callers are told it. */
  public static Throwable told(Throwable failure) {
    return failure instanceof SkeinException refused && mayGoOn(refused)
        ? new SkeinException(refused.code(), refused.detail(), List.of(), refused.getCause())
        : failure;
  }

  public static SkeinException instanceExists(InstanceId id) {
    return new SkeinException(ErrorCode.INSTANCE_EXISTS, "Workflow instance " + id + " exists");
  }

  /** Of an id that callers cannot choose, whether or not an instance has it. */
  public static SkeinException reservedId(InstanceId id) {
    return new SkeinException(
        ErrorCode.INVALID_ID,
        "\""
            + id
            + "\" has the form of ids that are made here, for occurrences of schedules and for"
            + " idempotency keys: choose one of another form, as a UUID with dashes");
  }

  public static SkeinException idempotencyKeyReused(InstanceId id) {
    return new SkeinException(
        ErrorCode.IDEMPOTENCY_KEY_REUSED,
        "The idempotency key was used for another request, which started instance " + id);
  }

  public static SkeinException stateTooLarge(InstanceId id, int max) {
    return new SkeinException(
        ErrorCode.STATE_TOO_LARGE,
        "The state of instance %s would take more than %d bytes, the limit".formatted(id, max));
  }

  public static SkeinException alreadyResumed(InstanceId id) {
    return new SkeinException(
        ErrorCode.ALREADY_RESUMED, "AlreadyResumed: the bookmark of instance " + id + " is gone");
  }

  /** As {@link #alreadyResumed}, of a bookmark that is open again if its instance goes on. */
  public static SkeinException shelved(InstanceId id) {
    return new SkeinException(
        ErrorCode.ALREADY_RESUMED,
        "AlreadyResumed: instance " + id + " has faulted, which has closed its bookmarks",
        List.of(MAY_GO_ON),
        null);
  }

  public static SkeinException bookmarkNotFound(BookmarkId id) {
    return new SkeinException(ErrorCode.BOOKMARK_NOT_FOUND, "No bookmark " + id);
  }

  public static SkeinException severalBookmarks(InstanceId id, List<Bookmark> open) {
    return new SkeinException(
        ErrorCode.SEVERAL_BOOKMARKS,
        "Instance " + id + " waits at " + open.size() + " bookmarks: name one as bookmarkId",
        open.stream()
            .limit(20)
            .map(b -> b.id() + " (" + b.activityId() + ", " + b.name() + ")")
            .toList(),
        null);
  }

  public static SkeinException taskNotFound(String taskId) {
    return new SkeinException(ErrorCode.TASK_NOT_FOUND, "No task " + taskId);
  }

  public static SkeinException taskClaimed(BookmarkId id, String by) {
    return new SkeinException(
        ErrorCode.TASK_CLAIMED,
        "Task " + id + " is claimed by " + by + ": name that user, or have it assigned again");
  }

  public static SkeinException taskNotYours(BookmarkId id, String user) {
    return new SkeinException(
        ErrorCode.TASK_NOT_YOURS,
        "Task " + id + " is neither for " + user + " nor for one of the groups that were named");
  }

  /** {@code errors}: each a sentence for people, with the place in the data. */
  public static SkeinException taskInvalid(BookmarkId id, List<String> errors) {
    return new SkeinException(
        ErrorCode.TASK_INVALID,
        "What task " + id + " was completed with was refused: correct it and complete it again",
        errors,
        null);
  }

  public static SkeinException inProgress(InstanceId id) {
    return new SkeinException(
        ErrorCode.IN_PROGRESS, "InProgress: instance " + id + " is being resumed elsewhere");
  }

  public static SkeinException bookmarkExpired(InstanceId id) {
    return new SkeinException(
        ErrorCode.BOOKMARK_EXPIRED, "The bookmark of instance " + id + " has expired");
  }

  public static SkeinException outcomeUnknown(InstanceId id, Throwable cause) {
    return new SkeinException(
        ErrorCode.OUTCOME_UNKNOWN,
        "The outcome of the change of instance "
            + id
            + " is unknown; read the instance before retrying",
        List.of(),
        cause);
  }
}
