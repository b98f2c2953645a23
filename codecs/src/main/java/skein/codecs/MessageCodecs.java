package skein.codecs;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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

  /**
   * Registers the codecs and the selector that finds them. May be repeated. Replaces a codec
   * selector that was set before.
   */
  public static void register(Vertx vertx) {
    var bus = vertx.eventBus();
    registerOnce(bus, REQUESTS);
    registerOnce(bus, COMMANDS);
    registerOnce(bus, REPLIES);
    registerOnce(bus, CLUSTER_EVENTS);
    bus.codecSelector(MessageCodecs::codecName);
  }

  private static @Nullable String codecName(Object body) {
    return switch (body) {
      case Request _ -> REQUESTS.name();
      case Command _ -> COMMANDS.name();
      case Reply _ -> REPLIES.name();
      case ClusterEvent _ -> CLUSTER_EVENTS.name();
      default -> null;
    };
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

  private static byte[] encodeReply(Reply reply) {
    try {
      return MessageBytes.encode(reply);
    } catch (RuntimeException e) {
      return MessageBytes.encode(
          new Reply.Refused(
              ErrorCode.OUTCOME_UNKNOWN,
              "It was done, but its answer could not be written: " + e.getMessage(),
              List.of()));
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

  /** One codec: a length of four bytes, then the message. */
  record Family<T>(String name, Function<T, byte[]> encode, Function<byte[], T> decode)
      implements MessageCodec<T, T> {

    /**
     * Never throws: an exception here would be lost inside the bus, so the reason travels to the
     * receiver, which refuses the message.
     */
    @Override
    public void encodeToWire(Buffer buffer, T message) {
      byte[] bytes;
      try {
        bytes = encode.apply(message);
      } catch (RuntimeException e) {
        bytes = MessageBytes.unwritten(String.valueOf(e.getMessage()));
      }
      buffer.appendInt(bytes.length).appendBytes(bytes);
    }

    @Override
    public T decodeFromWire(int position, Buffer buffer) {
      return decode.apply(body(position, buffer));
    }

    @Override
    public T transform(T message) {
      return message;
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }

    /** What is there of the body; a cut-off one fails in the decoder, with the place. */
    private static byte[] body(int position, Buffer buffer) {
      int from = Math.min(position + 4, buffer.length());
      int left = buffer.length() - from;
      int length = from == position + 4 ? buffer.getInt(position) : 0;
      return buffer.getBytes(from, from + (length < 0 ? left : Math.min(length, left)));
    }
  }
}
