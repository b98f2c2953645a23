package skein.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import skein.codecs.JsonLimits;
import skein.model.ErrorCode;

/**
 * Gives leave to send a body to those who wait for it ({@code Expect: 100-continue}), unless the
 * length that they announce is more than is taken where they send it: that is answered with 413.
 */
final class Expectations {
  /** The size of a file of a form beside its bytes. */
  private static final long PART_HEAD_BYTES = 1_024;

  private final JsonLimits json;
  private final DefinitionLimits definitions;
  private final UploadLimits uploads;

  Expectations(JsonLimits json, DefinitionLimits definitions, UploadLimits uploads) {
    this.json = json;
    this.definitions = definitions;
    this.uploads = uploads;
  }

  private record Limit(String setting, long bytesMax, long bytesBeside) {}

  void handle(RoutingContext context) {
    if (!isWaiting(context.request())) {
      context.next();
      return;
    }
    var limit = limit(context);
    if (Bodies.announced(context.request()) > limit.bytesMax() + limit.bytesBeside()) {
      RequestGuard.refuse(
          context,
          new Http1Guard.Refusal(
              ErrorCode.TOO_LARGE, 413, Bodies.tooLarge(limit.setting(), limit.bytesMax())));
      return;
    }
    context.response().writeContinue();
    context.next();
  }

  /** RFC 9110, 10.1.1: with HTTP/1.0 it means nothing. */
  private static boolean isWaiting(HttpServerRequest request) {
    return "100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))
        && request.version() != HttpVersion.HTTP_1_0;
  }

  private Limit limit(RoutingContext context) {
    if (Uploads.areIn(context)) {
      return new Limit(
          "http.uploads.bytes-max", uploads.bytesMax(), uploads.entriesMax() * PART_HEAD_BYTES);
    }
    return LargeDefinitions.areIn(context)
        ? new Limit(Bodies.DEFINITION_LIMIT, Math.max(json.bytesMax(), definitions.bytesMax()), 0)
        : new Limit(Bodies.LIMIT, json.bytesMax(), 0);
  }
}
