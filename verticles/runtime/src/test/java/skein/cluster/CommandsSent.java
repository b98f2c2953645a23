package skein.cluster;

import io.vertx.core.eventbus.DeliveryContext;
import java.util.List;
import skein.messages.Command;

/** Reads the commands of what a node sends to a lane, for tests that watch the event bus. */
public final class CommandsSent {
  /** Where a lane listens for many orders, for any node. */
  private static final String ORDERS = "skein.orders.";

  private CommandsSent() {}

  /** None when the message is of another kind. */
  public static List<Command> in(DeliveryContext<?> sending) {
    if (sending.body() instanceof Command alone) {
      return List.of(alone);
    }
    if (!sending.message().address().startsWith(ORDERS)) {
      return List.of();
    }
    return BatchFormat.readOrders(sending.body()).parts().stream()
        .filter(part -> part.bytes().length > 0)
        .map(part -> OrderBytes.read(part.bytes()).command())
        .toList();
  }
}
