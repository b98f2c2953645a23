package skein.model;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A refusal the caller can understand. Each situation has its factory, here or in {@link
 * InstanceRefusals}; boundaries map the code once.
 */
public final class SkeinException extends RuntimeException {
  private final ErrorCode code;
  private final List<String> errors;

  /** Not serialized: only the node that has looked at a definition knows them. */
  private final transient List<Finding> findings;

  public SkeinException(ErrorCode code, String message) {
    this(code, message, List.of(), null);
  }

  /** {@code errors}: the single findings when there are several, each a sentence for people. */
  public SkeinException(
      ErrorCode code, String message, List<String> errors, @Nullable Throwable cause) {
    this(code, message, errors, List.of(), cause);
  }

  private SkeinException(
      ErrorCode code,
      String message,
      List<String> errors,
      List<Finding> findings,
      @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.errors = List.copyOf(errors);
    this.findings = List.copyOf(findings);
  }

  public ErrorCode code() {
    return code;
  }

  public List<String> errors() {
    return errors;
  }

  /** The errors of a definition, as in {@link #errors}, with the place of each; often empty. */
  public List<Finding> findings() {
    return findings;
  }

  /** Never null: every factory says what happened. */
  public String detail() {
    var message = getMessage();
    return message == null ? code.name() : message;
  }

  public static SkeinException invalidId(String what, String value) {
    var shown = value.length() > 80 ? value.substring(0, 80) + "…" : value;
    return new SkeinException(
        ErrorCode.INVALID_ID,
        "\""
            + shown
            + "\" is not the id of a "
            + what
            + ": 1 to 36 letters, digits, _ or - (bookmarks end in -number)");
  }

  public static SkeinException idempotencyKeyReused() {
    return new SkeinException(
        ErrorCode.IDEMPOTENCY_KEY_REUSED,
        "The idempotency key was used for another request: make a new one for each request");
  }

  public static SkeinException idempotencyKeyInUse() {
    return new SkeinException(
        ErrorCode.IDEMPOTENCY_KEY_IN_USE,
        "A request with this idempotency key is under way: repeat it in a moment for its answer");
  }

  public static SkeinException activationRefused(String definitionId) {
    return new SkeinException(
        ErrorCode.ACTIVATION_REFUSED,
        "An instance that excludes a new one of " + definitionId + " has not ended yet");
  }

  public static SkeinException tooManyInstances(String definitionId, int max) {
    return new SkeinException(
        ErrorCode.TOO_MANY_INSTANCES,
        definitionId
            + " has as many unfinished instances as a definition may have ("
            + max
            + ", execution.instances-per-definition-max)");
  }

  public static SkeinException tooManyInstancesOfTenant(String tenant, int max) {
    return new SkeinException(
        ErrorCode.TOO_MANY_INSTANCES,
        "The tenant "
            + tenant
            + " has as many unfinished instances as it may have ("
            + max
            + ", tenancy.instances-max)");
  }

  public static SkeinException tooManyStarts(String tenant, int perSecond) {
    return new SkeinException(
        ErrorCode.TOO_MANY_REQUESTS,
        "The tenant "
            + tenant
            + " starts more instances in a second than it may ("
            + perSecond
            + ", tenancy.starts-per-second)");
  }

  public static SkeinException scheduleNotFound(String id) {
    return new SkeinException(ErrorCode.SCHEDULE_NOT_FOUND, "No schedule " + id);
  }

  public static SkeinException scheduleExists(String id) {
    return new SkeinException(
        ErrorCode.SCHEDULE_EXISTS, "Schedule " + id + " exists: change it, or take another id");
  }

  /** {@code errors}: each a sentence for people that begins with the member. */
  public static SkeinException scheduleInvalid(List<String> errors) {
    return new SkeinException(
        ErrorCode.SCHEDULE_INVALID, "The schedule was refused: correct it", errors, null);
  }

  public static SkeinException scheduleChanged(String id, long revision) {
    return new SkeinException(
        ErrorCode.SCHEDULE_CHANGED,
        "Schedule " + id + " is at revision " + revision + " by now: read it and change it again");
  }

  public static SkeinException scheduleReadOnly(String id, String definitionId) {
    return new SkeinException(
        ErrorCode.SCHEDULE_READ_ONLY,
        "Schedule " + id + " is a trigger of " + definitionId + ": publish or retract that");
  }

  public static SkeinException tokenInvalid() {
    return new SkeinException(ErrorCode.TOKEN_INVALID, "The token is not valid or was used");
  }

  public static SkeinException tokenExpired() {
    return new SkeinException(ErrorCode.TOKEN_EXPIRED, "The token has expired");
  }

