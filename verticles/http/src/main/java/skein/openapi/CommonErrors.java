package skein.openapi;

import java.util.EnumSet;
import java.util.Set;
import skein.model.ErrorCode;

/** Why requests may be refused whatever they ask. */
public final class CommonErrors {
  private static final Set<ErrorCode> ANY =
      EnumSet.of(
          ErrorCode.INVALID_REQUEST,
          ErrorCode.INVALID_ID,
          ErrorCode.UNSTORABLE_TEXT,
          ErrorCode.REQUEST_AMBIGUOUS,
          ErrorCode.PATH_AMBIGUOUS,
          ErrorCode.HOST_UNKNOWN,
          ErrorCode.HTTPS_REQUIRED,
          ErrorCode.UNAUTHENTICATED,
          ErrorCode.FORBIDDEN,
          ErrorCode.TOO_MANY_ATTEMPTS,
          ErrorCode.TOO_MANY_REQUESTS,
          ErrorCode.METHOD_NOT_ALLOWED,
          ErrorCode.NOT_FOUND,
          ErrorCode.REQUEST_INCOMPLETE,
          ErrorCode.EXPECTATION_FAILED,
          ErrorCode.TOO_LARGE,
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          ErrorCode.OVERLOADED,
          ErrorCode.NOT_READY,
          ErrorCode.ENCRYPTION_KEY_MISSING,
          ErrorCode.ENCRYPTED_VALUE_DAMAGED,
          ErrorCode.STORAGE_UNAVAILABLE,
          ErrorCode.TIMEOUT,
          ErrorCode.INTERNAL);

  private static final Set<ErrorCode> CHANGING =
      EnumSet.of(
          ErrorCode.INVALID_JSON,
          ErrorCode.TOO_DEEP,
          ErrorCode.CROSS_SITE,
          ErrorCode.IDEMPOTENCY_KEY_REUSED,
          ErrorCode.IDEMPOTENCY_KEY_IN_USE,
          ErrorCode.RUNTIME_PAUSED,
          ErrorCode.NEWER_FORMAT,
          ErrorCode.ACTIVITY_ELSEWHERE,
          ErrorCode.OUTCOME_UNKNOWN);

  private CommonErrors() {}

  /** {@code changes}: it has a body or may change something. */
  public static Set<ErrorCode> of(boolean changes) {
    var all = EnumSet.copyOf(ANY);
    if (changes) {
      all.addAll(CHANGING);
    }
    return all;
  }
}
