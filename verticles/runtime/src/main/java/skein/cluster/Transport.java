package skein.cluster;

import io.vertx.core.Future;
import java.time.Duration;
import skein.messages.Reply;

/**
 * The way of orders to the lanes of other nodes. Thread-safe; answers come on the caller's loop.
 */
public interface Transport {
  /**
   * Hands an order to a lane and waits for its reply; a refusal is a reply too. Fails with {@link
   * NotDeliveredException} or {@link NoAnswerException}, or with whatever else keeps an order from
   * being sent.
   */
  Future<Reply> request(String node, int lane, Order order, Duration timeout);

  /** Asks a lane to answer an order with what is known by now; may be lost. */
  void answerNow(String node, int lane, Order order);

  /** No node listens there: the order was not executed. */
  final class NotDeliveredException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NotDeliveredException(String message) {
      super(message, null, false, false);
    }
  }

  /** There was no reply in time: it is unknown whether the order was, or will be, executed. */
  final class NoAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NoAnswerException(String message) {
      super(message, null, false, false);
    }
  }
}
