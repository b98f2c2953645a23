package skein.work;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** The target of a request. {@code uri}: absolute, http or https, with a host. */
record HttpTarget(URI uri) {

  /** Refuses with {@code InvalidUrl} what is not such an address. */
  static HttpTarget parse(String url) {
    URI uri;
    try {
      uri = new URI(url.strip());
    } catch (URISyntaxException e) {
      throw new WorkRefusedException("InvalidUrl", "The URL cannot be read: " + e.getMessage());
    }
    return of(uri);
  }

  private static HttpTarget of(URI uri) {
    var scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new WorkRefusedException("InvalidUrl", "The URL must begin with http:// or https://");
    }
    if (uri.getHost() == null || uri.getPort() > 65_535 || uri.getPort() == 0) {
      throw new WorkRefusedException("InvalidUrl", "The URL has no proper host and port");
    }
    if (uri.getUserInfo() != null) {
      throw new WorkRefusedException(
          "InvalidUrl", "The URL holds credentials: give them as the input Authorization");
    }
    return new HttpTarget(uri);
  }

  /** Where an answer's {@code Location} leads to. */
  HttpTarget redirected(String location) {
    try {
      return of(uri.resolve(new URI(location.strip())));
    } catch (URISyntaxException e) {
      throw new WorkRefusedException("InvalidUrl", "The redirect cannot be read");
    }
  }

  boolean secure() {
    return "https".equalsIgnoreCase(uri.getScheme());
  }

  int port() {
    if (uri.getPort() > 0) {
      return uri.getPort();
    }
    return secure() ? 443 : 80;
  }

  /** Without the brackets of an IPv6 address. */
  String host() {
    var host = uri.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  boolean sameOriginAs(HttpTarget other) {
    return secure() == other.secure()
        && port() == other.port()
        && host().equalsIgnoreCase(other.host());
  }

  RequestOptions options(String method) {
    var path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    return new RequestOptions()
        .setMethod(HttpMethod.valueOf(method))
        .setSsl(secure())
        .setHost(uri.getHost())
        .setPort(port())
        .setURI(uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery());
  }

  /** The last part of the path, decoded; empty when there is none. */
  String lastSegment() {
    var path = uri.getPath() == null ? "" : uri.getPath();
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
