package skein.node;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;

/** A port whose new connections lead to one node after the other, as a test says. */
final class SwitchedPort implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  private final Vertx vertx = Vertx.vertx();
  private final NetClient client = vertx.createNetClient();
  private final NetServer server;
  private volatile int target;

  SwitchedPort(int target) {
    this.target = target;
    server = vertx.createNetServer().connectHandler(this::connected).listen(0, LOOPBACK).await();
  }

  int port() {
    return server.actualPort();
  }

  /** New connections lead to this port from now on. */
  void leadTo(int port) {
    target = port;
  }

  private void connected(NetSocket from) {
    from.pause();
    client
        .connect(target, LOOPBACK)
        .onFailure(_ -> from.close())
        .onSuccess(to -> {
          from.pipeTo(to);
          to.pipeTo(from);
        });
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
