package skein.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import skein.cluster.InFlight;
import skein.cluster.Inquiries;
import skein.cluster.Nodes;
import skein.ingress.Keys;
import skein.loop.VertxDelays;
import skein.loop.VertxEventLoop;
import skein.metrics.HttpMetrics;
import skein.storage.ChangeLog;
import skein.storage.Committer;
import skein.storage.InstanceImport;
import skein.storage.KeyStore;
import skein.storage.TenantStore;

/** Runs the HTTP server: listens, bounds what a client may take up, and drains. */
public final class HttpVerticle extends VerticleBase implements HubSockets.Books {
  private static final long SWEEP_MS = 100;

  /** From the start on. */
  @SuppressWarnings("NullAway.Init")
  private Gate gate;

  /** From the start on. */
  @SuppressWarnings("NullAway.Init")
  private CommonHandlers commonHandlers;

  private final HttpDependencies dependencies;
  private final HttpOptions options;
  private final HttpMetrics metrics;
  private final @Nullable MetricsPage metricsPage;
  private final Connections open;
  private final Health health;
  private final List<HttpServer> servers = new ArrayList<>();
  private @Nullable Committer committer;

  /** Those that are open here. */
  private final Map<HttpConnection, Peer> peers = new HashMap<>();

  /** Opened, and without a request so far. */
  private final Set<HttpConnection> unused = new HashSet<>();

  /**
   * With the default limits of connections, none of which is seen before its first request; without
   * metrics, for tests, and shows nothing at {@code /metrics}.
   */
  public HttpVerticle(HttpDependencies dependencies, HttpOptions options) {
    this(
        dependencies,
        options,
        new Connections(ConnectionLimits.DEFAULT, options.bodies().json().bytesMax()),
        new Health(
            dependencies.member().readiness(),
            dependencies.member().cluster(),
            dependencies.stores().database()),
        new HttpMetrics(),
        null);
  }

  /**
   * @param open of all verticles of the node, and of its {@link GatedTransport}
   * @param health of the node
   * @param metrics of all instances of the verticle
   * @param metricsPage what is shown at {@code /metrics}; null shows nothing there
   */
  public HttpVerticle(
      HttpDependencies dependencies,
      HttpOptions options,
      Connections open,
      Health health,
      HttpMetrics metrics,
      @Nullable MetricsPage metricsPage) {
    this.metrics = metrics;
    this.metricsPage = metricsPage;
    this.dependencies = dependencies;
    this.options = options;
    this.open = open;
    this.health = health;
  }

  @Override
  public Future<?> start() {
    var loop = new VertxEventLoop(vertx, context);
    gate = new Gate(loop, dependencies.security(), options.callers());
    commonHandlers = new CommonHandlers(vertx, options, open, metrics, peers::get);
    var all = router();
    var none = commonHandlers.router();
    none.errorHandler(404, RequestRefusals::failed);
    open.join(this);
    vertx.setPeriodic(
        SWEEP_MS,
        _ -> {
          commonHandlers.endLate();
          open.sweep(this);
        });
    var listening = new ArrayList<Future<HttpServer>>();
    RouteGroup.byPort(options.listener().port(), options.listener().portOptions())
        .forEach((port, surfaces) -> {
          var made =
              vertx
                  .createHttpServer(serverOptions().setPort(port))
                  .connectionHandler(this::connected)
                  .invalidRequestHandler(HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER)
                  .requestHandler(request ->
                      begin(request, RouteGroup.isServed(request.path(), surfaces) ? all : none));
          servers.add(made);
          listening.add(made.listen());
        });
    return Future.all(listening);
  }

  private void begin(HttpServerRequest request, Router router) {
    var connection = request.connection();
    var peer = peers.get(connection);
    unused.remove(connection);
    if (request.version() == HttpVersion.HTTP_2) {
      handleUnlessReset(request, router);
    } else if (peer != null && peer.cameWithLast()) {
      paced(request, router);
    } else {
      router.handle(request);
    }
  }

  /**
   * Clients that do not await answers would otherwise have all that they sent answered before
   * others.
   */
  private void paced(HttpServerRequest request, Router router) {
    request.pause();
    vertx.setTimer(options.protocol().pipelinePace().toMillis(), _ -> handle(request, router));
  }

