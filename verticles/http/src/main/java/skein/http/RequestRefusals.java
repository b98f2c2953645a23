package skein.http;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.StreamResetException;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Refusals before a route is chosen, and the answer where there is none. */
final class RequestRefusals {
  private static final String UNREADABLE = "The body cannot be read as what the headers say it is";

  private final int headersMax;

  RequestRefusals(int headersMax) {
    this.headersMax = headersMax;
  }

  /** Many small ones take far more than their bytes. */
  void manyHeaders(RoutingContext context) {
    if (numberOf(context.request().headers()) <= headersMax) {
      context.next();
      return;
    }
    AnswerSender.send(tooManyHeaders(headersMax), context);
  }

  static Answer tooManyHeaders(int headersMax) {
    var why = "The request has more than http.headers-max (" + headersMax + ") headers";
    return Problems.of(new Reply.Refused(ErrorCode.TOO_LARGE, why, List.of()), 431, Map.of());
  }

  /** Its size is that of the different names. */
  private static int numberOf(MultiMap headers) {
    int count = 0;
    for (var _ : headers) {
      count++;
    }
    return count;
  }

  /** A small body could otherwise become one of any size. */
  static void encodings(RoutingContext context) {
    var encoding = context.request().getHeader(HttpHeaders.CONTENT_ENCODING);
    if (encoding == null || encoding.equalsIgnoreCase("identity")) {
      context.next();
    } else {
      var refusal =
          new SkeinException(
              ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Send the body without Content-Encoding");
      AnswerSender.send(Problems.of(refusal), context);
    }
  }

  /** As the last on its connection. */
  static void refuse(RoutingContext context, Reply.Refused refusal, int status) {
    var answer = Problems.of(refusal, status, Map.of()).with("Connection", "close");
    AnswerSender.send(answer, context);
  }

  static void wrongMethod(RoutingContext context, Routes routes) {
    var path = context.normalizedPath();
    var refusal = Problems.refusal(405, why(context));
    var answer = Problems.of(refusal, 405, Map.of()).with("Allow", routes.allowed(path));
    AnswerSender.send(answer, context);
  }

  static void failed(RoutingContext context) {
    var failure = context.failure();
    var exchange = Exchange.of(context);
    if (exchange != null && exchange.isReceiving() && isGone(failure)) {
      exchange.end();
      return;
    }
    if (exchange == null && context.statusCode() == 400) { // before the first handler
      RequestGuard.refuse(context, RequestGuard.NO_HOST);
      return;
    }
    var refusal =
        failure == null
            ? Problems.refusal(context.statusCode(), why(context))
            : Problems.refusal(failure);
    AnswerSender.send(Problems.of(refusal, Problems.status(refusal.code()), Map.of()), context);
  }

  /** The client, while it sent. */
  private static boolean isGone(@Nullable Throwable failure) {
    return failure instanceof IOException
        || failure instanceof HttpClosedException
        || failure instanceof StreamResetException;
  }

  private static @Nullable String why(RoutingContext context) {
    return switch (context.statusCode()) {
      case 404 -> "Nothing is at " + context.request().path();
      case 405 -> context.request().method() + " is not possible at " + context.request().path();
      case 400 -> UNREADABLE;
      case 413 -> "The body is too large";
      case 504 ->
          "No answer in time; it may still happen: read the state before retrying, or"
              + " retry with the same Idempotency-Key";
      default -> null;
    };
  }
}
