package skein.node;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Addresses that other machines do not reach. */
final class Loopback {
  private Loopback() {}

  /** Whether only this machine reaches it: a path of a socket, or an address of loopback. */
  static boolean isOnly(String host) {
    if (host.startsWith("/") || host.startsWith("@")) {
      return true;
    }
    try {
      return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException _) {
      return false;
    }
  }
}
