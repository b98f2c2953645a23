package skein.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.messages.Reply;
import skein.model.ErrorCode;

/**
 * Refuses requests that a proxy in front of this server may read differently, or that are addressed
 * to another one, before anything of them is used.
 */
final class RequestGuard {
  /** Vert.x Web itself refuses a request without any. */
  static final Http1Guard.Refusal NO_HOST =
      new Http1Guard.Refusal(ErrorCode.REQUEST_AMBIGUOUS, 400, RequestHead.NO_HOST);

  /** Of a page that was loaded from an address, that address is the origin: it is not an alias. */
  private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[.*]");

  /** Empty: any. */
  private final Set<String> hosts;

  /** {@code baseUrl}: its host is one of those that are known, and so is localhost. */
  RequestGuard(List<String> hosts, URI baseUrl) {
    this.hosts = new TreeSet<>();
    if (!hosts.isEmpty()) {
      hosts.forEach(host -> this.hosts.add(host.toLowerCase(Locale.ROOT)));
      this.hosts.add("localhost");
      if (baseUrl.getHost() != null) {
        this.hosts.add(baseUrl.getHost().toLowerCase(Locale.ROOT));
      }
    }
  }

  void handle(RoutingContext context) {
    endAfterRefusedUpgrade(context);
    var refusal = refusal(context);
    if (refusal == null) {
      context.next();
    } else if (refusal.status() == 421) { // its end is beyond doubt
      AnswerSender.send(answer(refusal), context);
    } else {
      refuse(context, refusal);
    }
  }

  /**
   * {@link Http1Guard} drops what follows a request for a WebSocket that is not agreed to: its
   * client has to open another connection.
   */
  private static void endAfterRefusedUpgrade(RoutingContext context) {
    var request = context.request();
    if (isForWebSocket(request)) {
      context.addHeadersEndHandler(_ -> context.response().putHeader("Connection", "close"));
      context.addEndHandler(_ ->
          context.vertx().setTimer(ConnectionLimits.LINGER_MS, _ -> request.connection().close()));
    }
  }

  static boolean isForWebSocket(HttpServerRequest request) {
    return request.version() != HttpVersion.HTTP_2
        && request.headers().contains(HttpHeaders.UPGRADE)
        && request.headers().getAll(HttpHeaders.UPGRADE).stream()
            .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("websocket"));
  }

  private Http1Guard.@Nullable Refusal refusal(RoutingContext context) {
    var request = context.request();
    var peer = Peer.of(context);
    var doubt = peer == null ? null : peer.doubt();
    if (doubt != null && Http1Guard.REFUSED_TARGET.equals(request.uri())) {
      return doubt;
    }
    boolean checked = isChecked(request, peer);
    var path = checked ? null : RequestTarget.refusal(request.uri());
    if (path != null) {
      return new Http1Guard.Refusal(ErrorCode.PATH_AMBIGUOUS, 400, path);
    }
    var host = checked ? named(request) : host(request);
    if (host == null) {
      return NO_HOST;
    }
    if (!isKnown(host) && RouteGroup.of(request.path()) != RouteGroup.MANAGEMENT) {
      return new Http1Guard.Refusal(
          ErrorCode.HOST_UNKNOWN,
          421,
          "http.hosts does not name the host of this request: use a host that it names, or add it");
    }
    var expected = request.getHeader(HttpHeaders.EXPECT);
    return expected == null || expected.equalsIgnoreCase("100-continue")
        ? null
        : new Http1Guard.Refusal(
            ErrorCode.EXPECTATION_FAILED,
            417,
            "Expect has a value other than 100-continue: leave it out");
  }

  /** Whether {@link Http1Guard} has looked at the target and the host. */
  private static boolean isChecked(HttpServerRequest request, @Nullable Peer peer) {
    return request.version() != HttpVersion.HTTP_2 && peer != null && peer.isFiltered();
  }

  /** The one that is named; empty when none is. */
  private static String named(HttpServerRequest request) {
    var host = request.getHeader(HttpHeaders.HOST);
    return host == null ? "" : host;
  }

  /** Null when it is in doubt; empty for HTTP/1.0, which need not say it. */
  private static @Nullable String host(HttpServerRequest request) {
    var named = request.headers().getAll("Host");
    if (named.isEmpty() && request.version() == HttpVersion.HTTP_1_0) {
      return "";
    }
    var authority = request.authority();
    var host = named.isEmpty() && authority != null ? authority.toString() : first(named);
    boolean same =
        request.version() != HttpVersion.HTTP_2
            || authority == null
            || authority.toString().equalsIgnoreCase(host);
    return named.size() <= 1 && same && RequestHead.isHost(host) ? host : null;
  }

  private static String first(List<String> values) {
    return values.isEmpty() ? "" : values.getFirst();
  }

  /**
   * Only a name can be pointed here by others; probes and balancers use addresses, and what they
   * request is not guarded by names at all.
   */
  private boolean isKnown(String host) {
    if (host.isEmpty() || hosts.isEmpty()) {
      return true;
    }
    var name = nameIn(host);
    return hosts.contains(name) || ADDRESS.matcher(name).matches();
  }

  private static String nameIn(String host) {
    int colon = host.startsWith("[") ? host.indexOf(']') + 1 : host.indexOf(':');
    var name = (colon > 0 && colon < host.length() ? host.substring(0, colon) : host);
    var lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  private static Answer answer(Http1Guard.Refusal refusal) {
    return Problems.of(
        new Reply.Refused(refusal.code(), refusal.why(), List.of()), refusal.status(), Map.of());
  }

  /**
   * After one that is in doubt nothing that comes on a connection of HTTP/1 is read; its client has
   * the time to read why, since a connection that is closed with unread bytes takes the answer with
   * it.
   */
  static void refuse(RoutingContext context, Http1Guard.Refusal refusal) {
    var answer = answer(refusal);
    var request = context.request();
    if (request.version() == HttpVersion.HTTP_2) {
      AnswerSender.send(answer, context);
      return;
    }
    request.pause();
    AnswerSender.send(answer.with("Connection", "close"), context);
    context.vertx().setTimer(ConnectionLimits.LINGER_MS, _ -> request.connection().close());
  }
}
