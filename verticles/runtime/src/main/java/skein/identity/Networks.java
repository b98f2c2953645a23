package skein.identity;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** The network of a client, as far as the client cannot choose it. */
final class Networks {
  /** Addresses of IPv6 are given out by this many bits. */
  private static final int NETWORK_BYTES = 8;

  private Networks() {}

  /** Of IPv6 the network, in which one client has as many addresses as it likes. */
  static String of(String address) {
    try {
      if (InetAddress.ofLiteral(address) instanceof Inet6Address six) {
        var bytes = six.getAddress();
        Arrays.fill(bytes, NETWORK_BYTES, bytes.length, (byte) 0);
        return InetAddress.getByAddress(bytes).getHostAddress();
      }
      return address;
    } catch (IllegalArgumentException | UnknownHostException _) {
      return address;
    }
  }
}
