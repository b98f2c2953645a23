package skein.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import skein.metrics.HttpMetrics;

/**
 * The handlers of every request at each port: it is counted, gets its timeout, and is refused when
 * it is malformed. Confined to the event loop of its verticle.
 */
final class CommonHandlers {
  /** The key of a request's number. */
  private static final String COUNTED = "skein.counted";

  private static final int LATE = 504;

  private final Vertx vertx;
  private final HttpOptions options;
  private final Connections open;
  private final HttpMetrics metrics;
  private final Peers peers;
  private final LongSupplier nanos;

  /** By number those that must end, the first to be late first: all of them have the same time. */
  private final Map<Long, Limited> limited = new LinkedHashMap<>();

  private long lastNumber;
  private int requests;

  /** The connections that are known. */
  @FunctionalInterface
  interface Peers {
    /** Null for one that is not known. */
    @Nullable Peer of(HttpConnection connection);
  }

  private record Limited(RoutingContext context, long endNanos) {}

  /**
   * @param peers of connections, as far as they are known: their addresses, which tell it too, are
   *     texts that would be made for each request
   */
  CommonHandlers(
      Vertx vertx, HttpOptions options, Connections open, HttpMetrics metrics, Peers peers) {
    this(vertx, options, open, metrics, peers, System::nanoTime);
  }

  CommonHandlers(
      Vertx vertx,
      HttpOptions options,
      Connections open,
      HttpMetrics metrics,
      Peers peers,
      LongSupplier nanos) {
    this.vertx = vertx;
    this.options = options;
    this.open = open;
    this.metrics = metrics;
    this.peers = peers;
    this.nanos = nanos;
  }

  /** Requests that have no complete answer yet. */
  int requests() {
    return requests;
  }

  /**
   * With the handlers that come before all others, and no route. They are in one route, since the
   * next one within a route is found at once.
   */
  Router router() {
    var router = Router.router(vertx);
    var refusals = new RequestRefusals(options.protocol().headers().max());
    var guard =
        new RequestGuard(options.listener().portOptions().hosts(), options.listener().baseUrl());
    var all = router.route().handler(this::begun).handler(this::count).handler(guard::handle);
    if (options.callers().httpsOnly()) {
      all.handler(new HttpsOnly(options.callers())::handle);
    }
    var expectations =
        new Expectations(
            options.bodies().json(), options.bodies().definitions(), options.bodies().uploads());
    all.handler(expectations::handle).handler(refusals::manyHeaders);
    return router;
  }

  private void begun(RoutingContext context) {
    var connection = context.request().connection();
    var known = peers.of(connection);
    open.begin(
        known == null ? open.find(connection.remoteAddress()) : known,
        context,
        (refusal, status) -> RequestRefusals.refuse(context, refusal, status));
    context.next();
  }

  private void count(RoutingContext context) {
    requests++;
    metrics.inFlight().increment();
    long number = ++lastNumber;
    context.put(COUNTED, number);
    if (hasEnd(context.request())) {
      long end = nanos.getAsLong() + options.timeouts().request().toNanos();
      limited.put(number, new Limited(context, end));
    }
    context.addEndHandler(_ -> answered(context));
    context.next();
  }

  private static boolean hasEnd(HttpServerRequest request) {
    return !LiveRoutes.isStream(request.path())
        && !HubRoutes.isConnection(request.method(), request.path());
  }

  /**
   * Fails the requests whose time is up; to be called several times a second. A timer for each
   * request would cost it more than most of its handlers.
   */
  void endLate() {
    long now = nanos.getAsLong();
    var late = new ArrayList<RoutingContext>();
    for (var request : limited.values()) {
      if (request.endNanos() - now > 0) {
        break;
      }
      late.add(request.context());
    }
    late.forEach(this::endLate);
  }

  private void endLate(RoutingContext context) {
    Long number = context.get(COUNTED);
    if (number == null) {
      return; // it has ended with another one
    }
    limited.remove(number);
    if (!context.request().isEnded()) {
      context.request().resume(); // what it waited with is not read any more
    }
    context.fail(LATE);
  }

  /** Once more for the same request does nothing. */
  void answered(RoutingContext context) {
    Long number = context.remove(COUNTED);
    if (number != null) {
      limited.remove(number);
      requests--;
      metrics.inFlight().decrement();
      metrics.answered(context.response().getStatusCode());
    }
  }
}
