package skein.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;

/**
 * The messages of one client that takes them as server-sent events, each group of messages an
 * event. Confined to the event loop of its connection.
 */
final class HubStream implements HubLink {
  /** Browsers then know that the stream is open. */
  private static final String OPENING = ":\r\n\r\n";

  private final HttpServerResponse response;
  private final Promise<Void> ended = Promise.promise();

  HubStream(HttpServerResponse response) {
    this.response = response;
  }

  /** Done when the stream has ended; {@code drained} is called when the client has caught up. */
  Future<Void> open(Runnable drained) {
    response.closeHandler(_ -> ended.tryComplete());
    response.exceptionHandler(_ -> ended.tryComplete());
    response.drainHandler(_ -> drained.run());
    response.write(OPENING);
    return ended.future();
  }

  @Override
  public boolean isReady() {
    return !response.writeQueueFull();
  }

  @Override
  public boolean isFull() {
    return !isReady();
  }

  @Override
  public void write(String records) {
    if (!response.closed() && !response.ended()) {
      response.write("data: " + records + "\r\n\r\n"); // one line: JSON text has no line breaks
    }
  }

  @Override
  public void end(Ending why) {
    ended.tryComplete();
  }
}
