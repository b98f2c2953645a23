package skein.cluster;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.Executor;
import skein.bus.MessageParts;
import skein.cluster.Transport.NoAnswerException;
import skein.messages.Reply;

/** An order that is sent together with others; its reply comes where its caller is. */
final class BatchedOrder implements AwaitedAnswers.End {
  private final Order order;
  private final long deadlineNanos;
  private final Executor caller;
  private final Promise<Reply> reply = Promise.promise();

  BatchedOrder(Order order, long deadlineNanos, Executor caller) {
    this.order = order;
    this.deadlineNanos = deadlineNanos;
    this.caller = caller;
  }

  Order order() {
    return order;
  }

  /** By the clock of {@link AwaitedAnswers}. */
  long deadlineNanos() {
    return deadlineNanos;
  }

  Future<Reply> reply() {
    return reply.future();
  }

  @Override
  public void answered(byte[] bytes) {
    caller.execute(() -> {
      try {
        reply.tryComplete(MessageParts.reply(bytes));
      } catch (RuntimeException | StackOverflowError e) { // Nobody else would end it.
        reply.tryFail(new NoAnswerException("The answer cannot be read: " + e));
      }
    });
  }

  @Override
  public void failed(Throwable failure) {
    caller.execute(() -> reply.tryFail(failure));
  }

  /** Ends as it does when it is sent alone. */
  void endsAs(Future<Reply> alone) {
    alone
        .onSuccess(answer -> caller.execute(() -> reply.tryComplete(answer)))
        .onFailure(this::failed);
  }
}
