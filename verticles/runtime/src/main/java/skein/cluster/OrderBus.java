package skein.cluster;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.loop.EventLoop;

/**
 * What {@link OrderBatches} and {@link AnswerBatches} need of an event bus: messages of bytes, and
 * the loops on which they are handled. Thread-safe.
 */
public interface OrderBus {
  /**
   * Who calls.
   *
   * @param executor runs tasks where answers to the caller are to come
   * @param loop the event loop on which the caller is, always the same object for it; null: none
   */
  record Caller(Executor executor, @Nullable Object loop) {}

  Caller caller();

  /** One on which messages may be handled. */
  EventLoop newLoop();

  /** Fails when nobody listens there, or cannot be reached; never throws. */
  Future<Void> send(String address, Buffer message);

  /**
   * Hands what is sent to an address on, on the loop of the caller, who must be on one. Done when
   * the other nodes know of it; nobody listens if that fails. Never throws.
   *
   * @param handler is given the bodies, whatever they are
   */
  Future<Void> listen(String address, Consumer<@Nullable Object> handler);
}
