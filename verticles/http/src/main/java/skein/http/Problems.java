package skein.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.handler.HttpException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.bus.Refusals;
import skein.codecs.JsonText;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.Finding;
import skein.model.FindingCode;
import skein.model.SkeinException;

/**
 * Failures as RFC 9457 {@code application/problem+json}, with the members in which Elsa's clients
 * look for what is wrong: {@code statusCode}, {@code message} and {@code errors}.
 */
final class Problems {
  static final String CONTENT_TYPE = "application/problem+json; charset=utf-8";
  private static final int INVALID = 400;

  /** The name under which FastEndpoints, on which Elsa's API is built, lists errors. */
  private static final String NO_FIELD = "generalErrors";

  /** RFC 6750, and Elsa's scheme. */
  private static final String CHALLENGE = "Bearer realm=\"skein\", ApiKey realm=\"skein\"";

  private static final Set<ErrorCode> RETRIED =
      Set.of(
          ErrorCode.IDEMPOTENCY_KEY_IN_USE,
          ErrorCode.TOO_MANY_ATTEMPTS,
          ErrorCode.TOO_MANY_REQUESTS,
          ErrorCode.TOO_MANY_INSTANCES);

  private static final Logger log = LoggerFactory.getLogger(Problems.class);

  private Problems() {}

