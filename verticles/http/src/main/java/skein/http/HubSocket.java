package skein.http;

import io.vertx.core.http.ServerWebSocket;

/**
 * One client that is connected by a WebSocket. It is read no faster than it is answered. Confined
 * to the event loop of its connection.
 */
final class HubSocket implements HubLink {
  private final ServerWebSocket socket;
  private boolean busy;

  HubSocket(ServerWebSocket socket) {
    this.socket = socket;
  }

  /** {@code closed}: called when the connection has ended. */
  void open(HubSession session, Runnable closed) {
    socket.textMessageHandler(text -> {
      busy = true;
      socket.pause();
      session
          .received(text)
          .onComplete(_ -> {
            busy = false;
            resume();
          });
    });
    socket.binaryMessageHandler(_ -> session.refuseBinary());
    socket.drainHandler(_ -> {
      session.flush();
      resume();
    });
    socket.exceptionHandler(_ -> {
      session.closed();
      end(Ending.PROTOCOL);
    });
    socket.closeHandler(_ -> {
      session.closed();
      closed.run();
    });
  }

  private void resume() {
    if (!busy && !socket.isClosed() && !socket.writeQueueFull()) {
      socket.resume();
    }
  }

  @Override
  public boolean isReady() {
    return !socket.isClosed() && !socket.writeQueueFull();
  }

  /** It is not read then. */
  @Override
  public boolean isFull() {
    return false;
  }

  @Override
  public void write(String records) {
    if (!socket.isClosed()) {
      socket.writeTextMessage(records);
    }
  }

  @Override
  public void end(Ending why) {
    if (!socket.isClosed()) {
      socket.resume(); // the frame that answers is read
      socket.close(why.status(), why.code());
    }
  }
}
