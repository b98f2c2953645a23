package skein.client;

import java.util.List;
import skein.model.InstanceId;

/**
 * The receivers of an event.
 *
 * @param resumed bookmarks whose resumption by it is committed
 * @param started instances whose start by it is committed
 * @param instances the first 1,000 of those, and of those that are still to be reached, which are
 *     not counted
 */
public record Delivery(int resumed, int started, List<InstanceId> instances) {
  public Delivery {
    instances = List.copyOf(instances);
  }
}