  /** The one place that says which status a refusal has. */
  static String type(ErrorCode code) {
    return "urn:skein:error:" + code.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static int status(ErrorCode code) {
    return switch (code) {
      case INVALID_JSON,
          INVALID_REQUEST,
          REQUEST_AMBIGUOUS,
          PATH_AMBIGUOUS,
          INVALID_ID,
          TOO_DEEP,
          UNSTORABLE_TEXT,
          DEFINITION_INVALID,
          TASK_INVALID,
          SCHEDULE_INVALID,
          SIGN_IN_INVALID ->
          400;
      case UNAUTHENTICATED -> 401;
      case CROSS_SITE, HTTPS_REQUIRED, FORBIDDEN, TASK_NOT_YOURS, DEFINITION_READ_ONLY -> 403;
      case NOT_FOUND,
          DEFINITION_NOT_FOUND,
          DEFINITION_NOT_PUBLISHED,
          INSTANCE_NOT_FOUND,
          BOOKMARK_NOT_FOUND,
          TOKEN_INVALID,
          TASK_NOT_FOUND,
          SCHEDULE_NOT_FOUND,
          NODE_NOT_FOUND,
          NO_ENDPOINT ->
          404;
      case METHOD_NOT_ALLOWED -> 405;
      case REQUEST_INCOMPLETE -> 408;
      case ACTIVATION_REFUSED,
          ALTERATION_REFUSED,
          PAST_STATE_UNKNOWN,
          DEFINITION_CONFLICT,
          DEFINITION_IN_USE,
          INSTANCE_FINISHED,
          INSTANCE_EXISTS,
          SEVERAL_BOOKMARKS,
          ALREADY_RESUMED,
          JOB_LEASE_LOST,
          IN_PROGRESS,
          TASK_CLAIMED,
          IDEMPOTENCY_KEY_IN_USE,
          SCHEDULE_EXISTS,
          SCHEDULE_READ_ONLY,
          LAST_NODE,
          NAME_TAKEN,
          NODE_BUSY,
          RUNTIME_DRAINING,
          AMBIGUOUS_ENDPOINT ->
          409;
      case TOKEN_EXPIRED, BOOKMARK_EXPIRED -> 410;
      case SCHEDULE_CHANGED -> 412;
      case TOO_LARGE, STATE_TOO_LARGE -> 413;
      case UNSUPPORTED_MEDIA_TYPE -> 415;
      case EXPECTATION_FAILED -> 417;
      case HOST_UNKNOWN -> 421;
      case IDEMPOTENCY_KEY_REUSED -> 422;
      case TOO_MANY_ATTEMPTS, TOO_MANY_REQUESTS, TOO_MANY_INSTANCES -> 429;
      case INTERNAL, INSTANCE_FAULTED, ENCRYPTED_VALUE_DAMAGED -> 500;
      case OVERLOADED,
          NOT_READY,
          RUNTIME_PAUSED,
          PROVIDER_UNAVAILABLE,
          NEWER_FORMAT,
          ACTIVITY_ELSEWHERE,
          ENCRYPTION_KEY_MISSING,
          STORAGE_UNAVAILABLE ->
          503;
      case OUTCOME_UNKNOWN, TIMEOUT -> 504;
    };
  }

  static Answer of(Throwable failure) {
    var refusal = refusal(failure);
    var more =
        failure instanceof SkeinException refused && !refused.findings().isEmpty()
            ? Map.of("validationErrors", FindingJson.all(refused.findings()))
            : Map.<String, Object>of();
    return of(refusal, status(refusal.code()), more);
  }

  /** {@code more}: members of the problem that only some situations have. */
  static Answer of(Reply.Refused refusal, int status, Map<String, ?> more) {
    var code = refusal.code();
    var problem = new LinkedHashMap<String, @Nullable Object>();
    problem.put("type", type(code));
    problem.put("title", title(code));
    problem.put("status", (long) status);
    problem.put("detail", refusal.detail());
    problem.put("code", code.name());
    var errors =
        refusal.errors().isEmpty() && status == INVALID
            ? List.of(refusal.detail())
            : refusal.errors();
    if (!errors.isEmpty()) {
      problem.put("statusCode", (long) status);
      problem.put("message", "One or more errors occurred!");
      problem.put("errors", Map.of(NO_FIELD, errors));
    }
    if (code == ErrorCode.DEFINITION_INVALID) {
      // Where Elsa's clients look for what is wrong with a definition.
      problem.put(
          "validationErrors",
          FindingJson.all(
              refusal.errors().stream()
                  .map(error -> Finding.error(FindingCode.INVALID_DOCUMENT, error))
                  .toList()));
    }
    problem.putAll(more);
    var answer =
        new Answer(status, Map.of(), CONTENT_TYPE, Buffer.buffer(JsonText.printBytes(problem)))
            .refusing(code);
    if (code == ErrorCode.UNAUTHENTICATED) {
      return answer.with("WWW-Authenticate", CHALLENGE);
    }
    return status == 503 || RETRIED.contains(code)
        ? answer.with("Retry-After", retryAfter(code))
        : answer;
  }

  /**
   * The error for the caller; unexpected failures are logged here, once, without details for the
   * caller.
   */
  static Reply.Refused refusal(Throwable failure) {
    if (failure instanceof HttpException http) {
      return refusal(http.getStatusCode(), http.getPayload());
    }
    var refusal = Refusals.of(failure);
    if (refusal.code() == ErrorCode.INTERNAL) {
      log.atError().setCause(failure).log("request.failed");
    }
    return refusal;
  }

  /** A refusal as an exception, for what collects several. */
  static SkeinException exception(Throwable failure) {
    return failure instanceof SkeinException refused
        ? refused
        : Refusals.toException(refusal(failure));
  }

  /** The refusals of Vert.x Web itself. */
  static Reply.Refused refusal(int status, @Nullable String why) {
    var code =
        switch (status) {
          case 404 -> ErrorCode.NOT_FOUND;
          case 405 -> ErrorCode.METHOD_NOT_ALLOWED;
          case 413 -> ErrorCode.TOO_LARGE;
          case 415 -> ErrorCode.UNSUPPORTED_MEDIA_TYPE;
          case 503 -> ErrorCode.OVERLOADED;
          case 504 -> ErrorCode.TIMEOUT;
          default -> status < 500 ? ErrorCode.INVALID_REQUEST : ErrorCode.INTERNAL;
        };
    return new Reply.Refused(code, why == null ? title(code) : why, List.of());
  }

  /** The code in words: {@code ALREADY_RESUMED} is "Already resumed". */
  static String title(ErrorCode code) {
    var words = code.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }

  /** Seconds. */
  private static String retryAfter(ErrorCode code) {
    return switch (code) {
      case OVERLOADED, IDEMPOTENCY_KEY_IN_USE, TOO_MANY_ATTEMPTS, TOO_MANY_REQUESTS -> "1";
      case RUNTIME_PAUSED -> "60"; // Until an operator ends it.
      default -> "5";
    };
  }
}