  /**
   * A request of HTTP/2 that is taken back in the same breath is not begun: its reset is read
   * before this comes to pass. Otherwise a client could ask for any amount of work for nothing.
   */
  private void handleUnlessReset(HttpServerRequest request, Router router) {
    request.pause();
    context.runOnContext(_ -> handle(request, router));
  }

  /** One that was paused. */
  private void handle(HttpServerRequest request, Router router) {
    if (!request.response().closed()) {
      router.handle(request);
      if (!gate.holds(request)) {
        request.resume();
      }
    }
  }

  /** The port of workflows, or of health where nothing else is served; after the start. */
  public int port() {
    if (servers.isEmpty()) {
      throw new IllegalStateException("The server does not listen yet");
    }
    return servers.getFirst().actualPort();
  }

  /** Open connections; for tests, from any thread. */
  int connections() {
    return open.size();
  }

  /** Requests without a whole answer; from any thread, after the start. */
  public Future<InFlight> inFlight() {
    Promise<InFlight> found = Promise.promise();
    context.runOnContext(_ -> found.complete(new InFlight(commonHandlers.requests(), 0, 0)));
    return found.future();
  }

  /** No new connections; requests in flight may end within the drain timeout. */
  @Override
  public Future<?> stop() {
    open.leave(this);
    return servers.isEmpty()
        ? Future.succeededFuture()
        : quietMoment().compose(_ -> shutdown()).eventually(this::closeCommitter);
  }

  /** A server knows connections by their first bytes. */
  private Future<?> shutdown() {
    long millis = options.timeouts().drain().toMillis();
    var shut = servers.stream().map(one -> one.shutdown(millis, TimeUnit.MILLISECONDS)).toList();
    open.closeSilent();
    return Future.join(shut); // one that fails ends the time of no other
  }

  private Future<Void> closeCommitter() {
    return committer == null ? Future.succeededFuture() : committer.close();
  }

  /**
   * A connection that we close while its request is on the way fails that request. While the node
   * drains, every answer asks its client to close, so what is open is busy, long idle, or new: this
   * waits for a moment without new ones.
   */
  private Future<Void> quietMoment() {
    Promise<Void> quiet = Promise.promise();
    long end = System.nanoTime() + options.timeouts().drain().toNanos() / 10;
    vertx.setPeriodic(
        1,
        timer -> {
          if (unused.isEmpty() || System.nanoTime() > end) {
            vertx.cancelTimer(timer);
            quiet.complete();
          }
        });
    return quiet.future();
  }

