package skein.bus;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import skein.codecs.BadBytesException;
import skein.codecs.Format;
import skein.codecs.MessageBytes;
import skein.messages.ClusterEvent;
import skein.messages.Command;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ErrorCode;

/**
 * Lets the records of {@code skein.messages} travel on the event bus as they are.
 *
 * <p>Inside one node a record is passed on without a copy. Between nodes, bytes that cannot be read
 * never harm the connection, which does not look into bodies. A request, command or event is
 * decoded when the consumer asks for the body, and {@link BadBytesException} comes out there;
 * {@link Answers} turns it into a refusal. A reply is decoded by the event bus itself after it has
 * switched off the asker's timeout, where an exception would leave the asker waiting for ever: an
 * unreadable reply is therefore delivered as a refusal with {@code OUTCOME_UNKNOWN}.
 */
public final class MessageCodecs {
  static final Family<Request> REQUESTS =
      new Family<>("skein.request", MessageBytes::encode, MessageBytes::request);
  static final Family<Command> COMMANDS =
      new Family<>("skein.command", MessageBytes::encode, MessageBytes::command);
  static final Family<Reply> REPLIES =
      new Family<>("skein.reply", MessageCodecs::encodeReply, MessageCodecs::decodeReply);
  static final Family<ClusterEvent> CLUSTER_EVENTS =
      new Family<>("skein.event", MessageBytes::encode, MessageBytes::clusterEvent);

  private MessageCodecs() {}

  /** A reply, and the format in which its asker reads it. */
  record Answer(Reply reply, int format) {}

  /** As {@link #register(Vertx, IntSupplier)} for a service, which writes the newest format. */
  public static void register(Vertx vertx) {
    register(vertx, Format::newest);
  }

  /**
   * Registers the codecs and the selector that finds them. May be repeated, without effect.
   * Replaces a codec selector that was set before.
   *
   * @param read the newest format that all present nodes read, asked for with every message that
   *     leaves the node; from any thread
   */
  public static void register(Vertx vertx, IntSupplier read) {
    var bus = vertx.eventBus();
    IntSupplier format = () -> Format.writtenFor(read.getAsInt());
    registerOnce(bus, new Registered<>(REQUESTS, format));
    registerOnce(bus, new Registered<>(COMMANDS, format));
    registerOnce(bus, new Registered<>(REPLIES, format));
    registerOnce(bus, new Registered<>(CLUSTER_EVENTS, format));
    bus.codecSelector(MessageCodecs::codecName);
  }

  private static @Nullable String codecName(Object body) {
    if (body instanceof Request) {
      return REQUESTS.name();
    }
    if (body instanceof Command) {
      return COMMANDS.name();
    }
    if (body instanceof Reply || body instanceof Answer) {
      return REPLIES.name();
    }
    if (body instanceof ClusterEvent) {
      return CLUSTER_EVENTS.name();
    }
    return null;
  }

  /** The bus has no question for what is registered, only the refusal of a second registration. */
  private static void registerOnce(EventBus bus, MessageCodec<?, ?> codec) {
    try {
      bus.registerCodec(codec);
    } catch (IllegalStateException e) {
      var message = e.getMessage();
      if (message == null || !message.contains(codec.name())) {
        throw e;
      }
    }
  }

  private static byte[] encodeReply(Reply reply, int format) {
    try {
      return MessageBytes.encode(reply, format);
    } catch (RuntimeException e) {
      return MessageBytes.encode(
          new Reply.Refused(
              ErrorCode.OUTCOME_UNKNOWN,
              "It was done, but its answer could not be written: " + e.getMessage(),
              List.of()),
          format);
    }
  }

  private static Reply decodeReply(byte[] bytes) {
    try {
      return MessageBytes.reply(bytes);
    } catch (BadBytesException e) {
      return new Reply.Refused(
          ErrorCode.OUTCOME_UNKNOWN, "The answer could not be read: " + e.getMessage(), List.of());
    }
  }

  /** A message for the bus: written in a form that all present readers can read. */
  private record Registered<T>(Family<T> family, IntSupplier format)
      implements MessageCodec<Object, T> {
    @Override
    public void encodeToWire(Buffer buffer, Object message) {
      int written = message instanceof Answer answer ? answer.format() : format.getAsInt();
      family.write(buffer, bare(message), written);
    }

    @Override
    public T decodeFromWire(int position, Buffer buffer) {
      return family.read(position, buffer);
    }

    /** Inside one node nothing is written. */
    @Override
    public T transform(Object message) {
      return bare(message);
    }

    @SuppressWarnings("unchecked") // The selector gives each family its own.
    private T bare(Object message) {
      return (T) (message instanceof Answer answer ? answer.reply() : message);
    }

    @Override
    public String name() {
      return family.name();
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  /** Bytes of a message in a format. */
  interface Encoding<T> {
    byte[] of(T message, int format);
  }

  /** One codec: a length of four bytes, then the message. */
  record Family<T>(String name, Encoding<T> encode, Function<byte[], T> decode) {
    /**
     * Never throws: an exception here would be lost inside the bus, so the reason travels to the
     * receiver, which refuses the message.
     */
    void write(Buffer buffer, T message, int format) {
      var bytes = bytes(message, format);
      buffer.appendInt(bytes.length).appendBytes(bytes);
    }

    /** As {@link #write}, without the length. */
    byte[] bytes(T message, int format) {
      try {
        return encode.of(message, format);
      } catch (RuntimeException e) {
        return MessageBytes.unwritten(String.valueOf(e.getMessage()), format);
      }
    }

    T read(int position, Buffer buffer) {
      return decode.apply(body(position, buffer));
    }

    /** The available part of the body; a truncated one fails in the decoder, with the place. */
    private static byte[] body(int position, Buffer buffer) {
      int from = Math.min(position + 4, buffer.length());
      int left = buffer.length() - from;
      int length = from == position + 4 ? buffer.getInt(position) : 0;
      return buffer.getBytes(from, from + (length < 0 ? left : Math.min(length, left)));
    }
  }
}
