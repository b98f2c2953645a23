package skein.simulation;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.cluster.BatchesSeen;
import skein.cluster.Cluster;
import skein.cluster.Order;
import skein.cluster.OrderBatches;
import skein.cluster.OrderBus;
import skein.cluster.Transport;
import skein.loop.EventLoop;
import skein.loop.SimulatedLoop;
import skein.loop.Simulator;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.simulation.Coverage.Met;
import skein.simulation.Plan.Fault;
import skein.simulation.Plan.Trouble;

/** What nodes hear of one another, and when each of them finds out who is there. */
final class Network {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;

  private final Simulator simulator;
  private final SplittableRandom random;
  private final List<Fault> faults;
  private final Coverage coverage;
  private final Map<String, Place> places = new LinkedHashMap<>();
  private final Map<String, Listener> listeners = new HashMap<>();
  private boolean calm;

  /** Where a node is found. */
  interface Site {
    /** Called on no loop; the answer comes on the loop of the lane. */
    void deliver(int lane, Order order, Replies replies);
  }

  @FunctionalInterface
  interface Replies {
    void reply(Reply reply);
  }

  Network(Simulator simulator, long seed, List<Fault> faults, Coverage coverage) {
    this.simulator = simulator;
    this.random = new SplittableRandom(seed);
    this.faults = faults;
    this.coverage = coverage;
  }

  /** A node of the network, and what it sees. */
  final class Place implements Cluster {
    final int number;
    final Node self;
    private final Site site;
    private final List<Runnable> listeners = new ArrayList<>();
    private List<Node> view;
    boolean dead;
    boolean frozen;
    final OrderBatches orders;
    private final Bus bus;

    Place(int number, Node self, Site site) {
      this.number = number;
      this.self = self;
      this.site = site;
      this.view = List.of(self);
      this.bus = new Bus(this);
      this.orders = new OrderBatches(bus, this, new Sending(this), random.nextLong());
    }

    @Override
    public Node self() {
      return self;
    }

    @Override
    public Node ownerOf(InstanceId instanceId) {
      var executing = view.stream().filter(Node::executes).toList();
      if (executing.isEmpty()) {
        throw new SkeinException(ErrorCode.NOT_READY, "No node executes");
      }
      return executing.get(Math.floorMod(instanceId.value().hashCode() * 31, executing.size()));
    }

    @Override
    public List<Node> members() {
      return view;
    }

    @Override
    public void onChange(Runnable listener) {
      listeners.add(listener);
    }

    void sees(List<Node> next) {
      if (!dead && !next.equals(view)) {
        view = next;
        simulator.note(() -> self.id() + " sees " + next.stream().map(Node::id).toList());
        listeners.forEach(Runnable::run);
      }
    }

    /** How it sends orders: many in one message, to nodes that take them. */
    Transport transport() {
      return orders;
    }

    OrderBus bus() {
      return bus;
    }

    /** On which it hears answers. */
    SimulatedLoop loop() {
      return bus.loop;
    }
  }

  /** {@code lanes}: 0 for none. */
  Place join(int number, String id, int lanes, Site site) {
    var place = new Place(number, new Cluster.Node(id, "n" + number, lanes), site);
    places.put(id, place);
    return place;
  }

  private boolean isOn(Trouble trouble, int node) {
    return on(trouble, node) != null;
  }

  private Fault on(Trouble trouble, int node) {
    if (calm) {
      return null;
    }
    long micros = simulator.now() / MICRO;
    for (var fault : faults) {
      if (fault.trouble() == trouble && fault.isOn(micros) && (node < 0 || fault.node() == node)) {
        return fault;
      }
    }
    return null;
  }

  /** From here on the network does its best. */
  void calmDown() {
    calm = true;
    topologyChanged(50 * MILLI, 400 * MILLI);
  }

  // Views

  /** Each node finds out by itself, some time later. */
  void topologyChanged(long leastNanos, long mostNanos) {
    for (var place : List.copyOf(places.values())) {
      long later = leastNanos + random.nextLong(Math.max(1, mostNanos - leastNanos));
      simulator.after(later, () -> look(place));
    }
  }

  void look(Place place) {
    if (place.dead || place.frozen) {
      return;
    }
    var seen = new ArrayList<Cluster.Node>();
    for (var other : places.values()) {
      if (other == place || (!other.dead && !other.frozen && isSeen(place, other))) {
        seen.add(other.self);
      }
    }
    seen.sort(Comparator.comparing(Cluster.Node::id));
    place.sees(List.copyOf(seen));
  }

  private boolean isSeen(Place place, Place other) {
    if (cut(place, other) != null || cut(other, place) != null) {
      return false;
    }
    var odd = on(Trouble.VIEWS, place.number);
    return odd == null || (other.number + odd.percent()) % 2 == 0;
  }

  /** Whether all that are there agree on who owns an instance. */
  boolean isDisputed(InstanceId id) {
    String owner = null;
    for (var place : places.values()) {
      if (!place.dead) {
        var seen = place.ownerOf(id).id();
        if (owner != null && !owner.equals(seen)) {
          return true;
        }
        owner = seen;
      }
    }
    return false;
  }

  private Met cut(Place from, Place to) {
    if (isOn(Trouble.SPLIT, from.number) || isOn(Trouble.SPLIT, to.number)) {
      return Met.SPLIT;
    }
    return isOn(Trouble.ONE_WAY, from.number) ? Met.ONE_WAY : null;
  }

  // Messages

  private long latency() {
    long usual = 50 * MICRO + random.nextLong(400 * MICRO);
    return random.nextInt(20) == 0 ? usual * 10 : usual;
  }

