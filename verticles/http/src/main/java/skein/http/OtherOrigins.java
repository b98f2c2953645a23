package skein.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.CorsHandler;
import java.util.List;
import java.util.Set;

/**
 * Lets browsers give answers of the API, without cookies, to pages of the listed origins, and of no
 * others.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#http-cors-protocol">Fetch: the CORS protocol</a>
 */
final class OtherOrigins {
  private static final int MAX_AGE_SECONDS = 600;

  private static final Set<HttpMethod> METHODS =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST, HttpMethod.PUT, HttpMethod.DELETE);

  private static final Set<String> REQUEST_HEADERS =
      Set.of(
          "Authorization",
          "Content-Type",
          "Idempotency-Key",
          "If-Match",
          "If-None-Match",
          "X-Requested-With",
          "X-SignalR-User-Agent");

  private static final Set<String> ANSWER_HEADERS =
      Set.of(
          "Allow",
          "Content-Disposition",
          "ETag",
          "Location",
          "Retry-After",
          KeyedCalls.REPLAYED,
          Routes.IGNORED_HEADER,
          StartRoutes.INSTANCE_HEADER);

  private final Origins listed;

  /** The origins are compared here: they have more than one spelling. */
  private final CorsHandler cors =
      CorsHandler.create()
          .addOriginWithRegex(".+")
          .allowedMethods(METHODS)
          .allowedHeaders(REQUEST_HEADERS)
          .exposedHeaders(ANSWER_HEADERS)
          .maxAgeSeconds(MAX_AGE_SECONDS);

  OtherOrigins(List<String> listed) {
    this.listed = new Origins(listed);
  }

  void handle(RoutingContext context) {
    var origin = context.request().getHeader(HttpHeaders.ORIGIN);
    if (origin == null || !listed.contains(origin)) {
      context.next();
      return;
    }
    var exchange = Exchange.of(context);
    if (exchange != null && context.request().method().equals(HttpMethod.OPTIONS)) {
      context.addEndHandler(_ -> exchange.end()); // a preflight is answered as by no route
    }
    cors.handle(context);
  }
}
