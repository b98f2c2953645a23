package skein.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends answers, within what the connections of this node may take up. */
final class AnswerSender {
  private static final Logger log = LoggerFactory.getLogger(AnswerSender.class);
  private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
  private static final CharSequence CONTENT_TYPE_OPTIONS =
      HttpHeaders.createOptimized("X-Content-Type-Options");
  private static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");

  private static final String HARMLESS = AnswerSender.class.getName();

  private AnswerSender() {}

  /** Sends it, unless the connection has ended or another answer was sent. */
  static void send(Answer answer, RoutingContext context) {
    var response = context.response();
    var exchange = Exchange.of(context);
    if (response.ended() || response.closed()) {
      if (exchange != null && response.closed()) {
        exchange.end();
      }
      return;
    }
    if (response
        .headWritten()) { // A partial answer is aborted, so that it is not taken for complete.
      response.reset();
      return;
    }
    if (exchange == null) {
      write(answer, context);
      return;
    }
    int bytes = answer.body().length();
    if (!exchange.hasRoomFor(bytes)) {
      if (isHarmless(context)) {
        send(Problems.of(exchange.tooMuchToSend(), 503, Map.of()), context);
        return;
      }
      if (!exchange.hasSpareRoomFor(bytes)) {
        exchange.breakOff();
        return;
      }
    }
    exchange.send(bytes);
    exchange.endWith(write(answer, context));
  }

  /** Nothing has happened that the client has to know. */
  private static boolean isHarmless(RoutingContext context) {
    var method = context.request().method();
    return method.equals(HttpMethod.GET)
        || method.equals(HttpMethod.HEAD)
        || Boolean.TRUE.equals(context.get(HARMLESS));
  }

  /** Marks a request as harmless whose method might change something, and which changes nothing. */
  static void markHarmless(RoutingContext context) {
    context.put(HARMLESS, true);
  }

  private static Future<Void> write(Answer answer, RoutingContext context) {
    int status = answer.status();
    var body = answer.body();
    var flow = answer.flow();
    var response = context.response();
    response.setStatusCode(status);
    answer.headers().forEach(response::putHeader);
    if (isOfApi(context) && !response.headers().contains(HttpHeaders.CACHE_CONTROL)) {
      response.putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE);
    }
    if (answer.contentType() != null) {
      response.putHeader(HttpHeaders.CONTENT_TYPE, answer.contentType());
      response.putHeader(CONTENT_TYPE_OPTIONS, NO_SNIFF);
    }
    if (flow != null && !context.request().method().equals(HttpMethod.HEAD)) {
      return flow(flow, context);
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

  private static Future<Void> flow(Answer.Flow flow, RoutingContext context) {
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
