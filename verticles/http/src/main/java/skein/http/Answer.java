package skein.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.codecs.JsonText;
import skein.model.ErrorCode;

/**
 * What a request is answered with.
 *
 * @param status 200 to 599
 * @param headers without Content-Type and Content-Length
 * @param contentType null sends none
 * @param body empty when there is a flow
 * @param flow writes a body that is made while it is sent; null when the body is known
 * @param refusal why nothing was done; null when it was
 */
record Answer(
    int status,
    Map<String, String> headers,
    @Nullable String contentType,
    Buffer body,
    @Nullable Flow flow,
    @Nullable ErrorCode refusal) {
  private static final Logger log = LoggerFactory.getLogger(Answer.class);
  static final String JSON = "application/json; charset=utf-8";
  static final String HTML = "text/html; charset=utf-8";
  private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
  private static final CharSequence CONTENT_TYPE_OPTIONS =
      HttpHeaders.createOptimized("X-Content-Type-Options");
  private static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");

  /** A body that is made while it is sent. */
  interface Flow {
    /** Writes in step with the client; does not end the response. */
    Future<Void> writeTo(HttpServerResponse response);
  }

  Answer(int status, Map<String, String> headers, @Nullable String contentType, Buffer body) {
    this(status, headers, contentType, body, null, null);
  }

  static Answer flowing(String contentType, Flow flow) {
    return new Answer(200, Map.of(), contentType, Buffer.buffer(), flow, null);
  }

  static Answer json(int status, @Nullable Object value) {
    return new Answer(status, Map.of(), JSON, Buffer.buffer(JsonText.printBytes(value)));
  }

  static Answer ok(@Nullable Object value) {
    return json(200, value);
  }

  static Answer html(int status, String page) {
    return new Answer(status, Map.of(), HTML, Buffer.buffer(page));
  }

  static Answer empty(int status) {
    return new Answer(status, Map.of(), null, Buffer.buffer());
  }

  Answer with(String header, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Answer(status, more, contentType, body, flow, refusal);
  }

  /** Says that it refuses. */
  Answer refusing(ErrorCode code) {
    return new Answer(status, headers, contentType, body, flow, code);
  }

  /** Sends it, unless the connection is gone or something else has answered. */
  void send(RoutingContext context) {
    var response = context.response();
    var exchange = Exchange.of(context);
    if (response.ended() || response.closed()) {
      if (exchange != null && response.closed()) {
        exchange.end();
      }
      return;
    }
    if (response
        .headWritten()) { // What was begun is broken off, so that nobody takes it for whole.
      response.reset();
      return;
    }
    if (exchange == null) {
      write(context);
      return;
    }
    if (isHarmless(context) && !exchange.hasRoomFor(body.length())) {
      Problems.of(exchange.tooMuchToSend(), 503, Map.of()).send(context);
      return;
    }
    exchange.send(body.length());
    exchange.endWith(write(context));
  }

  /** Nothing has happened that a client had to be told. */
  private static boolean isHarmless(RoutingContext context) {
    var method = context.request().method();
    return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
  }

  private Future<Void> write(RoutingContext context) {
    var response = context.response();
    response.setStatusCode(status);
    headers.forEach(response::putHeader);
    if (isOfApi(context) && !response.headers().contains(HttpHeaders.CACHE_CONTROL)) {
      response.putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE);
    }
    if (contentType != null) {
      response.putHeader(HttpHeaders.CONTENT_TYPE, contentType);
      response.putHeader(CONTENT_TYPE_OPTIONS, NO_SNIFF);
    }
    if (flow != null && !context.request().method().equals(HttpMethod.HEAD)) {
      return send(flow, context);
    }
    boolean bodiless = status == 204 || status == 304 || body.length() == 0;
    if (context.request().method().equals(HttpMethod.HEAD)) {
      if (flow == null && status != 204 && status != 304) {
        response.putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(body.length()));
      }
      return response.end();
    }
    return bodiless ? response.end() : response.end(body);
  }

  private static boolean isOfApi(RoutingContext context) {
    var path = context.request().path();
    return path != null && (path.startsWith(Routes.API) || path.startsWith(HubRoutes.BASE));
  }

  private static Future<Void> send(Flow flow, RoutingContext context) {
    var response = context.response().setChunked(true);
    return flow.writeTo(response)
        .compose(_ -> response.closed() ? Future.succeededFuture() : response.end())
        .onFailure(e -> {
          if (response.headWritten()) {
            log.atWarn().setCause(e).log("answer.broken");
            response.reset();
          } else {
            response.setChunked(false);
            context.fail(e);
          }
        });
  }
}