  private HttpServerOptions serverOptions() {
    return new HttpServerOptions()
        .setHost(options.listener().host())
        .setIdleTimeout((int) silenceMax().toMillis())
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setMaxInitialLineLength(options.protocol().headers().lineBytesMax())
        .setMaxHeaderSize(options.protocol().headers().bytesMax())
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(options.protocol().http2().streamsMax())
                .setMaxHeaderListSize(options.protocol().headers().bytesMax()))
        .setHttp2RstFloodMaxRstFramePerWindow(options.protocol().http2().resetsMax())
        .setHttp2RstFloodWindowDuration((int) options.protocol().http2().window().toSeconds())
        .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
        .setMaxWebSocketFrameSize(options.api().hub().limits().messageBytesMax())
        .setMaxWebSocketMessageSize(options.api().hub().limits().messageBytesMax())
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false)
        .setHandle100ContinueAutomatically(false) // Expectations do
        .setTcpKeepAlive(true);
  }

  /**
   * The server knows nothing of requests: one that waits for its answer is silent, too. Connections
   * without a request are closed by {@link Connections} when their time is up.
   */
  private Duration silenceMax() {
    var request = options.timeouts().request().plus(options.timeouts().idle());
    return options.timeouts().request().compareTo(options.timeouts().idle()) < 0
        ? options.timeouts().idle()
        : request;
  }

  private void connected(HttpConnection connection) {
    if (peers.size() >= options.listener().connectionsMax()) {
      connection.close();
      return;
    }
    var remote = Remote.of(connection.remoteAddress());
    var peer = remote == null ? null : open.open(remote, connection::close);
    if (peer == null) {
      connection.close();
      return;
    }
    peers.put(connection, peer);
    unused.add(connection);
    connection.closeHandler(_ -> forget(connection));
  }

  private void forget(HttpConnection connection) {
    var peer = peers.remove(connection);
    unused.remove(connection);
    if (peer != null) {
      open.closed(peer);
    }
  }

  private Router router() {
    var router = commonHandlers.router();
    var sameOrigin = new SameOrigin(Origins.trusted(options.listener()));
    var otherOrigins = new OtherOrigins(options.listener().portOptions().origins());
    router.route(Routes.API + "/*").handler(otherOrigins::handle);
    router.route(HubRoutes.BASE + "*").handler(otherOrigins::handle);
    router.route().handler(sameOrigin::handle);
    router.route(HubRoutes.BASE + "*").handler(sameOrigin::handleAny);
    if (gate.asks()) {
      router.route().handler(gate::handle).handler(gate::handleLarge);
    }
    if (open.rates().isOn()) {
      router.route().handler(new RequestRates(open.rates(), gate, metrics)::handle);
    }
    var inquiries = new Inquiries(vertx, dependencies.member().cluster());
    var shared = SharedParts.of(vertx, dependencies, options, inquiries, metrics.jobs());
    var sockets = new HubSockets(shared.hub(), gate, options.bodies().json(), this);
    router.get(HubRoutes.PATH).handler(sockets::handle);
    router
        .route()
        .handler(RequestRefusals::encodings)
        .handler(RequestBodies.of(vertx, options.bodies()))
        .handler(HttpVerticle::complete)
        .handler(SameOrigin::untyped);
    var tenants =
        new TenantGate(
            options.callers().tenancy(), new TenantStore(dependencies.stores().database()));
    var routes =
        new Routes(
            router,
            options.bodies().json(),
            dependencies.member().readiness(),
            new KeyedCalls(keys(), keptBytesMax()),
            sameOrigin,
            new AuditedChanges(
                new ChangeLog(
                    dependencies.stores().database(), dependencies.member().cluster().nodeName())),
            new Routes.Gates(gate, tenants));
    var others =
        new ApiRoutes.OtherNodes(new Nodes(vertx, dependencies.member().cluster()), inquiries);
    new ApiRoutes(dependencies, options, health, metricsPage, instanceImport(), others, shared)
        .addTo(routes, gate, tenants);
    router.route().failureHandler(RequestRefusals::failed);
    router.errorHandler(404, RequestRefusals::failed);
    router.errorHandler(405, context -> RequestRefusals.wrongMethod(context, routes));
    router.errorHandler(400, RequestRefusals::failed);
    return router;
  }

  @Override
  public void switched(RoutingContext context) {
    commonHandlers.answered(context);
  }

  /** After an upgrade to a WebSocket the server reports only the end of the connection. */
  @Override
  public void closed(RoutingContext context) {
    forget(context.request().connection());
  }

  private static void complete(RoutingContext context) {
    var exchange = Exchange.of(context);
    if (exchange != null) {
      exchange.work();
    }
    context.next();
  }

  /** Answers to who saves a definition have it, and as much again. */
  private int keptBytesMax() {
    return 2 * options.bodies().definitions().bytesMax();
  }

  private Keys keys() {
    return new Keys(
        new VertxDelays(vertx),
        new KeyStore(dependencies.stores().database()),
        dependencies.member().cluster(),
        UUID::randomUUID,
        options.keys());
  }

  /** Its connection is opened when something is imported, and closed with the verticle. */
  private InstanceImport instanceImport() {
    var opened =
        new Committer(
            vertx,
            context,
            dependencies.stores().database(),
            dependencies.imports().commits(),
            dependencies.member().cluster().nodeName());
    committer = opened;
    return new InstanceImport(
        dependencies.stores().definitions(),
        new TenantStore(dependencies.stores().database()),
        opened,
        dependencies.clock(),
        UUID::randomUUID,
        dependencies.imports().limits(),
        dependencies.imports().bounds());
  }
}
