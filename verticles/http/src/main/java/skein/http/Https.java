package skein.http;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.net.NetServerOptions;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import skein.peers.ServerTls;

/**
 * TLS of connections to HTTP servers. It is Netty's, and not the one that Vert.x would put into
 * place: that comes after all that looks at the first bytes, and so the limits of what a request
 * may be would look at cipher text. Thread-safe.
 */
public final class Https {
  private static final long THREAD_SECONDS = 10;

  /** Work with keys would hold up all connections of an event loop; each waits for one at most. */
  private static final Executor tasks = tasks();

  /** Numbers of threads. */
  private static final AtomicInteger threads = new AtomicInteger();

  private final ServerTls tls;
  private final int managementPort;
  private final boolean managed;

  /**
   * @param managementPort of health and metrics alone; 0: there is none. Who asks there is not
   *     asked for a certificate.
   * @param managed whether they are told by HTTPS, too
   */
  public Https(ServerTls tls, int managementPort, boolean managed) {
    this.tls = tls;
    this.managementPort = managementPort;
    this.managed = managed;
  }

  private static Executor tasks() {
    int count = Math.max(2, Runtime.getRuntime().availableProcessors());
    var pool =
        new ThreadPoolExecutor(
            count,
            count,
            THREAD_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              var thread = new Thread(task, "skein-https-" + threads.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Whether a server speaks it. */
  boolean isOf(NetServerOptions server) {
    return managed || !isManagement(server);
  }

  private boolean isManagement(NetServerOptions server) {
    return managementPort != 0 && server.getPort() == managementPort;
  }

  /** To be the first of a connection of {@code server}; {@code peer} is at its other end. */
  void addTo(Channel channel, NetServerOptions server, Connections connections, Peer peer) {
    var ssl = new SslHandler(tls.engine(!isManagement(server)), tasks);
    ssl.setHandshakeTimeoutMillis(0); // http.header-timeout closes what has no request by then
    channel.pipeline().addLast(new PlainText(connections, peer), ssl);
  }
}
