package skein.peers;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.logging.ByteBufFormat;
import io.netty.util.AttributeKey;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetworkOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import skein.peers.Handshake.End;

/**
 * Puts a {@link PeerGuard} at both ends of the connections of an event bus. Vert.x has no place for
 * that but its transport, which makes the connections of all its servers and clients: those of the
 * bus are known by their options.
 */
public final class BusAuthentication {
  private static final AttributeKey<Boolean> IS_BUS = AttributeKey.valueOf("skein event bus");

  private final PeerGuard guard;

  /** {@code guard}: also of the members' port. */
  public BusAuthentication(PeerGuard guard) {
    this.guard = guard;
  }

  /**
   * The same options, by which the connections of the bus are known. Of what Vert.x copies from
   * them to its server and clients, this alone is of no other use while nothing logs what is sent.
   */
  public static EventBusOptions marked(EventBusOptions options) {
    var marked = new EventBusOptions(options);
    marked.setLogActivity(false).setActivityLogDataFormat(ByteBufFormat.SIMPLE);
    return marked;
  }

  /** When the certificate ends that others see; null without TLS. */
  public @Nullable Instant certificateEnd() {
    return guard.certificateEnd();
  }

  static boolean isOfBus(NetworkOptions options) {
    return !options.getLogActivity() && options.getActivityLogDataFormat() == ByteBufFormat.SIMPLE;
  }

  /** {@code pipeline}: of a connection that the server of the bus has accepted. */
  void accept(ChannelPipeline pipeline) {
    handlers(End.ACCEPTING).forEach(pipeline::addLast);
  }

  /** The first to get what comes first; none where nothing is asked for. */
  private List<ChannelHandler> handlers(End end) {
    var handlers = new ArrayList<ChannelHandler>();
    var tls = guard.hasTls() ? new BusTls(guard, end) : null;
    if (tls != null) {
      handlers.addAll(tls.handlers());
    }
    if (guard.hasSecret()) {
      handlers.add(new BusHandshake(guard, end, tls));
    } else if (end == End.CONNECTING) {
      handlers.add(new UnexpectedHandshake());
    }
    handlers.add(new BrokenConnection());
    return handlers;
  }

  /** Whether it is of a bus, and so {@link #connections} looks after what it makes. */
  static void mark(ClientOptionsBase options, Bootstrap bootstrap) {
    if (isOfBus(options)) {
      bootstrap.attr(IS_BUS, true);
    }
  }

  /** For all clients: those of the bus authenticate themselves first. */
  <C extends Channel> ChannelFactory<C> connections(ChannelFactory<C> factory) {
    return () -> {
      var channel = factory.newChannel();
      channel.pipeline().addFirst(new Connecting());
      return channel;
    };
  }

  /** {@code peer} has sent the length of a message that no message has. */
  public void refused(@Nullable SocketAddress peer, int length) {
    if (!guard.hasSecret() && length == ByteBuffer.wrap(Handshake.MARK).getInt()) {
      guard.thisHasNone(PortKind.BUS, peer);
    } else if (!guard.hasTls() && TlsPipe.isTls((byte) (length >> 24), (byte) (length >> 16))) {
      guard.speaksTls(PortKind.BUS, peer, End.ACCEPTING);
    } else {
      guard.refused(PortKind.BUS, peer, Handshake.Outcome.STRANGER);
    }
  }

  /** Only when it is connected is it known whose connection it is. */
  private final class Connecting extends ChannelDuplexHandler {
    @Override
    public void connect(
        ChannelHandlerContext context,
        SocketAddress remote,
        SocketAddress local,
        ChannelPromise promise) {
      var pipeline = context.pipeline();
      if (context.channel().hasAttr(IS_BUS)) {
        var handlers = handlers(End.CONNECTING);
        for (int i = handlers.size() - 1; i >= 0; i--) {
          pipeline.addAfter(context.name(), null, handlers.get(i));
        }
      }
      var unused = context.connect(remote, local, promise);
      pipeline.remove(this);
    }
  }

  /** For a process without a secret, which learns that one is required. */
  private final class UnexpectedHandshake extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof ByteBuf bytes && bytes.isReadable()) {
        context.pipeline().remove(this);
        if (isMark(bytes)) {
          guard.thisHasNone(PortKind.BUS, context.channel().remoteAddress());
        } else if (!guard.hasTls() && TlsPipe.isTls(bytes.getByte(bytes.readerIndex()))) {
          guard.speaksTls(PortKind.BUS, context.channel().remoteAddress(), End.CONNECTING);
        }
      }
      context.fireChannelRead(message);
    }
  }

  /**
   * Ends a connection that the other process has broken off, as one that ends in order. Vert.x
   * would log that as an error: it sets no handler for failures of the connections of its bus. What
   * was under way fails either way. That members leave, or do not hear each other, is logged by
   * those who watch for it.
   */
  private static final class BrokenConnection extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (cause instanceof IOException && !(cause instanceof SSLException)) {
        var unused = context.close();
      } else {
        context.fireExceptionCaught(cause);
      }
    }
  }

  /** Whether it is one, by the bytes so far. */
  private static boolean isMark(ByteBuf bytes) {
    int known = Math.min(bytes.readableBytes(), Handshake.MARK.length);
    for (int i = 0; i < known; i++) {
      if (bytes.getByte(bytes.readerIndex() + i) != Handshake.MARK[i]) {
        return false;
      }
    }
    return known > 0;
  }
}
