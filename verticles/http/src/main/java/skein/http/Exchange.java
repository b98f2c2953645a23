package skein.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import skein.messages.Reply;

/**
 * One request and its answer: received, then worked on, then sent. Created and notified on the
 * event loop of its connection; the rest may be asked from any thread.
 */
final class Exchange {
  private static final String KEY = Exchange.class.getName();

  enum State {
    RECEIVING,
    WORKING,
    SENDING
  }

  private final Carrier carrier;
  private final RoutingContext request;
  private final Refusing refusing;
  private final LongSupplier nanos;
  private final @Nullable Context loop = Vertx.currentContext();
  private volatile State state = State.RECEIVING;
  private volatile long sinceNanos;
  private volatile long written;
  private long sending;
  private boolean over;

  /** Answers a request with a refusal, instead of its handler. */
  @FunctionalInterface
  interface Refusing {
    void answer(Reply.Refused refusal, int status);
  }

  /** The connection of a request, and the room that all connections share. Thread-safe. */
  interface Carrier {
    void close();

    /** Closes it because it takes up too much; counted as such. */
    void breakOff();

    /** Further input on it belongs to a WebSocket. */
    void upgraded();

    /** Nothing of this exchange is under way any more. */
    void ended(Exchange exchange);

    /** Bytes of an answer that are handed over; negative when they are taken. */
    void sending(long bytes);

    boolean hasRoomFor(long bytes);

    boolean hasSpareRoomFor(long bytes);

    /** Why there is no room. */
    Reply.Refused tooMuchToSend();
  }

  Exchange(Carrier carrier, RoutingContext request, Refusing refusing, LongSupplier nanos) {
    this.carrier = carrier;
    this.request = request;
    this.refusing = refusing;
    this.nanos = nanos;
    this.sinceNanos = nanos.getAsLong();
    request.put(KEY, this);
    request.addEndHandler(result -> {
      if (result.failed() && state != State.WORKING) {
        end(); // work that is under way continues, and is not over before it answers
      }
    });
  }

  /** Null where requests are not watched. */
  static @Nullable Exchange of(RoutingContext request) {
    return request.get(KEY);
  }

  State state() {
    return state;
  }

  boolean isReceiving() {
    return state == State.RECEIVING;
  }

  /** The body is complete. */
  void work() {
    if (state == State.RECEIVING) {
      state = State.WORKING;
    }
  }

  /** The answer, or as much of it as is known, is handed over. */
  synchronized void send(long bytes) {
    sinceNanos = nanos.getAsLong();
    state = State.SENDING;
    if (!over) {
      sending = bytes;
      carrier.sending(bytes);
    }
  }

  /** Whether so many bytes may be sent; those who take nothing make room. */
  boolean hasRoomFor(long bytes) {
    return carrier.hasRoomFor(bytes);
  }

  /** The same for an answer that the client must get: others are refused before. */
  boolean hasSpareRoomFor(long bytes) {
    return carrier.hasSpareRoomFor(bytes);
  }

  /** Closes the connection without an answer. */
  void breakOff() {
    carrier.breakOff();
  }

  Reply.Refused tooMuchToSend() {
    return carrier.tooMuchToSend();
  }

  /** It is over as soon as this is done. */
  void endWith(Future<Void> sent) {
    sent.onComplete(_ -> end());
  }

  /** The answer was sent, or the client has disconnected. */
  void end() {
    if (isFirstEnd()) {
      carrier.ended(this);
    }
  }

  private synchronized boolean isFirstEnd() {
    boolean first = !over;
    over = true;
    carrier.sending(-sending);
    sending = 0;
    return first;
  }

  /** Bytes of the answer that the client has not taken, as far as is known. */
  synchronized long sending() {
    return sending;
  }

  /** Nanoseconds since it began, or since something of its answer was handed over. */
  long age() {
    if (state == State.SENDING) {
      long now = request.response().bytesWritten();
      if (now != written) {
        written = now;
        sinceNanos = nanos.getAsLong();
      }
    }
    return nanos.getAsLong() - sinceNanos;
  }

  /** To be called before the answer, 101, is sent: later data is not a request. */
  void upgrade() {
    carrier.upgraded();
  }

  /** Has it answered with a refusal, and closes the connection, soon. */
  void refuse(Reply.Refused refusal, int status) {
    if (loop == null) {
      carrier.close();
    } else {
      loop.runOnContext(_ -> refuseHere(refusal, status));
    }
  }

  private void refuseHere(Reply.Refused refusal, int status) {
    var response = request.response();
    if (!response.headWritten() && !response.ended() && !response.closed()) {
      request.request().pause();
      refusing.answer(refusal, status);
    }
    request.vertx().setTimer(ConnectionLimits.LINGER_MS, _ -> carrier.close());
  }
}
