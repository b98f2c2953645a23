package skein.http;

import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The other end of a connection; no two open connections to one port have the same. */
record Remote(String address, int port) {

  /** Null when it is not known any more, as of a connection that is closed already. */
  static @Nullable Remote of(java.net.@Nullable SocketAddress address) {
    return address instanceof InetSocketAddress inet && inet.getAddress() != null
        ? new Remote(inet.getAddress().getHostAddress(), inet.getPort())
        : null;
  }

  static @Nullable Remote of(@Nullable SocketAddress address) {
    return address == null || address.hostAddress() == null
        ? null
        : new Remote(address.hostAddress(), address.port());
  }
}
