package skein.cluster;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import skein.messages.Command;

/** Reads what nodes send to one another, for tests that watch it. */
public final class BatchesSeen {
  private static final String ORDERS = "skein.orders.";

  private BatchesSeen() {}

  /** Whether messages of many orders are sent to an address. */
  public static boolean isOfOrders(String address) {
    return address.startsWith(ORDERS);
  }

  /** The commands of a message of the event bus; none when it is of another kind. */
  public static List<Command> commands(DeliveryContext<?> sending) {
    if (sending.body() instanceof Command alone) {
      return List.of(alone);
    }
    return isOfOrders(sending.message().address()) && sending.body() instanceof Buffer message
        ? orders(message).values().stream().map(Order::command).toList()
        : List.of();
  }

  /** The orders of a message, without questions, by their numbers. */
  public static Map<Long, Order> orders(Buffer message) {
    var orders = new LinkedHashMap<Long, Order>();
    for (var part : BatchFormat.readOrders(message).parts()) {
      if (!part.isQuestion()) {
        orders.put(part.number(), OrderBytes.read(part.bytes()));
      }
    }
    return orders;
  }

  /** The numbers that a message answers. */
  public static List<Long> answered(Buffer message) {
    return BatchFormat.readAnswers(message).stream().map(NumberedParts.Part::number).toList();
  }
}
