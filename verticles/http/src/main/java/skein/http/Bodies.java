package skein.http;

import io.netty.handler.codec.DecoderException;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Reads bodies, up to a size; a larger one fails with 413. The input stays in its chunks until all
 * is there: a buffer that grows leaves a multiple of it behind. Fields of an {@link UrlEncodedForm}
 * become attributes of the request.
 */
final class Bodies implements Handler<RoutingContext> {
  static final String LIMIT = "http.body-bytes-max";
  static final String DEFINITION_LIMIT = "http.definition-bytes-max";

  static final String KEY = Bodies.class.getName();

  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  private final String limit;
  private final long bytesMax;
  private final BiPredicate<RoutingContext, Long> admission;

  /** Up to a size, whose setting is named in refusals. */
  Bodies(String limit, long bytesMax) {
    this(limit, bytesMax, (_, _) -> true);
  }

  /**
   * @param admission asked when so many bytes of a request are there or announced; false when it
   *     has failed the request
   */
  Bodies(String limit, long bytesMax, BiPredicate<RoutingContext, Long> admission) {
    this.limit = limit;
    this.bytesMax = bytesMax;
    this.admission = admission;
  }

  private SkeinException tooLarge() {
    return new SkeinException(ErrorCode.TOO_LARGE, tooLarge(limit, bytesMax));
  }

  static String tooLarge(String limit, long bytesMax) {
    return "The body has more than " + limit + " (" + bytesMax + ") bytes";
  }

  /** Null when it was a form of several parts, or there was none, or none with a byte. */
  static byte @Nullable [] of(RoutingContext context) {
    return context.get(KEY);
  }

  /**
   * No bytes, or null, which Elsa's client for .NET sends where its program leaves the body out.
   */
  static boolean isAbsent(byte[] bytes) {
    return bytes.length == 0 || Arrays.equals(bytes, NULL);
  }

  @Override
  public void handle(RoutingContext context) {
    var request = context.request();
    if (!mayHaveBody(request)) {
      context.next();
    } else if (announced(request) > bytesMax) {
      context.fail(tooLarge());
    } else if (admission.test(context, announced(request))) {
      var body = new Body(context);
      request.exceptionHandler(body::broken).handler(body::add).endHandler(_ -> body.end());
    }
  }

  /** HTTP/2 says it by the end of the stream. A body of no bytes need not be waited for. */
  private static boolean mayHaveBody(HttpServerRequest request) {
    var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return (length != null && !length.equals("0"))
        || request.version() == HttpVersion.HTTP_2
        || request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
  }

  /** The length that is announced; 0 when none is. */
  static long announced(HttpServerRequest request) {
    var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? 0 : Long.parseLong(length);
    } catch (NumberFormatException _) {
      return 0; // what comes is counted
    }
  }

  /** While a body comes. */
  static void fail(RoutingContext context, Throwable failure) {
    if (context.failed()) {
      return;
    }
    if (failure instanceof DecoderException) {
      context.fail(400);
    } else {
      context.fail(failure);
    }
  }

  private final class Body {
    private final RoutingContext context;
    private final ChunkBuffer chunks = new ChunkBuffer();

    Body(RoutingContext context) {
      this.context = context;
    }

    void add(Buffer chunk) {
      if (context.failed()) {
        return;
      }
      long size = chunks.size() + (long) chunk.length();
      if (size > bytesMax) {
        chunks.clear();
        context.fail(tooLarge());
      } else if (admission.test(context, size)) {
        chunks.add(chunk);
      } else {
        chunks.clear();
      }
    }

    void broken(Throwable failure) {
      chunks.clear();
      fail(context, failure);
    }

    void end() {
      if (context.failed()) {
        return;
      }
      var bytes = chunks.joined();
      chunks.clear();
      try {
        if (UrlEncodedForm.isIn(context.request())) {
          UrlEncodedForm.read(
              bytes, RequestBodies.FORM_FIELDS_MAX, context.request().formAttributes());
        }
      } catch (SkeinException e) {
        context.fail(e);
        return;
      }
      context.put(KEY, bytes);
      context.next();
    }
  }
}