  /** Negative: it does not arrive. {@code orders}: that it brings, or answers. */
  private long underWay(Place from, Place to, Collection<Order> orders) {
    if (to.dead) {
      met(orders, Met.KILL);
      return -1;
    }
    if (to.frozen) {
      met(orders, Met.FREEZE);
    }
    var cut = cut(from, to);
    if (cut != null) {
      met(orders, cut);
      return -1;
    }
    var loss = on(Trouble.LOSS, -1);
    if (loss != null && random.nextInt(100) < loss.percent()) {
      met(orders, Met.LOSS);
      return -1;
    }
    var delay = on(Trouble.DELAY, -1);
    if (delay != null && random.nextInt(100) < delay.percent()) {
      met(orders, Met.DELAY);
      return random.nextLong(random.nextBoolean() ? 20 * MILLI : 4_000 * MILLI);
    }
    return latency();
  }

  private void met(Collection<Order> orders, Met met) {
    orders.forEach(order -> coverage.met(order, met));
  }

  /** Published messages: each listener gets them once, after a while. */
  void tellOthers(Place from, Consumer<Place> told) {
    for (var to : places.values()) {
      var loss = on(Trouble.LOSS, -1);
      boolean lost =
          cut(from, to) != null || (loss != null && random.nextInt(100) < loss.percent());
      if (to != from && !to.dead && !lost) {
        simulator.after(latency(), () -> told.accept(to));
      }
    }
  }

  private final class Sending implements Transport {
    private final Place from;

    Sending(Place from) {
      this.from = from;
    }

    @Override
    public Future<Reply> request(String node, int lane, Order order, Duration timeout) {
      Simulator.Answer<Reply> answer = simulator.answer();
      var to = places.get(node);
      if (to == null || !from.view.contains(to.self)) {
        simulator.after(
            latency(), () -> answer.fail(new NotDeliveredException("No handlers at " + node)));
        return answer.future();
      }
      simulator.after(timeout.toNanos(), () -> answer.fail(new NoAnswerException("Timed out")));
      long there = underWay(from, to, List.of(order));
      if (there < 0) {
        simulator.note(() -> "lost on the way to " + node + ": " + Arrivals.shown(order));
        return answer.future();
      }
      simulator.after(
          there,
          () -> {
            if (!to.dead) {
              to.site.deliver(lane, order, reply -> back(to, order, reply, answer, node));
            }
          });
      return answer.future();
    }

    private void back(
        Place to, Order order, Reply reply, Simulator.Answer<Reply> answer, String node) {
      long back = underWay(to, from, List.of(order));
      if (back < 0) {
        simulator.note(
            () -> "lost on the way from " + node + ": the reply to " + Arrivals.shown(order));
      } else {
        simulator.after(back, () -> answer.succeed(reply));
      }
    }

    @Override
    public void answerNow(String node, int lane, Order order) {
      // No node of a simulation stops in order.
    }
  }

  private record Listener(Place place, SimulatedLoop loop, Consumer<@Nullable Object> handler) {}

  /** Messages of bytes of one node. */
  private final class Bus implements OrderBus {
    private final Place from;
    private final SimulatedLoop loop;
    private final Map<Long, Order> sent = new HashMap<>();

    Bus(Place from) {
      this.from = from;
      this.loop = simulator.newLoop(from.self.id() + "/orders");
    }

    @Override
    public Caller caller() {
      var current = simulator.current();
      return current == null
          ? new Caller(Runnable::run, null)
          : new Caller(current::execute, current);
    }

    @Override
    public EventLoop newLoop() {
      return loop;
    }

    @Override
    public Future<Void> listen(String address, Consumer<@Nullable Object> handler) {
      if (!calm && random.nextInt(10) == 0) {
        return Future.failedFuture(new IllegalStateException("The others are not told"));
      }
      listeners.put(address, new Listener(from, simulator.current(), handler));
      return simulator.delays().after(Duration.ofNanos(latency()));
    }

    /** One that is lost may be known to be lost, and one that has arrived may be thought so. */
    @Override
    public Future<Void> send(String address, Buffer message) {
      Simulator.Answer<Void> written = simulator.answer();
      var listener = listeners.get(address);
      boolean unknown = !calm && random.nextInt(50) == 0; // Nodes learn where others listen.
      if (unknown || listener == null || !from.view.contains(listener.place.self)) {
        simulator.after(
            latency(), () -> written.fail(new ReplyException(ReplyFailure.NO_HANDLERS, address)));
        return written.future();
      }
      var to = listener.place;
      var orders = brought(address, message, to);
      met(orders, Met.TOGETHER);
      long there = underWay(from, to, orders);
      if (there < 0) {
        met(orders, Met.TOGETHER_LOST);
      }
      if ((there < 0 || !calm) && random.nextInt(there < 0 ? 3 : 30) == 0) {
        simulator.after(latency(), () -> written.fail(new ConnectException("Cut off")));
      } else {
        written.succeed(null);
      }
      if (there < 0) {
        simulator.note(() ->
            "lost on the way to " + address + ": " + orders.stream().map(Arrivals::shown).toList());
        return written.future();
      }
      simulator.after(
          there,
          () -> {
            if (!to.dead) {
              listener.loop.execute(() -> listener.handler.accept(message));
            }
          });
      return written.future();
    }

    private Collection<Order> brought(String address, Buffer message, Place to) {
      if (BatchesSeen.isOfOrders(address)) {
        var orders = BatchesSeen.orders(message);
        sent.putAll(orders);
        return orders.values();
      }
      return BatchesSeen.answered(message).stream()
          .map(to.bus.sent::get)
          .filter(Objects::nonNull)
          .toList();
    }
  }
}
