package skein.peers;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;
import java.net.SocketAddress;
import java.util.concurrent.ThreadFactory;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A transport of Vert.x with a {@link BusAuthentication} for its event bus: Vert.x has no other
 * place for what comes before the first byte of a connection.
 */
public class BusTransport implements Transport, io.vertx.core.transport.Transport {
  private final String name;
  private final Transport transport;
  private final BusAuthentication authentication;

  /** The native one when there is one, as Vert.x would choose. */
  public BusTransport(BusAuthentication authentication) {
    var found = io.vertx.core.transport.Transport.nativeTransport();
    var chosen = found != null && found.available() ? found : io.vertx.core.transport.Transport.NIO;
    this.name = chosen.name();
    this.transport = chosen.implementation();
    this.authentication = authentication;
  }

  @Override
  public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
    transport.configure(options, domainSocket, bootstrap);
    if (isOfBus(options)) {
      bootstrap.handler(
          new Gate(channel -> {
            acceptBus(channel);
            return true;
          }));
    }
  }

  /** Whether {@code options} are those of the server of the bus. */
  protected boolean isOfBus(NetServerOptions options) {
    return BusAuthentication.isOfBus(options);
  }

  /** A connection to the server of the bus, of which nothing has been read. */
  protected void acceptBus(Channel channel) {
    authentication.accept(channel.pipeline());
  }

  @Override
  public void configure(
      ClientOptionsBase options, int connectTimeout, boolean domainSocket, Bootstrap bootstrap) {
    transport.configure(options, connectTimeout, domainSocket, bootstrap);
    BusAuthentication.mark(options, bootstrap);
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    var factory = transport.channelFactory(domainSocket);
    return domainSocket ? factory : authentication.connections(factory);
  }

  /** On the channel that listens: what is read there are connections. */
  @Sharable
  protected static final class Gate extends ChannelInboundHandlerAdapter {
    private final Predicate<Channel> welcome;

    /** {@code welcome}: false closes the connection. */
    public Gate(Predicate<Channel> welcome) {
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
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    return transport.serverChannelFactory(domainSocket);
  }

  @Override
  public void configure(DatagramChannel channel, DatagramSocketOptions options) {
    transport.configure(channel, options);
  }
}
