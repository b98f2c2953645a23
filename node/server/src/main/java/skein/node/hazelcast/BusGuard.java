package skein.node.hazelcast;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.atomic.AtomicLong;
import skein.peers.BusAuthentication;

/**
 * Ends a connection to the event bus on which no message can come: Vert.x would gather what follows
 * a length, whatever the length is, and make room for whatever lengths are in it. A message is four
 * bytes of length, and so many bytes.
 */
public final class BusGuard extends ChannelInboundHandlerAdapter {
  private static final int LENGTH_BYTES = 4;

  private final BusAuthentication authentication;
  private final AtomicLong incomplete;
  private final long bytesMax;
  private final PeerTraffic.Received received;
  private final BusMessage current = new BusMessage();
  private long missing;
  private long gathered;
  private int length;
  private int lengthBytes;
  private boolean refused;

  /**
   * @param authentication is notified of refusals
   * @param incomplete bytes of messages that are not complete, on all connections
   * @param bytesMax of them, and so of one message
   * @param received counts the messages, each when its length is known
   */
  public BusGuard(
      BusAuthentication authentication,
      AtomicLong incomplete,
      long bytesMax,
      PeerTraffic.Received received) {
    this.authentication = authentication;
    this.incomplete = incomplete;
    this.bytesMax = bytesMax;
    this.received = received;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (refused || (message instanceof ByteBuf bytes && !isMessage(bytes))) {
      refuse(context);
      ReferenceCountUtil.release(message);
      return;
    }
    context.fireChannelRead(message);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    gather(-gathered);
    context.fireChannelInactive();
  }

  private void refuse(ChannelHandlerContext context) {
    if (!refused) {
      refused = true;
      authentication.refused(context.channel().remoteAddress(), length);
      var _ = context.close();
    }
  }

  private boolean isMessage(ByteBuf bytes) {
    int at = bytes.readerIndex();
    while (at < bytes.writerIndex()) {
      if (missing > 0) {
        int taken = (int) Math.min(missing, bytes.writerIndex() - at);
        if (!current.take(bytes, at, taken)) {
          return false;
        }
        at += taken;
        missing -= taken;
        gather(missing == 0 ? -gathered : taken);
      } else {
        length = (length << 8) | (bytes.getByte(at++) & 0xff);
        lengthBytes++;
        if (lengthBytes == LENGTH_BYTES) {
          if (length < 1 || length > bytesMax) {
            return false;
          }
          received.add(LENGTH_BYTES + (long) length);
          missing = length;
          current.begin(length);
          lengthBytes = 0;
        }
      }
    }
    return incomplete.get() <= bytesMax;
  }

  private void gather(long bytes) {
    gathered += bytes;
    incomplete.addAndGet(bytes);
  }
}
