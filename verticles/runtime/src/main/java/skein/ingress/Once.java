package skein.ingress;

import io.vertx.core.buffer.Buffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.messages.Reply;

/** How to continue with a request that has an idempotency key. */
public sealed interface Once {
  /**
   * It is executed for the first time: what it commits demands this claim and keeps the reply.
   *
   * @param key as it is stored
   * @param id of the claim and of the commit
   */
  record Claimed(String key, UUID id) implements Once {}

  /**
   * It was committed before, with this reply, and only the answer is made again.
   *
   * @param deliveries of an event whose outcome has not been reported so far; null: there are none
   */
  record Again(Reply reply, @Nullable Buffer deliveries) implements Once {
    public Again(Reply reply) {
      this(reply, null);
    }
  }
}
