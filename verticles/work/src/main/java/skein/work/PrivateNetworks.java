package skein.work;

import java.net.Inet4Address;
import java.net.InetAddress;

/** Addresses that are not of the public internet (RFC 6890). */
final class PrivateNetworks {
  private PrivateNetworks() {}

  static boolean contain(InetAddress address) {
    return address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()
        || (address instanceof Inet4Address
            ? isSpecial4(address.getAddress())
            : isSpecial6(address.getAddress()));
  }

  private static boolean isSpecial4(byte[] b) {
    int first = b[0] & 0xff;
    int second = b[1] & 0xff;
    return first == 0
        || first >= 240
        || (first == 100 && second >= 64 && second < 128)
        || (first == 192 && second == 0 && (b[2] == 0 || b[2] == 2))
        || (first == 198 && (second == 18 || second == 19));
  }

  /** Unique local ones, and those that hold an IPv4 address: it may be any. */
  private static boolean isSpecial6(byte[] b) {
    int first = b[0] & 0xff;
    int second = b[1] & 0xff;
    boolean uniqueLocal = (first & 0xfe) == 0xfc;
    boolean sixToFour = first == 0x20 && second == 0x02;
    boolean nat64 = first == 0 && second == 0x64 && (b[2] & 0xff) == 0xff && (b[3] & 0xff) == 0x9b;
    boolean teredo = first == 0x20 && second == 0x01 && b[2] == 0 && b[3] == 0;
    boolean compatible = true;
    for (var i = 0; i < 12; i++) {
      compatible &= b[i] == 0;
    }
    return uniqueLocal || sixToFour || nat64 || teredo || compatible;
  }
}
