package skein.node.bench;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The requests of callers, one after another. Confined to the generator's event loop. */
interface Work {
  /** Writes the next request of a caller; false when there is nothing left to ask. */
  boolean next(int caller, ByteBuf out);

  /** Null when the answer is the one that was wanted, else what is wrong with it. */
  @Nullable String wrong(int caller, int status, ByteBuf body);
}
