package skein.http;

import java.util.List;

/**
 * On which ports the node serves what, and which hosts and origins it accepts.
 *
 * @param apiPort of the API and the first page; 0: that of workflows and resume links
 * @param managementPort of health and metrics; 0: that of workflows and resume links
 * @param hosts names that a request may be addressed to, without ports; empty: any. IP addresses
 *     need not be named.
 * @param origins of pages that may use the API beside its own, such as {@code
 *     https://studio.example.com}
 * @param baseUrlGiven whether the URL that links begin with was configured; pages of its origin may
 *     then use the API, when that is on the same port
 * @param managementOnly whether health and metrics are all that is served; {@code managementPort}
 *     is then not 0
 */
public record PortOptions(
    int apiPort,
    int managementPort,
    List<String> hosts,
    List<String> origins,
    boolean baseUrlGiven,
    boolean managementOnly) {
  public PortOptions {
    if (managementOnly && managementPort == 0) {
      throw new IllegalArgumentException("managementOnly needs a managementPort");
    }
  }

  /** One port, any host, no other origin. */
  public static final PortOptions DEFAULT =
      new PortOptions(0, 0, List.of(), List.of(), false, false);
}
