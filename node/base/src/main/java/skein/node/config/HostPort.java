package skein.node.config;

/** Where a member listens. The host is a name or an address; it is not looked up here. */
public record HostPort(String host, int port) {
  public HostPort {
    if (host.isBlank() || port < 1 || port > 65535) {
      throw new IllegalArgumentException("must be host:port with a port of 1 to 65535");
    }
  }

  /** {@code host}, {@code host:port} or {@code [v6]:port}. */
  public static HostPort parse(String text, int portIfAbsent) {
    int colon = text.lastIndexOf(':');
    boolean hasPort = colon >= 0 && colon > text.lastIndexOf(']') && text.indexOf(':') == colon;
    boolean bracketed = text.startsWith("[") && text.contains("]");
    if (bracketed) {
      var host = text.substring(1, text.indexOf(']'));
      return new HostPort(host, colon > text.indexOf(']') ? port(text, colon) : portIfAbsent);
    }
    return hasPort
        ? new HostPort(text.substring(0, colon), port(text, colon))
        : new HostPort(text, portIfAbsent);
  }

  private static int port(String text, int colon) {
    try {
      return Integer.parseInt(text.substring(colon + 1));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be host:port with a port of 1 to 65535", e);
    }
  }

  @Override
  public String toString() {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }
}
