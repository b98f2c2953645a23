package skein.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.NetServerOptions;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.peers.BusAuthentication;
import skein.peers.BusTransport;

/**
 * A transport that shows every connection of HTTP servers to {@link Connections} as soon as it is
 * accepted, and every byte that comes. Vert.x itself reports a connection at its first request, so
 * those that send none could not be counted.
 */
public final class GatedTransport extends BusTransport {
  /** A connection in the midst of a header keeps the memory of a whole read. */
  private static final int READ_BYTES_MAX = 8_192;

  private static final int READ_BYTES_MIN = 512;
  private static final int READ_BYTES_FIRST = 2_048;

  /** Reads of one client before the event loop turns to others. */
  private static final int READS_MAX = 2;

  /** A server must have a handler of its connections; ours comes later. */
  private static final ChannelHandler NOTHING = new Nothing();

  private final Connections connections;
  private final ProtocolLimits protocol;
  private final Supplier<ChannelHandler> busGuards;
  private final @Nullable Https https;

  /**
   * The native one when there is one, as Vert.x would choose.
   *
   * @param protocol what is bounded before HTTP is read
   * @param authentication of the event bus
   * @param busGuards the first to see what comes to the event bus through the authentication
   * @param https null: servers speak plain HTTP
   */
  public GatedTransport(
      Connections connections,
      ProtocolLimits protocol,
      BusAuthentication authentication,
      Supplier<ChannelHandler> busGuards,
      @Nullable Https https) {
    super(authentication);
    this.connections = connections;
    this.protocol = protocol;
    this.busGuards = busGuards;
    this.https = https;
  }

  @Override
  public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
    super.configure(options, domainSocket, bootstrap);
    var reads = new AdaptiveRecvByteBufAllocator(READ_BYTES_MIN, READ_BYTES_FIRST, READ_BYTES_MAX);
    bootstrap.childOption(ChannelOption.RECVBUF_ALLOCATOR, reads);
    if (options instanceof HttpServerOptions http) {
      reads.maxMessagesPerRead(READS_MAX);
      var server = Objects.requireNonNull(bootstrap.config().childHandler());
      bootstrap.childHandler(NOTHING).handler(new Gate(one -> isWelcome(one, http, server)));
    }
  }

  /** A node has no servers but those of HTTP and that of the bus. */
  @Override
  protected boolean isOfBus(NetServerOptions options) {
    return !(options instanceof HttpServerOptions);
  }

  @Override
  protected void acceptBus(Channel channel) {
    super.acceptBus(channel);
    channel.pipeline().addLast(busGuards.get());
  }

  private boolean isWelcome(Channel channel, NetServerOptions options, ChannelHandler server) {
    var remote = Remote.of(channel.remoteAddress());
    var peer = remote == null ? null : connections.accept(remote, () -> close(channel));
    if (peer == null) {
      return false;
    }
    channel.closeFuture().addListener(_ -> connections.closed(peer));
    if (https != null && https.isOf(options)) {
      https.addTo(channel, options, connections, peer);
    }
    channel.pipeline().addLast(new ConnectionFilter(connections, peer, server, protocol));
    return true;
  }

  private static void close(Channel channel) {
    var _ = channel.close();
  }

  @Sharable
  private static final class Nothing extends ChannelInboundHandlerAdapter {}
}
