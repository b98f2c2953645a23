package skein.ingress;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import skein.model.AuditEntry;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.AuditRows;

/**
 * Refuses resume tokens: with a line in the audit log, and with messages that reveal neither what
 * exists nor its id to guesses. Thread-safe.
 */
final class TokenRefusals {
  private final AuditRows audit;

  TokenRefusals(AuditRows audit) {
    this.audit = audit;
  }

  /**
   * Fails with the error for the caller, once it is in the audit log or could not be written there.
   *
   * @param bookmark of the token; null: it is not a token
   * @param tenant whose line it is where there is no such instance
   */
  <T> Future<T> refuse(
      Throwable cause, @Nullable BookmarkId bookmark, @Nullable String actor, String tenant) {
    var refusal = cause instanceof SkeinException known ? told(known) : cause;
    var outcome =
        refusal instanceof SkeinException known ? known.code().name() : ErrorCode.INTERNAL.name();
    var entry =
        new AuditEntry(
            "token.resume",
            outcome,
            bookmark == null ? null : bookmark.instanceId().value(),
            bookmark == null ? null : bookmark.toString(),
            actor);
    return audit.add(entry, tenant).transform(_ -> Future.failedFuture(refusal));
  }

  private static SkeinException told(SkeinException refusal) {
    if (tellsWhatExists(refusal.code())) {
      return SkeinException.tokenInvalid();
    }
    return refusal.code() == ErrorCode.ALREADY_RESUMED
        ? new SkeinException(ErrorCode.ALREADY_RESUMED, "AlreadyResumed: the token was used")
        : refusal;
  }

  /** Whether a refusal distinguishes what does not exist from what is not the caller's. */
  static boolean tellsWhatExists(ErrorCode code) {
    return code == ErrorCode.INSTANCE_NOT_FOUND || code == ErrorCode.BOOKMARK_NOT_FOUND;
  }
}
