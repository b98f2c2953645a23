package skein.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.codecs.ResumeLinks;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Keeps pages of other sites from changing something through the browser of a user who may:
 * requests that act and that such a page has sent, or whose body a page could send without asking
 * first, are refused. Resume links are for any bearer, and workflows decide for themselves.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#cors-safelisted-request-header">Fetch: what a page
 *     may send without asking first</a>
 */
final class SameOrigin {
  private static final Set<HttpMethod> READING =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

  /** Loads of a page itself name one of these, and none of {@link #WHOLES}. */
  private static final List<String> PARTS =
      List.of("image/", "video/", "audio/", "font/", "text/css", "javascript");

  private static final List<String> WHOLES = List.of("json", "text/html");

  private static final CharSequence FETCH_SITE = HttpHeaders.createOptimized("Sec-Fetch-Site");

  /** The origin in the URL of a page. */
  private static final Pattern ORIGIN = Pattern.compile("^https?://[^/?#]+");

  private final Origins trusted;

  /** {@code trusted}: of pages that may do what this server's own may. */
  SameOrigin(Origins trusted) {
    this.trusted = trusted;
  }

  /** Before the body is read. */
  void handle(RoutingContext context) {
    if (!acts(context)) {
      context.next();
    } else if (isForeign(context.request())) {
      context.fail(crossSite());
    } else if (!isTypeTaken(context)) {
      context.fail(wrongType());
    } else {
      context.next();
    }
  }

  /** For the hub: pages may open a WebSocket to any site, and send text, without asking first. */
  void handleAny(RoutingContext context) {
    if (isForeign(context.request())) {
      context.fail(crossSite());
    } else {
      context.next();
    }
  }

  /** For a GET that changes something: browsers send it without an origin, too. */
  void handleActing(RoutingContext context) {
    var request = context.request();
    if (isForeign(request) || (saysNoSite(request) && isReferred(request))) {
      context.fail(crossSite());
    } else {
      context.next();
    }
  }

  /** A page may send a body without a type to any site. */
  static void untyped(RoutingContext context) {
    var body = Bodies.of(context);
    if (acts(context) && body != null && body.length > 0 && type(context.request()).isEmpty()) {
      context.fail(wrongType());
    } else {
      context.next();
    }
  }

  private static boolean acts(RoutingContext context) {
    var path = context.request().path();
    return !READING.contains(context.request().method())
        && path != null
        && path.startsWith(Routes.API)
        && !ResumeLinks.isLink(path);
  }

  private static SkeinException crossSite() {
    return new SkeinException(
        ErrorCode.CROSS_SITE,
        "A page of another site has sent this: name its origin in http.origins to allow that");
  }

  private static SkeinException wrongType() {
    return new SkeinException(
        ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Send the body with Content-Type: application/json");
  }

  private static boolean isTypeTaken(RoutingContext context) {
    var type = type(context.request());
    return type.isEmpty() || Call.isJson(type) || Uploads.areIn(context);
  }

  private static String type(HttpServerRequest request) {
    return Call.mediaType(request.getHeader(HttpHeaders.CONTENT_TYPE));
  }

  /** Browsers say it, whatever a page wants; other clients need not. */
  private boolean isForeign(HttpServerRequest request) {
    var origin = request.getHeader(HttpHeaders.ORIGIN);
    if (origin != null && trusted.contains(origin)) {
      return false;
    }
    var site = request.getHeader(FETCH_SITE);
    return site == null
        ? origin != null && !isOwn(origin, host(request))
        : !site.equals("same-origin") && !site.equals("none");
  }

  /** So browsers do over plain HTTP. */
  private static boolean saysNoSite(HttpServerRequest request) {
    return request.getHeader(FETCH_SITE) == null && request.getHeader(HttpHeaders.ORIGIN) == null;
  }

  /** A page need not let the browser say where it is, but cannot say what an image is for. */
  private boolean isReferred(HttpServerRequest request) {
    var referer = request.getHeader("Referer");
    return isPartOfPage(request.getHeader("Accept"))
        || (referer != null && !isKnown(ORIGIN.matcher(referer), host(request)));
  }

  private boolean isKnown(Matcher page, @Nullable String host) {
    return page.find() && (trusted.contains(page.group()) || isOwn(page.group(), host));
  }

  private static boolean isPartOfPage(@Nullable String accept) {
    var types = accept == null ? "" : accept.toLowerCase(Locale.ROOT);
    return PARTS.stream().anyMatch(types::contains) && WHOLES.stream().noneMatch(types::contains);
  }

  private static @Nullable String host(HttpServerRequest request) {
    var authority = request.authority();
    return authority == null ? request.getHeader(HttpHeaders.HOST) : authority.toString();
  }

  private static boolean isOwn(String origin, @Nullable String host) {
    return host != null && Origins.isOf(origin, host);
  }
}
