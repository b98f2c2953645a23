package skein.node.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import skein.node.bench.BenchOptions.Access;
import skein.node.dev.CannotStartException;

/**
 * Callers, each with a connection of its own that stays open, all on one event loop: with several
 * they would take from the nodes what they measure.
 */
final class Generator implements AutoCloseable {
  private static final int CONNECT_MILLIS_MAX = 10_000;
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final MultiThreadIoEventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final EventLoop loop = group.next();
  private final List<URI> bases;
  private final Access access;
  private final List<Caller> callers = new ArrayList<>();

  /** The callers are spread over the nodes evenly. */
  Generator(List<URI> bases, Access access) {
    this.bases = List.copyOf(bases);
    this.access = access;
  }

  /**
   * Runs until the time is over or the work has nothing left, in a closed loop.
   *
   * @throws CannotStartException when a node cannot be reached
   */
  Outcome run(Work work, int count, Duration max) {
    return end(begin(work, count, max, null));
  }

  /**
   * The same without waiting.
   *
   * @param apart between two requests, which fall due by the clock; null: a closed loop
   */
  CompletableFuture<Outcome> begin(Work work, int count, Duration max, @Nullable Duration apart) {
    connect(count);
    return new Run(loop, work, max, apart).begin(List.copyOf(callers.subList(0, count)));
  }

  /** Waits for what was begun. */
  static Outcome end(CompletableFuture<Outcome> running) {
    try {
      return running.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStartException("Interrupted", e);
    }
  }

  /** Closed connections are opened again. */
  private void connect(int count) {
    for (int i = 0; i < count; i++) {
      if (i == callers.size()) {
        callers.add(connected(i));
      } else if (!callers.get(i).isConnected()) {
        callers.set(i, connected(i));
      }
    }
  }

  private Caller connected(int number) {
    var base = bases.get(number % bases.size());
    boolean secure = "https".equals(base.getScheme());
    int port = base.getPort() < 0 ? (secure ? HTTPS_PORT : HTTP_PORT) : base.getPort();
    var caller = new Caller(number, access.authorization());
    var tls = secure ? tls(base.getHost(), port) : null;
    var future =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS_MAX)
            .handler(new Pipeline(tls, caller))
            .connect(base.getHost(), port)
            .awaitUninterruptibly();
    if (!future.isSuccess()) {
      throw new CannotStartException(
          "No connection to " + base + ": " + future.cause().getMessage());
    }
    if (tls != null) {
      var handshake = tls.handshakeFuture().awaitUninterruptibly();
      if (!handshake.isSuccess()) {
        throw untrusted(base, handshake.cause());
      }
    }
    return caller;
  }

  /** As browsers do it: the certificate must be of the host that the address names. */
  private SslHandler tls(String host, int port) {
    var context = access.tls();
    if (context == null) {
      throw new IllegalStateException("Nothing verifies the certificate of " + host);
    }
    var engine = context.createSSLEngine(host, port);
    engine.setUseClientMode(true);
    var parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    var handler = new SslHandler(engine);
    handler.setHandshakeTimeoutMillis(CONNECT_MILLIS_MAX);
    return handler;
  }

  static CannotStartException untrusted(URI base, Throwable cause) {
    return new CannotStartException(
        base
            + " has a certificate that is not trusted: give the file of its authority as --ca-file ("
            + cause
            + ")",
        cause);
  }

  /** {@code tls}: null: plain HTTP. */
  private static final class Pipeline extends ChannelInitializer<Channel> {
    private final @Nullable SslHandler tls;
    private final Caller caller;

    Pipeline(@Nullable SslHandler tls, Caller caller) {
      this.tls = tls;
      this.caller = caller;
    }

    @Override
    protected void initChannel(Channel channel) {
      if (tls != null) {
        channel.pipeline().addLast(tls);
      }
      channel.pipeline().addLast(caller);
    }
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
