package skein.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import skein.cluster.Order;
import skein.execution.SimulatedNode;
import skein.loop.Simulator;
import skein.messages.Command;
import skein.simulation.Coverage.Met;
import skein.simulation.Plan.Fault;
import skein.simulation.Plan.Trouble;
import skein.storage.SimulatedDatabase;

/** The commands that have arrived at nodes, and the faults that they have met there. */
final class Arrivals {
  private static final long MICRO = 1_000;

  private final List<Fault> faults;
  private final Simulator simulator;
  private final Network network;
  private final Coverage coverage;
  private final Map<UUID, Order> orders = new HashMap<>();
  private final Map<UUID, Set<String>> nodes = new HashMap<>();
  private final List<Throwable> unforeseen = new ArrayList<>();

  Arrivals(List<Fault> faults, Simulator simulator, Network network, Coverage coverage) {
    this.faults = faults;
    this.simulator = simulator;
    this.network = network;
    this.coverage = coverage;
  }

  /** By the id of the command, as they arrived first. */
  Map<UUID, Order> orders() {
    return orders;
  }

  /** The nodes at which a command has arrived, by its id. */
  Map<UUID, Set<String>> nodes() {
    return nodes;
  }

  List<Throwable> unforeseen() {
    return unforeseen;
  }

  /** Those with these ids have met something. */
  void met(List<UUID> commands, Met met) {
    for (var id : commands) {
      var order = orders.get(id);
      if (order != null) {
        coverage.met(order, met);
      }
    }
  }

  void met(Collection<Order> underWay, Met met) {
    underWay.forEach(order -> coverage.met(order, met));
  }

  /** {@code trouble}: {@link Trouble#AWAY} or {@link Trouble#SLOW}. */
  void metDatabase(Collection<Order> underWay, Trouble trouble) {
    met(underWay, trouble == Trouble.AWAY ? Met.AWAY : Met.SLOW);
  }

  /** Sees what arrives at one node. */
  SimulatedNode.Observer at(Supplier<Member> member) {
    return new Observer(member);
  }

  static String shown(Order order) {
    return Coverage.kind(order.command())
        + " "
        + order.command().instanceId()
        + " ("
        + SimulatedDatabase.shortId(order.id())
        + " "
        + order.delivery()
        + ")";
  }

  static String described(Throwable e) {
    var text = new StringBuilder(e.toString());
    for (int i = 0; i < Math.min(6, e.getStackTrace().length); i++) {
      text.append(" < ").append(e.getStackTrace()[i]);
    }
    return text.toString();
  }

  private final class Observer implements SimulatedNode.Observer {
    private final Supplier<Member> member;

    Observer(Supplier<Member> member) {
      this.member = member;
    }

    @Override
    public void arrived(Order order) {
      orders.putIfAbsent(order.id(), order);
      nodes.computeIfAbsent(order.id(), _ -> new HashSet<>()).add(member.get().place().self().id());
      member.get().underWay().put(order, order);
      if (network.isDisputed(order.command().instanceId())) {
        coverage.met(order, Met.VIEWS);
      }
      for (var fault : faults) {
        var trouble = fault.trouble();
        if ((trouble == Trouble.AWAY || trouble == Trouble.SLOW)
            && fault.isOn(simulator.now() / MICRO)) {
          metDatabase(List.of(order), trouble);
        }
      }
      if (order.repeated()) {
        coverage.met(order, Met.FAILOVER);
      }
      simulator.note(
          () -> "arrived at " + simulator.current() + ": " + shown(order) + detail(order));
    }

    private static String detail(Order order) {
      var mark = Oracle.mark(order.command());
      var bookmark =
          order.command() instanceof Command.Resume resume ? " " + resume.bookmarkId() : "";
      return (mark == null ? "" : " of " + mark) + bookmark;
    }

    @Override
    public void ended(Order order) {
      member.get().underWay().remove(order);
    }

    @Override
    public void committed(List<UUID> commands, boolean won) {}

    @Override
    public void failed(Throwable e) {
      unforeseen.add(e);
      simulator.note(() -> "unforeseen: " + described(e));
    }
  }
}
