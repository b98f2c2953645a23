package skein.codecs;

import org.jspecify.annotations.Nullable;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Rules for every request, over HTTP and over the event bus. */
public final class RequestRules {
  public static final int DEFINITION_ID_CHARS_MAX = DefinitionCodec.ID_CHARS_MAX;
  public static final int CORRELATION_ID_CHARS_MAX = 255;
  public static final int NAME_CHARS_MAX = 255;
  public static final int IDEMPOTENCY_KEY_CHARS_MAX = 255;
  public static final int EVENT_NAME_CHARS_MAX = 255;
  public static final int TASK_ID_CHARS_MAX = 255;
  public static final int TOKEN_CHARS_MAX = 512;
  public static final int ACTOR_CHARS_MAX = 255;

  /** Entries of a journal in one answer. */
  public static final int JOURNAL_TAKE_MAX = 1_000;

  /** Those that an answer has when the request does not say how many. */
  public static final int JOURNAL_TAKE = 100;

  private RequestRules() {}

  /**
   * The request with its own copy of its values; throws {@code INVALID_REQUEST}, {@code TOO_LARGE},
   * {@code TOO_DEEP} or {@code UNSTORABLE_TEXT}, naming the member.
   */
  public static Request checked(Request request, JsonLimits limits) {
    if (request instanceof Request.Start r) {
      return new Request.Start(
          StorableText.check("definitionId", r.definitionId(), DEFINITION_ID_CHARS_MAX),
          JsonValues.copyMap("input", r.input(), limits),
          text("correlationId", r.correlationId(), CORRELATION_ID_CHARS_MAX),
          text("name", r.name(), NAME_CHARS_MAX),
          r.instanceId(),
          text("idempotencyKey", r.idempotencyKey(), IDEMPOTENCY_KEY_CHARS_MAX),
          r.dispatch());
    }
    if (request instanceof Request.Resume r) {
      return new Request.Resume(
          r.instanceId(), r.bookmarkId(), JsonValues.copyMap("input", r.input(), limits));
    }
    if (request instanceof Request.ResumeByToken r) {
      return new Request.ResumeByToken(
          StorableText.check("token", r.token(), TOKEN_CHARS_MAX),
          JsonValues.copyMap("input", r.input(), limits),
          text("actor", r.actor(), ACTOR_CHARS_MAX));
    }
    if (request instanceof Request.PublishEvent r) {
      return new Request.PublishEvent(
          StorableText.check("eventName", r.eventName(), EVENT_NAME_CHARS_MAX),
          text("correlationId", r.correlationId(), CORRELATION_ID_CHARS_MAX),
          r.instanceId(),
          JsonValues.copy("payload", r.payload(), limits));
    }
    if (request instanceof Request.CompleteTask r) {
      return new Request.CompleteTask(
          StorableText.check("taskId", r.taskId(), TASK_ID_CHARS_MAX),
          JsonValues.copy("result", r.result(), limits));
    }
    if (request instanceof Request.Cancel r) {
      return r;
    }
    if (request instanceof Request.Query r) {
      return r;
    }
    if (request instanceof Request.Journal r) {
      inRange("after", r.after(), 0, Integer.MAX_VALUE);
      inRange("take", r.take(), 1, JOURNAL_TAKE_MAX);
      return r;
    }
    throw Unwritten.kind(request);
  }

  private static void inRange(String member, long value, long min, long max) {
    if (value < min || value > max) {
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST, "%s is %d, not %d to %d".formatted(member, value, min, max));
    }
  }

  private static @Nullable String text(String what, @Nullable String value, int charsMax) {
    return value == null ? null : StorableText.check(what, value, charsMax);
  }
}
