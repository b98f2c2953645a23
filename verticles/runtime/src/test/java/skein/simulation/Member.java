package skein.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import skein.cluster.Order;
import skein.execution.SimulatedNode;
import skein.loop.SimulatedLoop;
import skein.timers.SimulatedTimers;

/** A node that is there, or was. */
record Member(
    int number,
    Network.Place place,
    SimulatedNode node,
    SimulatedLoop http,
    SimulatedTimers timers,
    List<Client.Call> calls,
    Map<Order, Order> underWay) {
  List<SimulatedLoop> loops() {
    var all = new ArrayList<>(node.loops());
    all.add(http);
    all.add(timers.loop());
    all.add(place.loop());
    return all;
  }
}
