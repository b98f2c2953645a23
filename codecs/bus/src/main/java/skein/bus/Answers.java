package skein.bus;

import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.codecs.BadBytesException;
import skein.codecs.Format;
import skein.codecs.JsonLimits;
import skein.codecs.JsonMessages;
import skein.codecs.JsonText;
import skein.codecs.RequestRules;
import skein.messages.Command;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * The boundary of every consumer: reads the body, has the work done, and replies with what came of
 * it. Whatever fails, the asker is answered and the consumer lives.
 *
 * <p>A message that wants no reply gets none. Call on the consumer's context.
 */
public final class Answers {
  /** Header: the newest format that the asker reads. */
  private static final String READS = "reads";

  private final JsonLimits limits;
  private final Function<Throwable, Reply.Refused> refuse;

  /**
   * @param refuse maps a failure, usually {@link Refusals#of}; the place to log what was not
   *     foreseen
   */
  public Answers(JsonLimits limits, Function<Throwable, Reply.Refused> refuse) {
    this.limits = limits;
    this.refuse = refuse;
  }

  /** Says what the asker reads, so that it is answered in that format; who asks sends it along. */
  public static DeliveryOptions asked(DeliveryOptions delivery) {
    return delivery.addHeader(READS, Integer.toString(Format.newest()));
  }

  /** Answers a request that came as a record or as a JSON object, in the form it came in. */
  public void request(
      Message<?> message, Function<Request, ? extends Future<? extends Reply>> work) {
    perform(() -> work.apply(readRequest(message)))
        .onSuccess(reply -> reply(message, inFormOf(message, reply)));
  }

  /** Answers a command. */
  public void command(
      Message<?> message, Function<Command, ? extends Future<? extends Reply>> work) {
    perform(() -> work.apply(read(message, Command.class)))
        .onSuccess(reply -> reply(message, reply));
  }

  private Request readRequest(Message<?> message) {
    if (message.body() instanceof JsonObject json) {
      var members = JsonText.parseObject(encode(json), limits);
      return RequestRules.checked(JsonMessages.fromJson(message.address(), members), limits);
    }
    return RequestRules.checked(read(message, Request.class), limits);
  }

  private static <T> T read(Message<?> message, Class<T> type) {
    var body = message.body();
    if (!type.isInstance(body)) {
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST,
          message.address() + " takes a " + type.getSimpleName() + ", not " + nameOf(body));
    }
    return type.cast(body);
  }

  private static String encode(JsonObject json) {
    try {
      return json.encode();
    } catch (RuntimeException e) {
      throw new SkeinException(
          ErrorCode.INVALID_JSON, "The object cannot be written as JSON", List.of(), e);
    }
  }

  /** Never fails. */
  private Future<Reply> perform(Work work) {
    Future<? extends Reply> done;
    try {
      done = work.start();
    } catch (Throwable e) { // The asker must be told, whatever it is.
      done = Future.failedFuture(e);
    }
    return done.transform(result ->
        Future.<Reply>succeededFuture(
            result.succeeded() ? result.result() : refuse.apply(result.cause())));
  }

  /** As {@link #command}, for work that was asked for without a message; never fails. */
  public Future<Reply> reply(Supplier<? extends Future<? extends Reply>> work) {
    return perform(work::get);
  }

  private static Object inFormOf(Message<?> message, Reply reply) {
    boolean json;
    try {
      json = message.body() instanceof JsonObject;
    } catch (BadBytesException e) {
      json = false;
    }
    return json ? new JsonObject(JsonText.print(JsonMessages.toJson(reply))) : reply;
  }

  private static void reply(Message<?> message, Object reply) {
    if (message.replyAddress() != null) {
      message.reply(reply instanceof Reply r ? inFormatOf(message, r) : reply);
    }
  }

  private static Object inFormatOf(Message<?> message, Reply reply) {
    var reads = message.headers().get(READS);
    return reads == null || !reads.matches("[0-9]{1,9}")
        ? reply
        : new MessageCodecs.Answer(reply, Format.writtenFor(Integer.parseInt(reads)));
  }

  private static String nameOf(@Nullable Object body) {
    return body == null ? "nothing" : body.getClass().getSimpleName();
  }

  /** Work that may fail before it has a future. */
  @FunctionalInterface
  private interface Work {
    Future<? extends Reply> start();
  }
}