  public static SkeinException definitionNotFound(String selector) {
    return new SkeinException(ErrorCode.DEFINITION_NOT_FOUND, "No workflow definition " + selector);
  }

  public static SkeinException definitionNotPublished(String definitionId) {
    return new SkeinException(
        ErrorCode.DEFINITION_NOT_PUBLISHED,
        "Workflow definition " + definitionId + " has no published version: publish it first");
  }

  public static SkeinException definitionInvalid(List<String> errors) {
    return new SkeinException(
        ErrorCode.DEFINITION_INVALID, "The workflow definition was refused", errors, null);
  }

  /** {@code findings}: all that keeps it from being published, which may be warnings. */
  public static SkeinException definitionRefused(List<Finding> findings) {
    return new SkeinException(
        ErrorCode.DEFINITION_INVALID,
        findings.stream().anyMatch(Finding::isError)
            ? "The workflow definition was refused"
            : "The workflow definition was refused: with strict=true warnings count as errors",
        findings.stream().map(Finding::message).toList(),
        findings,
        null);
  }

  public static SkeinException overloaded(String queue, int max) {
    return new SkeinException(
        ErrorCode.OVERLOADED, queue + " is full (" + max + "): try again in a moment");
  }

  /** {@code what}: a plural. */
  public static SkeinException tooMany(String what, int max) {
    return new SkeinException(
        ErrorCode.OVERLOADED,
        "Too many concurrent " + what + " (limit " + max + "): try again in a moment");
  }

  public static SkeinException behind(Duration max) {
    return new SkeinException(
        ErrorCode.OVERLOADED,
        "The node is more than "
            + max.toMillis()
            + " ms behind with its commits: try again in a moment");
  }

  /**
   * {@code what}: an expression that was given too little processor time, and when it was ended.
   */
  public static SkeinException starved(String what, @Nullable Throwable cause) {
    return new SkeinException(
        ErrorCode.OVERLOADED,
        "The node was frozen or is overloaded; nothing has happened: try again in a moment. "
            + what,
        List.of(),
        cause);
  }

  /** {@code what}: what was written by a newer version. */
  public static SkeinException newerFormat(String what, @Nullable Throwable cause) {
    return new SkeinException(
        ErrorCode.NEWER_FORMAT,
        what
            + " is of a newer version than this node's, which leaves it alone: try again when a"
            + " node of that version is there",
        List.of(),
        cause);
  }

  /** {@code place}: the place of the value among those of its subject. */
  public static SkeinException encryptionKeyMissing(String subject, String place, int key) {
    return new SkeinException(
        ErrorCode.ENCRYPTION_KEY_MISSING,
        "%s of %s is encrypted with data key %d, which this node does not have: give it the master key of the others (encryption.master-key-file)"
            .formatted(place, subject, key));
  }

  public static SkeinException encryptedValueDamaged(
      String subject, String place, @Nullable Throwable cause) {
    return new SkeinException(
        ErrorCode.ENCRYPTED_VALUE_DAMAGED,
        "%s of %s is not what was encrypted for this place: restore the row from a backup"
            .formatted(place, subject),
        List.of(),
        cause);
  }

  /** {@code type}: of an activity that other nodes know and this one does not. */
  public static SkeinException activityElsewhere(String type, String nodeId) {
    return new SkeinException(
        ErrorCode.ACTIVITY_ELSEWHERE,
        "Activity "
            + nodeId
            + " is of the type "
            + type
            + ", which only other nodes have: nothing has happened. Give its jar to all nodes that"
            + " execute, or try again when one that has it answers",
        List.of(type),
        null);
  }

  /**
   * For a request whose repetition under the same idempotency key might get another answer.
   *
   * @param refusal with which it would have been refused; null: it was carried out
   */
  public static SkeinException answerNotKept(@Nullable ErrorCode refusal) {
    return refusal == null
        ? new SkeinException(
            ErrorCode.OUTCOME_UNKNOWN,
            "The request was carried out, but its answer is not known to be kept under its"
                + " idempotency key: repeat it with the same key to be answered")
        : new SkeinException(
            ErrorCode.STORAGE_UNAVAILABLE,
            "Nothing was changed ("
                + refusal
                + "), but this answer is not known to be kept under its idempotency key: repeat"
                + " the request with the same key");
  }

  public static SkeinException storageUnavailable(String what, Throwable cause) {
    return new SkeinException(
        ErrorCode.STORAGE_UNAVAILABLE, "The database did not answer: " + what, List.of(), cause);
  }
}
