package skein.node.bench;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** What callers ask, one request after another. Of the generator's event loop alone. */
interface Work {
  /** Writes the next request of a caller; false when there is nothing left to ask. */
  boolean next(int caller, ByteBuf out);

  /** Null when the answer is the one that was wanted, else what is wrong with it. */
  @Nullable String wrong(int caller, int status, ByteBuf body);
}
