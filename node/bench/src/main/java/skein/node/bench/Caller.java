package skein.node.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One connection that asks, waits for its answer, and asks again. Confined to one event loop. */
final class Caller extends ChannelInboundHandlerAdapter {
  private final int number;
  private final String credential;
  private final AnswerReader reader = new AnswerReader();
  private @Nullable Channel channel;
  private @Nullable ByteBuf partial;
  private @Nullable Answered answered;
  private @Nullable Consumer<String> broken;
  private long askedAt;
  private boolean asking;

  /** {@code authorization}: the header of that name; null: its requests have none. */
  Caller(int number, @Nullable String authorization) {
    this.number = number;
    this.credential =
        authorization == null ? "" : "Authorization: " + authorization + Requests.LINE_END;
  }

  int number() {
    return number;
  }

  /** When the request that is not answered yet was due, by {@link System#nanoTime}. */
  long askedAt() {
    return askedAt;
  }

  boolean isConnected() {
    return channel != null && channel.isActive();
  }

  /** Takes an answer. The body is released when it returns. */
  @FunctionalInterface
  interface Answered {
    void take(Caller caller, int status, ByteBuf body);
  }

  /**
   * From here on, answers go there.
   *
   * @param nextBroken called with the reason when the connection ends without its answer; it asks
   *     no more
   */
  void tells(Answered nextAnswered, Consumer<String> nextBroken) {
    answered = nextAnswered;
    broken = nextBroken;
    asking = false;
  }

  /** False when the work has nothing left. */
  boolean ask(Work work, long dueAt) {
    if (channel == null) {
      throw new IllegalStateException("Caller " + number + " has no connection");
    }
    var out = channel.alloc().directBuffer(512);
    if (!work.next(number, out)) {
      out.release();
      return false;
    }
    askedAt = dueAt;
    asking = true;
    var whole = credential.isEmpty() ? out : withCredential(out);
    var _ = channel.writeAndFlush(whole, channel.voidPromise()); // a failure closes the connection
    return true;
  }

  /** The request line first, then the credential, then all other headers and the body. */
  private ByteBuf withCredential(ByteBuf request) {
    int line = request.bytesBefore((byte) '\n') + 1;
    var whole = request.alloc().directBuffer(request.readableBytes() + credential.length());
    whole.writeBytes(request, line);
    Requests.write(whole, credential);
    whole.writeBytes(request);
    request.release();
    return whole;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    channel = context.channel();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    var bytes = (ByteBuf) message;
    if (partial != null) {
      partial.writeBytes(bytes);
      bytes.release();
      bytes = partial;
      partial = null;
    }
    if (!reader.isComplete(bytes)) {
      partial = bytes;
      return;
    }
    try {
      answered(bytes);
    } finally {
      bytes.release();
    }
  }

  private void answered(ByteBuf bytes) {
    if (answered == null || !asking) {
      throw new IllegalStateException("An answer without a request");
    }
    asking = false;
    var body = bytes.slice(bytes.readerIndex() + reader.bodyAt(), reader.bodyBytes());
    answered.take(this, reader.status(), body);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    broken(cause.toString());
    var _ = context.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    broken("The connection was closed");
  }

  private void broken(String what) {
    if (partial != null) {
      partial.release();
      partial = null;
    }
    if (broken != null && asking) {
      asking = false;
      broken.accept(what);
    }
  }
}
