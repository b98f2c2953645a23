package skein.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import skein.messages.Reply;
import skein.model.ErrorCode;

/**
 * Looks at the first byte of a connection to a server of HTTPS: a client of plain HTTP gets an
 * answer that says so, and any other connection is closed.
 */
final class PlainText extends ChannelInboundHandlerAdapter {
  /** The type of a record with a message of the handshake. */
  private static final byte HANDSHAKE = 22;

  private static final Answer REFUSAL =
      Problems.of(
          new Reply.Refused(
              ErrorCode.HTTPS_REQUIRED, "This port speaks HTTPS alone: ask https://", List.of()),
          403,
          Map.of());

  private final Connections connections;
  private final Peer peer;
  private boolean refused;

  PlainText(Connections connections, Peer peer) {
    this.connections = connections;
    this.peer = peer;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (refused || !(message instanceof ByteBuf bytes) || !bytes.isReadable()) {
      ReferenceCountUtil.release(message);
      return;
    }
    byte first = bytes.getByte(bytes.readerIndex());
    if (first == HANDSHAKE) {
      context.pipeline().remove(this);
      context.fireChannelRead(message);
      return;
    }
    bytes.release();
    refused = true;
    connections.turnedAway(peer);
    if (first >= 'A' && first <= 'Z') {
      var _ = context.writeAndFlush(BareAnswer.of(REFUSAL, first == 'H'));
      Runnable end = () -> close(context);
      var _ = context.executor().schedule(end, ConnectionLimits.LINGER_MS, TimeUnit.MILLISECONDS);
    } else {
      close(context);
    }
  }

  private static void close(ChannelHandlerContext context) {
    var _ = context.close();
  }
}
