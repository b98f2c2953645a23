package skein.cluster;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.loop.EventLoop;
import skein.loop.VertxEventLoop;

/** The event bus of Vert.x. */
public final class VertxOrderBus implements OrderBus {
  private final Vertx vertx;

  public VertxOrderBus(Vertx vertx) {
    this.vertx = vertx;
  }

  @Override
  public Caller caller() {
    var context = vertx.getOrCreateContext();
    boolean onLoop = Context.isOnEventLoopThread() && context.equals(Vertx.currentContext());
    return new Caller(
        task -> context.runOnContext(_ -> task.run()),
        onLoop ? ((ContextInternal) context).nettyEventLoop() : null);
  }

  @Override
  public EventLoop newLoop() {
    return new VertxEventLoop(vertx, vertx.getOrCreateContext());
  }

  @Override
  public Future<Void> send(String address, Buffer message) {
    try {
      return vertx.eventBus().sender(address).write(message);
    } catch (RuntimeException e) {
      return Future.failedFuture(e); // the bus is closed
    }
  }

  @Override
  public Future<Void> listen(String address, Consumer<@Nullable Object> handler) {
    try {
      var consumer = vertx.eventBus().consumer(address, message -> handler.accept(message.body()));
      return consumer.completion().onFailure(_ -> consumer.unregister());
    } catch (RuntimeException e) {
      return Future.failedFuture(e); // the bus is closed
    }
  }
}
