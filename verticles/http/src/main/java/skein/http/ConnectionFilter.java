package skein.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.concurrent.TimeUnit;
import skein.messages.Reply;

/**
 * The first on a connection to an HTTP server: reports its input to {@link Connections}. Whatever
 * serves HTTP is put behind it with the first bytes, so that a silent connection costs little.
 * {@link Http1Guard} says what is passed on to it. A first request with too many headers is refused
 * before they are read, and a connection of HTTP/2 that asks for answers without requests is
 * closed, as is a WebSocket that sends and does not read.
 */
final class ConnectionFilter extends ChannelInboundHandlerAdapter {
  private static final byte LINE_FEED = '\n';

  /** Tries to find the request whose body is refused, one after the other. */
  private static final int REFUSALS_MAX = 20;

  /** Answers to a WebSocket, pongs among them, that its client has not read. */
  private static final int UNREAD_BYTES_MAX = 262_144;

  private final Connections connections;
  private final Peer peer;
  private final ChannelHandler server;
  private final ProtocolLimits protocol;
  private final HeadLines head = new HeadLines();
  private final Http2Frames frames = new Http2Frames();
  private final Http1Guard guard;
  private int controlFrames;
  private long countedSince = System.nanoTime();
  private boolean begun;
  private boolean refused;
  private boolean reading;

  /** {@code server}: to be added to the pipeline. */
  ConnectionFilter(
      Connections connections, Peer peer, ChannelHandler server, ProtocolLimits protocol) {
    this.connections = connections;
    this.peer = peer;
    this.server = server;
    this.protocol = protocol;
    this.guard =
        new Http1Guard(
            protocol.headers().lineBytesMax(),
            protocol.headers().bytesMax(),
            protocol.http2().upgrade());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!refused && message instanceof ByteBuf bytes) {
      if (peer.isUpgraded()) {
        receivedUpgraded(context);
      } else {
        received(context, bytes);
      }
    }
    if (refused) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (!begun) {
      begun = true;
      context.pipeline().addLast(server);
    }
    if (message instanceof ByteBuf bytes) {
      guard.take(bytes, piece -> pass(context, piece));
    } else {
      context.fireChannelRead(message);
    }
  }

  private void pass(ChannelHandlerContext context, ByteBuf piece) {
    var doubt = guard.refusal();
    if (doubt != null) {
      peer.doubt(doubt);
    }
    if (doubt != null && guard.isBodyRefused()) {
      piece.release();
      refuseBody(context, doubt, REFUSALS_MAX);
    } else {
      context.fireChannelRead(piece);
    }
  }

  /** Its request may not have begun yet, or have its answer. */
  private void refuseBody(ChannelHandlerContext context, Http1Guard.Refusal doubt, int times) {
    var receiving = peer.exchanges().stream().filter(Exchange::isReceiving).findFirst();
    if (receiving.isPresent()) {
      var refusal = new Reply.Refused(doubt.code(), doubt.why(), List.of());
      receiving.get().refuse(refusal, doubt.status());
    } else if (times == 0) {
      close(context);
    } else if (context.channel().isActive()) {
      int left = peer.awaitsRequest() ? times - 1 : times; // those before it are answered first
      Runnable again = () -> refuseBody(context, doubt, left);
      var _ = context.executor().schedule(again, ConnectionLimits.LINGER_MS, TimeUnit.MILLISECONDS);
    }
  }

  private void received(ChannelHandlerContext context, ByteBuf bytes) {
    if (!reading) {
      reading = true;
      peer.beginRead();
    }
    int asking = frames.add(bytes);
    long lines = peer.awaitsRequest() && !frames.isHttp2() ? lines(bytes) : 0;
    connections.received(peer, bytes.readableBytes(), lines);
    if (head.add(bytes) - 1 > protocol.headers().max()) { // the first line is not a header
      refuse(context);
    } else if (asksTooMuch(asking)) {
      refused = true;
      connections.turnedAway(peer);
      close(context);
    }
  }

  private void receivedUpgraded(ChannelHandlerContext context) {
    guard.upgrade();
    if (context.channel().bytesBeforeWritable() > UNREAD_BYTES_MAX) {
      refused = true;
      connections.turnedAway(peer);
      close(context);
    }
  }

  private boolean asksTooMuch(int more) {
    if (more == 0) {
      return false;
    }
    long now = System.nanoTime();
    if (now - countedSince > protocol.http2().window().toNanos()) {
      controlFrames = 0;
      countedSince = now;
    }
    controlFrames += more;
    return controlFrames > protocol.http2().controlFramesMax();
  }

  private static long lines(ByteBuf bytes) {
    int end = bytes.writerIndex();
    long lines = 0;
    for (int at = bytes.readerIndex(); ; lines++) {
      at = bytes.indexOf(at, end, LINE_FEED) + 1;
      if (at == 0) {
        return lines;
      }
    }
  }

  /** Input is ignored until the answer has been sent. */
  private void refuse(ChannelHandlerContext context) {
    refused = true;
    connections.turnedAway(peer);
    var _ =
        context.writeAndFlush(
            BareAnswer.of(RequestRefusals.tooManyHeaders(protocol.headers().max()), head.isHead()));
    var _ =
        context
            .executor()
            .schedule(() -> close(context), ConnectionLimits.LINGER_MS, TimeUnit.MILLISECONDS);
  }

  private static void close(ChannelHandlerContext context) {
    var _ = context.close();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    reading = false;
    context.fireChannelReadComplete();
  }

  /** No other handler can be told before the first request. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (begun) {
      context.fireExceptionCaught(cause);
    } else {
      close(context);
    }
  }
}
