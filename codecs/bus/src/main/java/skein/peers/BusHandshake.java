package skein.peers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.PendingWriteQueue;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;
import skein.peers.Handshake.End;
import skein.peers.Handshake.Outcome;

/**
 * Holds back all data of a connection of the event bus, in both directions, until both ends have
 * proved that they know the secret, then removes itself.
 */
final class BusHandshake extends ChannelDuplexHandler {
  private final PeerGuard guard;
  private final Handshake handshake;
  private final End end;
  private final @Nullable BusTls tls;
  private final ByteBuffer received = ByteBuffer.allocate(Handshake.BYTES_MAX);
  private @Nullable PendingWriteQueue held;
  private @Nullable Runnable proved;
  private boolean begun;
  private boolean refused;
  private volatile boolean closed;

  /** It begins as the length of one, which is what those send that have no secret. */
  private boolean isMessage;

  /** It begins as TLS does, and there is none. */
  private boolean isTls;

  /** {@code tls}: of the same connection, if there is one. */
  BusHandshake(PeerGuard guard, End end, @Nullable BusTls tls) {
    this.guard = guard;
    this.end = end;
    this.tls = tls;
    this.handshake = guard.handshake(PortKind.BUS, end, tls == null ? null : tls::binding);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    held = new PendingWriteQueue(context);
    if (context.channel().isActive()) {
      begin(context);
    }
  }

  /** The others learn of it when the connection is proved. */
  @Override
  public void channelActive(ChannelHandlerContext context) {
    begin(context);
  }

  private void begin(ChannelHandlerContext context) {
    if (!begun) {
      begun = true;
      proved =
          guard.await(
              PortKind.BUS,
              () -> {
                closed = true;
                close(context);
              });
      if (end == End.CONNECTING) {
        send(context, handshake.begin());
      }
    }
  }

  /** Starts at this handler: others would first send data that is held back. */
  private static void close(ChannelHandlerContext context) {
    var unused = context.close();
  }

  private static void send(ChannelHandlerContext context, byte[] bytes) {
    var unused = context.writeAndFlush(Unpooled.wrappedBuffer(bytes));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (refused || !(message instanceof ByteBuf bytes)) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (!handshake.isGreeted() && received.position() == 0 && bytes.isReadable()) {
      byte first = bytes.getByte(bytes.readerIndex());
      isMessage = first == 0;
      isTls = tls == null && TlsPipe.isTls(first);
    }
    while (bytes.isReadable() && handshake.outcome() == Outcome.OPEN) {
      take(context, bytes);
    }
    if (handshake.outcome() == Outcome.PROVED) {
      open(context, bytes);
      return;
    }
    bytes.release();
    if (handshake.outcome() != Outcome.OPEN) {
      refuse(context);
    }
  }

  /** No more than belongs to the handshake. */
  private void take(ChannelHandlerContext context, ByteBuf bytes) {
    int missing = handshake.wanted() - received.position();
    received.limit(received.position() + Math.min(missing, bytes.readableBytes()));
    bytes.readBytes(received);
    received.flip();
    var answer = handshake.receive(received);
    received.compact();
    if (answer.length > 0) {
      var sent = context.writeAndFlush(Unpooled.wrappedBuffer(answer));
      if (handshake.outcome() == Outcome.DIFFERS || handshake.outcome() == Outcome.STRANGER) {
        var unused = sent.addListener(done -> close(context));
      }
    }
  }

  private void open(ChannelHandlerContext context, ByteBuf rest) {
    ended();
    context.fireChannelActive();
    var writes = held;
    if (writes != null) {
      var unused = writes.removeAndWriteAll();
      context.flush();
    }
    if (rest.isReadable()) {
      context.fireChannelRead(rest);
    } else {
      rest.release();
    }
    context.pipeline().remove(this);
  }

  private void refuse(ChannelHandlerContext context) {
    refused = true;
    var peer = context.channel().remoteAddress();
    if (isMessage && end == End.ACCEPTING) {
      guard.peerHasNone(PortKind.BUS, peer);
      send(context, handshake.greeting());
    } else if (isTls) {
      guard.speaksTls(PortKind.BUS, peer, end);
    } else {
      guard.refused(PortKind.BUS, peer, handshake.outcome());
    }
    if (end == End.CONNECTING || !handshake.isGreeted()) {
      close(context);
    }
  }

  private void ended() {
    var waiting = proved;
    if (waiting != null) {
      waiting.run();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ended();
    if (end == End.CONNECTING
        && begun
        && handshake.outcome() == Outcome.OPEN
        && !handshake.isGreeted()
        && (tls == null || tls.isOpen())
        && !closed) {
      guard.peerHasNone(PortKind.BUS, context.channel().remoteAddress());
    }
    var writes = held;
    if (writes != null) {
      writes.removeAndFailAll(new ClosedChannelException());
    }
    context.fireChannelInactive();
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    var writes = held;
    if (writes == null || handshake.outcome() == Outcome.PROVED) {
      var unused = context.write(message, promise);
    } else if (context.channel().isOpen()) {
      writes.add(message, promise);
    } else {
      ReferenceCountUtil.release(message);
      var unused = promise.setFailure(new ClosedChannelException());
    }
  }
}
