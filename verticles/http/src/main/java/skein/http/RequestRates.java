package skein.http;

import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import skein.identity.Caller;
import skein.identity.RateLimit;
import skein.messages.Reply;
import skein.metrics.HttpMetrics;
import skein.model.ErrorCode;

/**
 * Refuses what one caller asks more often than they may, before its body is read: callers who are
 * known by who they are, others by their address. Health and metrics, and files of pages, do not
 * count.
 */
final class RequestRates {
  private final RateLimit limit;
  private final Gate gate;
  private final HttpMetrics metrics;

  RequestRates(RateLimit limit, Gate gate, HttpMetrics metrics) {
    this.limit = limit;
    this.gate = gate;
    this.metrics = metrics;
  }

  void handle(RoutingContext context) {
    var path = context.normalizedPath();
    if (RouteGroup.of(path) == RouteGroup.MANAGEMENT
        || ConsoleFiles.isBelow(path)
        || StudioFiles.isBelow(path)) {
      context.next();
      return;
    }
    var caller = context.<Caller>get(Gate.CALLER);
    var wait =
        caller == null || caller instanceof Caller.Anonymous
            ? limit.takeAt(gate.address(context))
            : limit.takeOf(caller);
    if (wait.isZero()) {
      context.next();
    } else {
      metrics.limited().increment();
      AnswerSender.send(refusal(wait), context);
    }
  }

  private Answer refusal(Duration wait) {
    var why =
        "More than %d requests a second (http.requests-per-second-max)"
            .formatted(limit.perSecond());
    return Problems.of(
            new Reply.Refused(ErrorCode.TOO_MANY_REQUESTS, why, List.of()), 429, Map.of())
        .with("Retry-After", Long.toString(wait.plusMillis(999).toSeconds()));
  }
}
