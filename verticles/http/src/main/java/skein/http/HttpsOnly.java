package skein.http;

import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import skein.model.ErrorCode;

/**
 * Refuses what came by plain HTTP before anything of it is used, but for health and metrics, which
 * probes ask within the cluster. A resume link that was sent so is not consumed. Browsers are told
 * to use HTTPS from then on (HSTS, RFC 6797).
 */
final class HttpsOnly {
  private static final Duration REMEMBERED = Duration.ofDays(365);
  private static final String HSTS = "max-age=" + REMEMBERED.toSeconds();
  private static final Http1Guard.Refusal PLAIN =
      new Http1Guard.Refusal(
          ErrorCode.HTTPS_REQUIRED,
          403,
          "Requests must come by HTTPS (http.require-https), as a proxy of http.trusted-proxies"
              + " says in X-Forwarded-Proto");

  private final Callers callers;

  HttpsOnly(Callers callers) {
    this.callers = callers;
  }

  void handle(RoutingContext context) {
    var request = context.request();
    var remote = request.remoteAddress();
    var address = remote == null ? null : remote.hostAddress();
    if (request.isSSL() || callers.cameByHttps(address, request.headers())) {
      context.response().putHeader("Strict-Transport-Security", HSTS);
      context.next();
    } else if (RouteGroup.of(request.path()) == RouteGroup.MANAGEMENT) {
      context.next();
    } else {
      RequestGuard.refuse(context, PLAIN);
    }
  }
}
