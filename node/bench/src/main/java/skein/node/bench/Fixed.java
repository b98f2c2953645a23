package skein.node.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** The same request over and over; of the answers, some are looked into. */
final class Fixed implements Work {
  private static final byte[] START =
      Requests.post("/elsa/api/workflow-definitions/" + Definitions.START + "/execute", "{}");

  private static final int LOOK_INTO_EVERY = 64;

  private final byte[] request;
  private final ByteBuf wanted;
  private long left;
  private long answers;

  /** {@code wanted}: stands somewhere in the body of each answer. */
  Fixed(byte[] request, String wanted, long count) {
    this.request = request;
    this.wanted = Unpooled.wrappedBuffer(Requests.bytes(wanted));
    this.left = count;
  }

  /** Starts of {@link Definitions#threeSteps}, each answered when the instance has ended. */
  static Fixed starts(long count) {
    return new Fixed(START, "\"subStatus\":\"Finished\"", count);
  }

  @Override
  public boolean next(int caller, ByteBuf out) {
    if (left == 0) {
      return false;
    }
    left--;
    out.writeBytes(request);
    return true;
  }

  @Override
  public @Nullable String wrong(int caller, int status, ByteBuf body) {
    if (status != 200) {
      return "Answered " + status;
    }
    return answers++ % LOOK_INTO_EVERY == 0 && ByteBufUtil.indexOf(wanted, body) < 0
        ? "Not the answer that was expected"
        : null;
  }
}
