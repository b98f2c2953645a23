package skein.cluster;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.messages.Command;

/**
 * A command on its way.
 *
 * @param id the same in all attempts; the journal keeps it
 * @param key an idempotency key, as it is stored, whose claim has this id; null: none
 * @param inPlaceOfOwner the owner leaves the command to nodes that know more: its lock means
 *     nothing
 */
public record Order(
    Command command, UUID id, Delivery delivery, @Nullable String key, boolean inPlaceOfOwner) {
  /** An order for a lane of this node, for the first time. */
  public static Order of(Command command, UUID id, @Nullable String key) {
    return new Order(command, id, Delivery.LOCAL, key, false);
  }

  public boolean repeated() {
    return delivery == Delivery.REPEATED;
  }

  /** As {@link Delivery#REPEATED}. */
  Order again() {
    return new Order(command, id, Delivery.REPEATED, key, false);
  }

  Order inPlace() {
    return new Order(command, id, delivery, key, true);
  }
}
