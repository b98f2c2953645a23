package skein.http;

import java.net.URI;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Origins of pages, as browsers name them; a scheme's own port may be said or left out. */
final class Origins {
  private static final String HTTP = "http";
  private static final String HTTPS = "https";

  private final Set<String> known = new HashSet<>();

  Origins(Collection<String> origins) {
    origins.forEach(origin -> known.add(plain(origin)));
  }

  /**
   * Of those who may use the API beside the pages that come from where it is. The origin of links
   * is one of them when it was configured and leads to the API: what is on another port than the
   * API is written by workflows, and a default names the visitor's own machine.
   */
  static Origins trusted(HttpOptions.Listener listener) {
    var portOptions = listener.portOptions();
    boolean linksLeadToApi = portOptions.apiPort() == 0 || portOptions.apiPort() == listener.port();
    var origins = new HashSet<>(portOptions.origins());
    if (portOptions.baseUrlGiven() && linksLeadToApi) {
      origins.add(of(listener.baseUrl()));
    }
    return new Origins(origins);
  }

  private static String of(URI url) {
    return url.getScheme() + "://" + url.getRawAuthority();
  }

  boolean contains(String origin) {
    return known.contains(plain(origin));
  }

  /** Whether a page of this origin came from where its request goes. */
  static boolean isOf(String origin, String host) {
    int end = origin.indexOf("://");
    return end > 0 && plain(origin).equals(plain(origin.substring(0, end) + "://" + host));
  }

  private static String plain(String origin) {
    var lower = origin.toLowerCase(Locale.ROOT);
    var port =
        lower.startsWith(HTTPS + "://") ? ":443" : lower.startsWith(HTTP + "://") ? ":80" : ":";
    var named = lower.endsWith(":") ? lower.substring(0, lower.length() - 1) : lower;
    return named.endsWith(port) ? named.substring(0, named.length() - port.length()) : named;
  }
}
