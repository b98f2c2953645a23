package skein.work;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import skein.codecs.Network;

/**
 * Which addresses the requests of workflows may go to.
 *
 * @param denyPrivate whether those of this machine and of private networks need an exemption
 */
public record Targets(boolean denyPrivate, List<Exemption> exemptions) {
  /** Everything but private networks. */
  public static final Targets PUBLIC = new Targets(true, List.of());

  public static final Targets ANY = new Targets(false, List.of());

  public Targets {
    exemptions = List.copyOf(exemptions);
  }

  /**
   * A part of a private network that requests may go to.
   *
   * @param host a name in lower case, which counts as it stands in the URL; null: a network
   * @param network null: a name
   * @param port 0: any
   */
  public record Exemption(@Nullable String host, @Nullable Network network, int port) {
    /**
     * Reads {@code 10.1.0.0/16}, {@code 10.1.2.3}, {@code stock.internal}, and each with a port
     * behind a colon; IPv6 with a port in brackets. Throws {@link IllegalArgumentException}.
     */
    public static Exemption parse(String text) {
      var given = text.strip();
      int colon = given.lastIndexOf(':');
      int bracket = given.indexOf(']');
      boolean hasPort = colon > 0 && (bracket < 0 ? given.indexOf(':') == colon : colon > bracket);
      int port = hasPort ? port(given.substring(colon + 1)) : 0;
      var place = hasPort ? given.substring(0, colon) : given;
      if (place.matches("[0-9.]+(/[0-9]+)?") || place.contains(":")) {
        return new Exemption(null, Network.parse(place), port);
      }
      if (!place.matches("[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")) {
        throw new IllegalArgumentException(
            "must name networks and hosts, such as 10.1.0.0/16 or stock.internal:8080");
      }
      return new Exemption(place.toLowerCase(Locale.ROOT), null, port);
    }

    private static int port(String text) {
      if (!text.matches("[0-9]{1,5}")
          || Integer.parseInt(text) > 65_535
          || Integer.parseInt(text) < 1) {
        throw new IllegalArgumentException("\"" + text + "\" is not a port");
      }
      return Integer.parseInt(text);
    }

    private boolean fits(HttpTarget to, InetAddress address) {
      return (port == 0 || port == to.port())
          && (network == null ? to.host().equalsIgnoreCase(host) : network.contains(address));
    }
  }

  /** Whether nothing is forbidden. */
  boolean areAll() {
    return !denyPrivate;
  }

  /** {@code address}: one of those that the target's host has. */
  boolean allow(HttpTarget to, InetAddress address) {
    return !denyPrivate
        || !PrivateNetworks.contain(address)
        || exemptions.stream().anyMatch(exemption -> exemption.fits(to, address));
  }
}
