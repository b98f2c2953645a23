package skein.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One client that follows a state. It is sent the newest state when it differs from the one it has
 * and the client has taken what came before: a slow one misses states in between, and nothing is
 * queued for it. Offered states from any thread; sends on the event loop of its connection.
 */
final class LiveReader {
  /** Shorter than what proxies and {@code http.send-timeout} take for silence. */
  private static final long HEARTBEAT_NANOS = Duration.ofSeconds(10).toNanos();

  private static final String OPENING = "retry: 1000\n\n";
  private static final String HEARTBEAT = ":\n\n";

  private final HttpServerResponse response;
  private final Context context;
  private final long endNanos;
  private final Promise<Void> ended = Promise.promise();
  private @Nullable String sent;
  private long wroteNanos;

  /**
   * @param context of the connection
   * @param known the id of the state that the client has; null: none
   */
  LiveReader(
      HttpServerResponse response, Context context, @Nullable String known, Duration streamMax) {
    this.response = response;
    this.context = context;
    this.sent = known;
    this.wroteNanos = System.nanoTime();
    this.endNanos = wroteNanos + streamMax.toNanos();
  }

  /**
   * On the event loop of the connection; done when the client has disconnected or its time is over.
   */
  Future<Void> open() {
    response.closeHandler(_ -> ended.tryComplete());
    response.exceptionHandler(_ -> ended.tryComplete());
    response.write(OPENING);
    return ended.future();
  }

  void offer(LiveState state) {
    context.runOnContext(_ -> take(state));
  }

  private void take(LiveState state) {
    long now = System.nanoTime();
    if (response.closed() || response.ended() || now - endNanos > 0) {
      ended.tryComplete();
    } else if (!response.writeQueueFull()) {
      if (!state.id().equals(sent)) {
        sent = state.id();
        wroteNanos = now;
        response.write(state.message());
      } else if (now - wroteNanos > HEARTBEAT_NANOS) {
        wroteNanos = now;
        response.write(HEARTBEAT);
      }
    }
  }

  /** After what was offered before; its client opens another stream. */
  void end() {
    context.runOnContext(_ -> ended.tryComplete());
  }
}
