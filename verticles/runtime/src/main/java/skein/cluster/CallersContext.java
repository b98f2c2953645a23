package skein.cluster;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;
import skein.loop.EventLoop;

/** For answers to one caller that others wait for, too. */
public final class CallersContext {
  private CallersContext() {}

  /** Ends as {@code answer} does, on the context from which this is called, if there is one. */
  public static <T extends @Nullable Object> Future<T> of(Future<T> answer) {
    @Nullable Context caller = Vertx.currentContext();
    if (caller == null) {
      return answer;
    }
    if (answer.isComplete()) {
      return EventLoop.withoutContext(answer);
    }
    Promise<T> promise = Promise.promise();
    answer.onComplete(result -> caller.runOnContext(_ -> promise.handle(result)));
    return promise.future();
  }
}
