package skein.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * A connection to the hub whose client sends by requests of their own, which come to any event loop
 * of the node.
 *
 * @param token by which its client names it
 * @param owner who has opened it; no other caller may use it
 * @param context to which the session is confined
 * @param polls where the client fetches its messages; null where they are a stream
 */
record HubChannel(
    String token, String owner, Context context, HubSession session, @Nullable HubPolls polls) {

  /** Without the token, which is a secret. */
  @Override
  public String toString() {
    return "HubChannel[owner=" + owner + "]";
  }

  /** Acts upon what the client has sent; fails when it does not take the answers. */
  Future<Void> receive(String text) {
    return run(() ->
        session.isFull()
            ? Future.failedFuture(
                new SkeinException(
                    ErrorCode.OVERLOADED, "Take the messages of this connection before more"))
            : session.received(text));
  }

  /** The messages that the client has not fetched; null when the connection has ended. */
  Future<@Nullable String> poll(HubPolls from, Duration wait) {
    return run(() -> {
      session.heard();
      var found = from.poll(wait);
      session.flush();
      return found.onComplete(_ -> session.heard());
    });
  }

  /** Its client has no more use for it. */
  Future<Void> end() {
    return run(() -> {
      session.closed();
      if (polls != null) {
        polls.end(HubLink.Ending.CLIENT);
      }
      return Future.succeededFuture();
    });
  }

  /** The result comes back to the context of the caller. */
  private <T extends @Nullable Object> Future<T> run(Supplier<Future<T>> action) {
    var caller = Vertx.currentContext();
    Promise<T> done = Promise.promise();
    context.runOnContext(_ ->
        action
            .get()
            .onComplete(result -> {
              if (caller == null || caller.equals(context)) {
                done.handle(result);
              } else {
                caller.runOnContext(_ -> done.handle(result));
              }
            }));
    return done.future();
  }
}
