package skein.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.RoutingContext;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.codecs.JsonLimits;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Lets clients connect to the hub by WebSocket: everything that could be wrong with the request is
 * refused before the connection changes its protocol, since nothing after that can be a request.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6455#section-4.2.1">RFC 6455, 4.2.1</a>
 */
final class HubSockets {
  private static final Logger log = LoggerFactory.getLogger(HubSockets.class);
  private static final int KEY_BYTES = 16;

  /** The bookkeeping of requests and connections. */
  interface Books {
    /** The request has been answered; its connection has no more of them. */
    void switched(RoutingContext context);

    /** The connection has ended. */
    void closed(RoutingContext context);
  }

  private final Hub hub;
  private final Gate gate;
  private final JsonLimits limits;
  private final Books books;

  HubSockets(Hub hub, Gate gate, JsonLimits limits, Books books) {
    this.hub = hub;
    this.gate = gate;
    this.limits = limits;
    this.books = books;
  }

  /** Before the body is read: a request that has been read cannot be upgraded. */
  void handle(RoutingContext context) {
    if (!RequestGuard.isForWebSocket(context.request())) {
      context.next();
      return;
    }
    try {
      check(context.request());
      gate.require(
          new Call(context, limits, gate.callers()),
          RouteTable.of(HttpMethod.GET.name(), HubRoutes.PATH).permission());
      hub.requireRoom();
    } catch (SkeinException e) {
      context.fail(e);
      return;
    }
    upgrade(context);
  }

  private static void check(HttpServerRequest request) {
    var connection = request.getHeader("Connection");
    if (connection == null || !connection.toLowerCase(Locale.ROOT).contains("upgrade")) {
      throw invalid("Connection must be Upgrade");
    }
    var protocols = request.headers().getAll("Upgrade");
    if (protocols.size() != 1 || !protocols.getFirst().strip().equalsIgnoreCase("websocket")) {
      throw invalid("Upgrade must be websocket, and nothing else");
    }
    if (!"13".equals(request.getHeader("Sec-WebSocket-Version"))) {
      throw invalid("Sec-WebSocket-Version must be 13");
    }
    var keys = request.headers().getAll("Sec-WebSocket-Key");
    if (keys.size() != 1 || !isKey(keys.getFirst())) {
      throw invalid("Sec-WebSocket-Key must be 16 bytes in Base64, once");
    }
  }

  private static boolean isKey(@Nullable String text) {
    try {
      return text != null && Base64.getDecoder().decode(text.strip()).length == KEY_BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static SkeinException invalid(String why) {
    return new SkeinException(ErrorCode.INVALID_REQUEST, why);
  }

  private void upgrade(RoutingContext context) {
    var exchange = Exchange.of(context);
    if (exchange != null) {
      exchange.work();
      exchange.upgrade();
    }
    context
        .request()
        .toWebSocket()
        .onSuccess(socket -> {
          books.switched(context);
          if (exchange != null) {
            exchange.end();
          }
          open(context, socket);
        })
        .onFailure(e -> {
          log.atDebug().setCause(e).log("hub.notUpgraded");
          context.request().connection().close();
        });
  }

  private void open(RoutingContext context, ServerWebSocket socket) {
    var loop = Vertx.currentContext();
    if (loop == null) {
      throw new IllegalStateException("Not on an event loop");
    }
    var link = new HubSocket(socket);
    HubSession session;
    try {
      session = hub.open(loop, new Call(context, limits, gate.callers()).scope(), link);
    } catch (SkeinException e) { // since it was asked for
      socket.closeHandler(_ -> books.closed(context));
      link.write(HubMessage.rejected(e.code() + ": " + e.getMessage()));
      link.end(HubLink.Ending.AWAY);
      return;
    }
    link.open(session, () -> books.closed(context));
  }
}
