package skein.postgres;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.SqlConnectionInternal;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Closes the connection to a database that sends more than a query may have, before a row is read
 * as a whole: the client keeps all rows that it has asked for, however large they turn out to be.
 * One for each connection. Thread-safe.
 */
public final class ReceivedBytes extends ChannelInboundHandlerAdapter {
  /** As the clients of Vert.x call what reads messages. */
  private static final String CODEC = "codec";

  private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);

  private ReceivedBytes() {}

  /** The counter of a connection; made at the first call. */
  public static ReceivedBytes of(SqlConnection connection) {
    var pooled = ((SqlConnectionInternal) connection).unwrap();
    var pipeline =
        ((SocketConnectionBase) pooled.unwrap()).socket().channelHandlerContext().pipeline();
    var known = pipeline.get(ReceivedBytes.class);
    if (known != null) {
      return known;
    }
    var added = new ReceivedBytes();
    pipeline.addBefore(CODEC, null, added);
    return added;
  }

  /** Limits the bytes from now on. */
  public void limit(long max) {
    left.set(max);
  }

  /** Until the next {@link #limit}. */
  public void unlimited() {
    left.set(Long.MAX_VALUE);
  }

  /** The connection is closed then. */
  public boolean wereTooMany() {
    return left.get() < 0;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf bytes && left.addAndGet(-bytes.readableBytes()) < 0) {
      ReferenceCountUtil.release(message);
      var _ = context.close();
    } else {
      context.fireChannelRead(message);
    }
  }
}
