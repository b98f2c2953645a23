package skein.http;

import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.TimeoutHandler;
import skein.metrics.HttpMetrics;

/**
 * The handlers of every request at each port: it is counted, gets its timeout, and is refused when
 * it is malformed. Confined to the event loop of its verticle.
 */
final class CommonHandlers {
  private static final String COUNTED = "skein.counted";

  private final Vertx vertx;
  private final HttpOptions options;
  private final Connections open;
  private final HttpMetrics metrics;
  private int requests;

  CommonHandlers(Vertx vertx, HttpOptions options, Connections open, HttpMetrics metrics) {
    this.vertx = vertx;
    this.options = options;
    this.open = open;
    this.metrics = metrics;
  }

  /** Requests that have no complete answer yet. */
  int requests() {
    return requests;
  }

  /** With the handlers that come before all others, and no route. */
  Router router() {
    var router = Router.router(vertx);
    var refusals = new RequestRefusals(options.protocol().headers().max());
    router.route().handler(this::begun);
    router.route().handler(this::count);
    var timeout = TimeoutHandler.create(options.timeouts().request().toMillis(), 504);
    router
        .route()
        .handler(context -> {
          var request = context.request();
          if (LiveRoutes.isStream(request.path())
              || HubRoutes.isConnection(request.method(), request.path())) {
            context.next();
          } else {
            timeout.handle(context);
          }
        });
    router
        .route()
        .handler(
            new RequestGuard(options.listener().portOptions().hosts(), options.listener().baseUrl())
                ::handle);
    if (options.callers().httpsOnly()) {
      router.route().handler(new HttpsOnly(options.callers())::handle);
    }
    var expectations =
        new Expectations(
            options.bodies().json(), options.bodies().definitions(), options.bodies().uploads());
    router.route().handler(expectations::handle);
    router.route().handler(refusals::manyHeaders);
    return router;
  }

  private void begun(RoutingContext context) {
    open.begin(
        context.request().connection().remoteAddress(),
        context,
        (refusal, status) -> RequestRefusals.refuse(context, refusal, status));
    context.next();
  }

  private void count(RoutingContext context) {
    requests++;
    metrics.inFlight().increment();
    context.put(COUNTED, true);
    context.addEndHandler(_ -> answered(context));
    context.next();
  }

  /** Once more for the same request does nothing. */
  void answered(RoutingContext context) {
    if (context.remove(COUNTED) != null) {
      requests--;
      metrics.inFlight().decrement();
      metrics.answered(context.response().getStatusCode());
    }
  }
}
