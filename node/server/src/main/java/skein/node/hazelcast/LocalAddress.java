package skein.node.hazelcast;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/** The address of this machine that the others can reach. */
final class LocalAddress {
  private LocalAddress() {}

  /**
   * The configured one; else loopback when there are no others; else the one from which this
   * machine would talk to the first of the others whose name is known.
   */
  static String of(String configured, List<String> others) {
    try {
      if (!configured.isEmpty() && !configured.equals("0.0.0.0")) {
        return InetAddress.getByName(configured).getHostAddress();
      }
      if (others.isEmpty()) {
        return InetAddress.ofLiteral("127.0.0.1").getHostAddress();
      }
      for (var other : others) {
        var found = towards(other);
        if (!found.isEmpty()) {
          return found;
        }
      }
      return InetAddress.getLocalHost().getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException(
          "cluster.host: cannot find the address of \"" + configured + "\"", e);
    }
  }

  /** {@code address}: as digits. */
  static boolean isLoopback(String address) {
    return InetAddress.ofLiteral(address).isLoopbackAddress();
  }

  private static String towards(String host) {
    try (var socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(InetAddress.getByName(host), 9)); // sends nothing
      var address = socket.getLocalAddress();
      return address.isAnyLocalAddress() ? "" : address.getHostAddress();
    } catch (IOException _) {
      return ""; // not known yet: the next one may be
    }
  }
}
