package skein.simulation;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import skein.cluster.NoLocks;
import skein.cluster.Order;
import skein.execution.Notices;
import skein.execution.SimulatedNode;
import skein.loop.SimulatedLoop;
import skein.loop.Simulator;
import skein.model.Effect;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.simulation.Coverage.Met;
import skein.storage.SimulatedDatabase;
import skein.storage.SimulatedLeases;
import skein.timers.SimulatedTimers;

/** The nodes of a cluster: starts them, and lets them die, freeze and continue. */
final class Members {
  /** How long a node is silent before the others do without it. */
  static final long NOTICED_LEAST = 100_000_000;

  static final long NOTICED_MOST = 1_200_000_000;
  private static final long MILLI = 1_000_000;

  private final Plan plan;
  private final Simulator simulator;
  private final Function<String, SimulatedDatabase> databases;
  private final Network network;
  private final Arrivals arrivals;
  private final OutsideWork work;
  private final SplittableRandom random;
  private final SharedLocks locks;
  private final SimulatedLeases.Rows leases = new SimulatedLeases.Rows();
  private final List<Member> all = new ArrayList<>();
  private int starts;

  /** {@code databases}: the database as a node sees it, by the id of the node. */
  Members(
      Plan plan,
      Simulator simulator,
      Function<String, SimulatedDatabase> databases,
      Network network,
      Arrivals arrivals,
      OutsideWork work,
      SplittableRandom random) {
    this.plan = plan;
    this.simulator = simulator;
    this.databases = databases;
    this.network = network;
    this.arrivals = arrivals;
    this.work = work;
    this.random = random;
    this.locks = new SharedLocks(simulator);
  }

  /** Those that have died too. */
  List<Member> all() {
    return all;
  }

  List<Member> living() {
    return all.stream().filter(member -> !member.place().dead).toList();
  }

  /** The node of that number; null: it is dead. */
  Member alive(int number) {
    for (var member : living()) {
      if (member.number() == number) {
        return member;
      }
    }
    return null;
  }

  /** A node that is there, this one if it is; null: there is none. */
  Member member(int preferred) {
    var there = living();
    for (var member : there) {
      if (member.number() == Math.floorMod(preferred, plan.nodes())) {
        return member;
      }
    }
    return there.isEmpty() ? null : there.get(Math.floorMod(preferred, there.size()));
  }

  void start(int number) {
    var id = "n" + number + "." + starts++;
    var made = new Member[1];
    Network.Site site = (lane, order, replies) -> deliver(made[0], lane, order, replies);
    var place = network.join(number, id, plan.lanes(), site);
    var database = databases.apply(id);
    var surroundings =
        new SimulatedNode.Surroundings(
            simulator,
            database,
            place,
            plan.locks() ? locks.of(place) : new NoLocks(),
            place.transport(),
            plan.isOlder(starts - 1) ? null : place.bus(),
            new Workflows(),
            work::perform,
            new Nudges(),
            new Longs(random.nextLong()),
            arrivals.at(() -> made[0]));
    var node = new SimulatedNode(surroundings, plan.settings());
    var timers =
        new SimulatedTimers(
            simulator.newLoop(id + "/timers"),
            place,
            node.router(),
            database,
            new SimulatedLeases(simulator, database, leases),
            () -> network.tellOthers(place, this::othersChanged));
    made[0] =
        new Member(
            number,
            place,
            node,
            simulator.newLoop(id + "/http"),
            timers,
            new ArrayList<>(),
            new IdentityHashMap<>());
    all.add(made[0]);
    simulator.note(() -> id + " starts");
    if (simulator.now() > 0) {
      network.look(place);
      network.topologyChanged(10 * MILLI, 400 * MILLI);
    }
  }

  private void othersChanged(Network.Place told) {
    all.stream()
        .filter(each -> each.place() == told)
        .forEach(each -> each.timers().othersChanged());
  }

  private void deliver(Member to, int lane, Order order, Network.Replies replies) {
    to.node().loop(lane).execute(() -> to.node().receive(lane, order, replies::reply));
  }

  /** Starts it unless it lives. */
  void restart(int number) {
    if (alive(number) == null) {
      start(number);
    }
  }

  /** It has died, and no node was notified. */
  void kill(Member member) {
    simulator.note(() -> member.place().self().id() + " dies");
    arrivals.met(member.underWay().keySet(), Met.KILL);
    member.place().dead = true;
    member.loops().forEach(SimulatedLoop::stop);
    member.calls().forEach(call -> call.cutOff = true);
    network.topologyChanged(NOTICED_LEAST, NOTICED_MOST);
  }

  /** It freezes, and continues later without notice. */
  void freeze(Member member) {
    simulator.note(() -> member.place().self().id() + " freezes");
    arrivals.met(member.underWay().keySet(), Met.FREEZE);
    member.place().frozen = true;
    member.loops().forEach(SimulatedLoop::freeze);
    network.topologyChanged(NOTICED_LEAST, NOTICED_MOST);
  }

  void thaw(Member member) {
    if (member.place().frozen && !member.place().dead) {
      simulator.note(() -> member.place().self().id() + " goes on");
      member.place().frozen = false;
      member.loops().forEach(SimulatedLoop::thaw);
      network.topologyChanged(MILLI, 300 * MILLI);
    }
  }

  /** Tells all nodes of timers that fall due soon. */
  private final class Nudges implements Notices {
    @Override
    public void taskRequested(InstanceId id, Effect.TaskRequested task) {}

    @Override
    public void jobWaiting(String type) {}

    @Override
    public void timersMade(List<Timer> soon) {
      for (var timer : soon) {
        for (var each : living()) {
          simulator.after(random.nextLong(2 * MILLI), () -> each.timers().nudged(List.of(timer)));
        }
      }
    }
  }

  /** Numbers as they are drawn from a seed. */
  private static final class Longs implements RandomGenerator {
    private final SplittableRandom random;

    Longs(long seed) {
      this.random = new SplittableRandom(seed);
    }

    @Override
    public long nextLong() {
      return random.nextLong();
    }
  }
}
