package skein.cluster;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import java.time.Duration;
import java.util.UUID;
import skein.bus.Answers;
import skein.messages.Addresses;
import skein.messages.Command;
import skein.messages.Reply;

/** Orders as messages of the event bus, one each: the command is the body, the rest are headers. */
public final class BusTransport implements Transport {
  /** Header: the command's id, a UUID. */
  private static final String COMMAND_ID = "command-id";

  /** Header, present from the second attempt on. */
  private static final String REPEATED = "repeated";

  /** Header: the idempotency key, as it is stored, whose claim has the command's id. */
  private static final String KEY = "key";

  /** Header, present where the owner could not read what a newer version had written. */
  private static final String IN_PLACE_OF_OWNER = "in-place-of-owner";

  /** Header of {@code MintToken}, a UUID; nodes of older versions draw a secret of their own. */
  private static final String SECRET = "secret";

  /** Header of {@code Start}, a JSON object; nodes of older versions start without it. */
  private static final String VARIABLES = "variables";

  /** Header of a command that is at work: callers who wait for its end get what is known. */
  private static final String ANSWER_NOW = "answer-now";

  private final Vertx vertx;

  public BusTransport(Vertx vertx) {
    this.vertx = vertx;
  }

  @Override
  public Future<Reply> request(String node, int lane, Order order, Duration timeout) {
    var delivery =
        Answers.asked(
            new DeliveryOptions()
                .setSendTimeout(timeout.toMillis())
                .addHeader(COMMAND_ID, order.id().toString()));
    if (order.repeated()) {
      delivery.addHeader(REPEATED, "true");
    }
    if (order.key() != null) {
      delivery.addHeader(KEY, order.key());
    }
    if (order.inPlaceOfOwner()) {
      delivery.addHeader(IN_PLACE_OF_OWNER, "true");
    }
    var beside = BesideBytes.of(order.command());
    if (beside.secret() != null) {
      delivery.addHeader(SECRET, beside.secret());
    }
    if (beside.variables() != null) {
      delivery.addHeader(VARIABLES, beside.variables());
    }
    return vertx
        .eventBus()
        .<Reply>request(Addresses.execution(node, lane), order.command(), delivery)
        .map(Message::body)
        .recover(e -> Future.failedFuture(e instanceof ReplyException r ? unanswered(r) : e));
  }

  private static Throwable unanswered(ReplyException e) {
    return switch (e.failureType()) {
      case NO_HANDLERS -> new NotDeliveredException(e.toString());
      case TIMEOUT -> new NoAnswerException(e.toString());
      default -> e;
    };
  }

  @Override
  public void answerNow(String node, int lane, Order order) {
    var delivery =
        new DeliveryOptions()
            .addHeader(COMMAND_ID, order.id().toString())
            .addHeader(ANSWER_NOW, "true");
    vertx.eventBus().send(Addresses.execution(node, lane), order.command(), delivery);
  }

  /** Whether a message asks for an answer to its command now, instead of for the command. */
  public static boolean isAnswerNow(Message<Command> message) {
    return message.headers().contains(ANSWER_NOW);
  }

  /** The order that a message brings; one of another service has a new id. */
  public static Order order(MultiMap headers, Command command) {
    var id = headers.get(COMMAND_ID);
    return new Order(
        new BesideBytes(headers.get(SECRET), headers.get(VARIABLES)).with(command),
        id == null ? UUID.randomUUID() : UUID.fromString(id),
        headers.contains(REPEATED) ? Delivery.REPEATED : Delivery.REMOTE,
        headers.get(KEY),
        headers.contains(IN_PLACE_OF_OWNER));
  }
}
