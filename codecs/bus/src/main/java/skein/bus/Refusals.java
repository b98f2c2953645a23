package skein.bus;

import io.vertx.core.eventbus.ReplyException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import skein.codecs.BadBytesException;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Exceptions to the refusals that travel, and back. */
public final class Refusals {
  private Refusals() {}

  /** The error for the caller; an unexpected failure is INTERNAL, without its text. */
  public static Reply.Refused of(Throwable failure) {
    if (failure instanceof SkeinException e) {
      return new Reply.Refused(e.code(), e.detail(), e.errors());
    }
    if (failure instanceof ReplyException e) {
      return ofReply(e);
    }
    if (failure instanceof BadBytesException e && e.isNewer()) {
      return refused(ErrorCode.NEWER_FORMAT, String.valueOf(e.getMessage()));
    }
    if (failure instanceof BadBytesException e) {
      return refused(ErrorCode.INVALID_REQUEST, String.valueOf(e.getMessage()));
    }
    if (failure instanceof CompletionException e && e.getCause() != null) {
      return of(e.getCause());
    }
    if (failure instanceof ExecutionException e && e.getCause() != null) {
      return of(e.getCause());
    }
    return refused(ErrorCode.INTERNAL, "The server failed; its log says why");
  }

  public static SkeinException toException(Reply.Refused refused) {
    return new SkeinException(refused.code(), refused.detail(), refused.errors(), null);
  }

  private static Reply.Refused ofReply(ReplyException e) {
    return switch (e.failureType()) {
      case TIMEOUT -> refused(ErrorCode.TIMEOUT, "No answer in time; it may still happen");
      case NO_HANDLERS -> refused(ErrorCode.NOT_READY, "No node takes such requests at the moment");
      case RECIPIENT_FAILURE, ERROR ->
          refused(ErrorCode.INTERNAL, "The server failed; its log says why");
    };
  }

  private static Reply.Refused refused(ErrorCode code, String detail) {
    return new Reply.Refused(code, detail, List.of());
  }
}
