package skein.http;

import io.vertx.core.MultiMap;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.activities.SecretNames;
import skein.codecs.Network;

/**
 * Facts about callers, and what is stored of them.
 *
 * @param secrets their headers and query parameters that hold credentials
 * @param chooseInstanceIds whether a request to a workflow may say which id the instance has that
 *     it starts
 * @param proxies that are trusted to report the client, and its protocol
 * @param httpsOnly whether requests that came by plain HTTP are refused
 * @param tenancy whose their requests are
 */
public record Callers(
    SecretNames secrets,
    boolean chooseInstanceIds,
    List<Network> proxies,
    boolean httpsOnly,
    Tenancy tenancy) {
  /** No proxy is trusted. */
  public static final Callers DEFAULT = new Callers(SecretNames.DEFAULT, true, List.of(), false);

  private static final int HOPS_MAX = 32;

  public Callers {
    proxies = List.copyOf(proxies);
  }

  /** Without tenants. */
  public Callers(
      SecretNames secrets, boolean chooseInstanceIds, List<Network> proxies, boolean httpsOnly) {
    this(secrets, chooseInstanceIds, proxies, httpsOnly, Tenancy.OFF);
  }

  /**
   * The address of the caller: that of the connection, {@code remote}, or, where that is a trusted
   * proxy's, the last one in {@code X-Forwarded-For} or {@code Forwarded} that is not.
   */
  @Nullable String address(@Nullable String remote, MultiMap headers) {
    var address = remote;
    if (address == null || !isProxy(address)) {
      return address;
    }
    var hops = hops(headers);
    for (var i = hops.size() - 1; i >= 0; i--) {
      var hop = literal(hops.get(i));
      if (hop == null) {
        return address; // Anything else than an address cannot be trusted.
      }
      address = hop;
      if (!isProxy(hop)) {
        return address;
      }
    }
    return address;
  }

  /**
   * Whether a trusted proxy says that the request came by HTTPS all the way: by {@code
   * X-Forwarded-Proto}, or by the {@code proto} of each hop in {@code Forwarded}.
   *
   * @param remote the address of the connection
   */
  boolean cameByHttps(@Nullable String remote, MultiMap headers) {
    if (remote == null || !isProxy(remote)) {
      return false;
    }
    var usual = String.join(",", headers.getAll("X-Forwarded-Proto"));
    var schemes =
        usual.isBlank()
            ? forwarded(String.join(",", headers.getAll("Forwarded")), "proto=")
            : usual;
    return Stream.of(schemes.split(",", -1))
        .allMatch(scheme -> scheme.strip().equalsIgnoreCase("https"));
  }

  /** Whether a trusted proxy has sent it; {@code remote}: the address of the connection. */
  boolean isProxied(@Nullable String remote) {
    return remote != null && isProxy(remote);
  }

  private boolean isProxy(String address) {
    if (proxies.isEmpty()) {
      return false;
    }
    var literal = InetAddress.ofLiteral(address);
    return proxies.stream().anyMatch(network -> network.contains(literal));
  }

  private static List<String> hops(MultiMap headers) {
    var usual = String.join(",", headers.getAll("X-Forwarded-For"));
    var text =
        usual.isBlank() ? forwarded(String.join(",", headers.getAll("Forwarded")), "for=") : usual;
    var all = List.of(text.split(",", -1));
    var last = all.subList(Math.max(0, all.size() - HOPS_MAX), all.size());
    return text.isBlank() ? List.of() : last;
  }

  /** One parameter of each hop; a hop without it stays in the list, as nothing. */
  private static String forwarded(String header, String parameter) {
    if (header.isBlank()) {
      return "";
    }
    var hops = new StringBuilder();
    for (var hop : header.split(",", -1)) {
      hops.append(hops.isEmpty() ? "" : ",");
      for (var pair : hop.split(";", -1)) {
        var text = pair.strip();
        if (text.regionMatches(true, 0, parameter, 0, parameter.length())) {
          hops.append(text.substring(parameter.length()).replace("\"", ""));
        }
      }
      hops.append(' ');
    }
    return hops.toString();
  }

  /** Without a port; null for what is no IP address. */
  private static @Nullable String literal(String hop) {
    var text = hop.strip();
    int bracket = text.indexOf(']');
    if (text.startsWith("[") && bracket > 0) {
      text = text.substring(1, bracket);
    } else if (text.indexOf(':') == text.lastIndexOf(':') && text.indexOf(':') > 0) {
      text = text.substring(0, text.indexOf(':'));
    }
    try {
      return Network.address(text).getHostAddress();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
