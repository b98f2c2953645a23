package skein.codecs;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * A range of IP addresses, such as {@code 10.0.0.0/8} or {@code fd00::/8}; an address alone is a
 * range of one.
 */
public record Network(InetAddress first, int prefix) {
  private static final String PART = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final String IPV4 = PART + "(\\." + PART + "){3}";

  public Network {
    if (prefix < 0 || prefix > first.getAddress().length * Byte.SIZE) {
      throw new IllegalArgumentException("/" + prefix + " is not a prefix of " + first);
    }
  }

  /** Resolves no names. Throws {@link IllegalArgumentException} for what is not a network. */
  public static Network parse(String text) {
    int slash = text.indexOf('/');
    var address = address(slash < 0 ? text : text.substring(0, slash));
    if (slash < 0) {
      return new Network(address, address.getAddress().length * Byte.SIZE);
    }
    var digits = text.substring(slash + 1);
    if (!digits.matches("[0-9]{1,3}")) {
      throw new IllegalArgumentException("\"" + text + "\" is not a network like 10.0.0.0/8");
    }
    return new Network(address, Integer.parseInt(digits));
  }

  /**
   * The address that the text spells out, IPv4 with all four parts; IPv6 may stand in brackets.
   * Throws {@link IllegalArgumentException} for anything else.
   */
  public static InetAddress address(String text) {
    var bare =
        text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    if (bare.indexOf(':') < 0 && !bare.matches(IPV4)) {
      throw new IllegalArgumentException("\"" + text + "\" is not an IP address");
    }
    try {
      // Neither what has a colon nor what has four numbers below 256 is looked up as a name.
      return InetAddress.getByName(bare);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("\"" + text + "\" is not an IP address", e);
    }
  }

  /** Never for an address of the other family. */
  public boolean contains(InetAddress address) {
    var ours = first.getAddress();
    var theirs = address.getAddress();
    int whole = prefix / Byte.SIZE;
    int rest = prefix % Byte.SIZE;
    if (ours.length != theirs.length || !Arrays.equals(ours, 0, whole, theirs, 0, whole)) {
      return false;
    }
    int mask = 0xff00 >> rest & 0xff;
    return rest == 0 || (ours[whole] & mask) == (theirs[whole] & mask);
  }
}
