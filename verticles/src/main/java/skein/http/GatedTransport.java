package skein.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A transport that shows every connection of HTTP servers to {@link Connections} as soon as it is
 * accepted, and every byte that comes. Vert.x itself tells of a connection when its first request
 * has come, so those that send none could not be counted.
 */
public final class GatedTransport implements Transport, io.vertx.core.transport.Transport {
  /** A connection in the midst of a header keeps the memory of a whole read. */
  private static final int READ_BYTES_MAX = 8_192;

  private static final int READ_BYTES_MIN = 512;
  private static final int READ_BYTES_FIRST = 2_048;

  /** Of one client, before the event loop turns to others. */
  private static final int READS_MAX = 2;

  /** A server must have a handler of its connections; ours comes later. */
  private static final ChannelHandler NOTHING = new Nothing();

  private final String name;
  private final Transport transport;
  private final Connections connections;
  private final ProtocolLimits protocol;
  private final Supplier<ChannelHandler> guards;

  private GatedTransport(
      io.vertx.core.transport.Transport chosen,
      Connections connections,
      ProtocolLimits protocol,
      Supplier<ChannelHandler> guards) {
    this.name = chosen.name();
    this.transport = chosen.implementation();
    this.connections = connections;
    this.protocol = protocol;
    this.guards = guards;
  }

  /**
   * The native one when there is one, as Vert.x would choose.
   *
   * @param protocol what is bounded before HTTP is read
   * @param guards the first to see the bytes of each connection to a server that is not for HTTP
   */
  public static GatedTransport of(
      Connections connections, ProtocolLimits protocol, Supplier<ChannelHandler> guards) {
    var found = io.vertx.core.transport.Transport.nativeTransport();
    var chosen = found != null && found.available() ? found : io.vertx.core.transport.Transport.NIO;
    return new GatedTransport(chosen, connections, protocol, guards);
  }

  @Override
  public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
    transport.configure(options, domainSocket, bootstrap);
    var reads = new AdaptiveRecvByteBufAllocator(READ_BYTES_MIN, READ_BYTES_FIRST, READ_BYTES_MAX);
    bootstrap.childOption(ChannelOption.RECVBUF_ALLOCATOR, reads);
    if (options instanceof HttpServerOptions) {
      reads.maxMessagesPerRead(READS_MAX);
      var server = Objects.requireNonNull(bootstrap.config().childHandler());
      bootstrap.childHandler(NOTHING).handler(new Gate(one -> isWelcome(one, server)));
    } else {
      bootstrap.handler(new Gate(this::isGuarded));
    }
  }

  private boolean isGuarded(Channel channel) {
    channel.pipeline().addLast(guards.get());
    return true;
  }

  private boolean isWelcome(Channel channel, ChannelHandler server) {
    var remote = Remote.of(channel.remoteAddress());
    var peer = remote == null ? null : connections.accept(remote, () -> close(channel));
    if (peer == null) {
      return false;
    }
    channel.closeFuture().addListener(_ -> connections.closed(peer));
    channel.pipeline().addLast(new ConnectionFilter(connections, peer, server, protocol));
    return true;
  }

  private static void close(Channel channel) {
    var _ = channel.close();
  }

  @Sharable
  private static final class Nothing extends ChannelInboundHandlerAdapter {}

  /** On the channel that listens: what is read there are connections. */
  @Sharable
  private static final class Gate extends ChannelInboundHandlerAdapter {
    private final Predicate<Channel> welcome;

    Gate(Predicate<Channel> welcome) {
      this.welcome = welcome;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Channel channel && !welcome.test(channel)) {
        channel.unsafe().closeForcibly();
        return;
      }
      context.fireChannelRead(message);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean available() {
    return true;
  }

  @Override
  public Transport implementation() {
    return this;
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return null;
  }

  @Override
  public boolean supportsDomainSockets() {
    return transport.supportsDomainSockets();
  }

  @Override
  public boolean supportFileRegion() {
    return transport.supportFileRegion();
  }

  @Override
  public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
    return transport.convert(address);
  }

  @Override
  public io.vertx.core.net.SocketAddress convert(SocketAddress address) {
    return transport.convert(address);
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return transport.ioHandlerFactory();
  }

  @Override
  public EventLoopGroup eventLoopGroup(
      int type, int threads, ThreadFactory threadFactory, int ioRatio) {
    return transport.eventLoopGroup(type, threads, threadFactory, ioRatio);
  }

  @Override
  public DatagramChannel datagramChannel() {
    return transport.datagramChannel();
  }

  @Override
  @SuppressWarnings("deprecation") // Vert.x has it so
  public DatagramChannel datagramChannel(io.netty.channel.socket.InternetProtocolFamily family) {
    return transport.datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    return transport.channelFactory(domainSocket);
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    return transport.serverChannelFactory(domainSocket);
  }

  @Override
  public void configure(DatagramChannel channel, DatagramSocketOptions options) {
    transport.configure(channel, options);
  }

  @Override
  public void configure(
      ClientOptionsBase options, int connectTimeout, boolean domainSocket, Bootstrap bootstrap) {
    transport.configure(options, connectTimeout, domainSocket, bootstrap);
  }
}
