package skein.simulation;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import skein.activities.WorkResult;
import skein.cluster.Cluster;
import skein.cluster.Locks;
import skein.cluster.NoLocks;
import skein.cluster.Router.Order;
import skein.codecs.ResumeLinks;
import skein.execution.Notices;
import skein.execution.SimulatedNode;
import skein.loop.SimulatedLoop;
import skein.loop.Simulator;
import skein.messages.Command;
import skein.model.Effect;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.simulation.Coverage.Met;
import skein.simulation.Plan.Fault;
import skein.simulation.Plan.Trouble;
import skein.storage.SimulatedDatabase;
import skein.storage.SimulatedLeases;
import skein.storage.SimulatedTables;
import skein.timers.SimulatedTimers;

/** Carries out a plan and says what was wrong. */
final class Run {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;

  /** After the last fault everything has come to rest within so long. */
  private static final long REST_NANOS = 60_000 * MILLI;

  /** How long a node is silent before the others do without it. */
  private static final long NOTICED_LEAST = 100 * MILLI;

  private static final long NOTICED_MOST = 1_200 * MILLI;

  private final Plan plan;
  private final Simulator simulator;
  private final SimulatedTables tables = new SimulatedTables();
  private final Coverage coverage = new Coverage();
  private final SplittableRandom random;
  private final Network network;
  private final Storm storm;
  private final SharedLocks locks;
  private final Client client;
  private final JobWorkers workers;
  private final List<Member> members = new ArrayList<>();
  private final SimulatedLeases.Rows leases = new SimulatedLeases.Rows();
  private final Map<UUID, Order> orders = new HashMap<>();
  private final Map<UUID, Set<String>> arrivals = new HashMap<>();
  private final List<Throwable> unforeseen = new ArrayList<>();
  private int numbers = 1_000;
  private int starts;

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
      return all;
    }
  }

  /** What came of a run; no violations: all was well. */
  record Outcome(List<String> violations, long hash, long steps, List<String> trace) {}

  Run(Plan plan, boolean traced, boolean comparesRevisionAlone) {
    this.plan = plan;
    this.simulator = new Simulator(plan.seed());
    if (traced) {
      simulator.keepTrace();
    }
    if (comparesRevisionAlone) {
      tables.compareRevisionAlone();
    }
    this.random = new SplittableRandom(plan.seed() + 1);
    this.network = new Network(simulator, plan.seed() + 2, plan.faults(), coverage);
    this.storm = new Storm(simulator, plan.seed() + 3, plan.faults(), this::met);
    this.locks = new SharedLocks(simulator);
    this.client = new Client(this, tables, plan.definitions());
    this.workers = new JobWorkers(this, tables, plan.seed() + 4);
  }

  Simulator simulator() {
    return simulator;
  }

  Coverage coverage() {
    return coverage;
  }

  int newNumber() {
    return numbers++;
  }

  Outcome run() {
    for (int i = 0; i < plan.nodes(); i++) {
      start(i);
    }
    members.forEach(member -> network.look(member.place()));
    plan.faults().forEach(this::schedule);
    for (var item : plan.items()) {
      for (int copy = 0; copy < item.copies(); copy++) {
        int number = copy;
        simulator.after((item.at() + copy * item.spread()) * MICRO, () -> client.ask(item, number));
      }
    }
    if (plan.definitions().stream().anyMatch(Workflows::hasJobs)) {
      workers.begin();
    }
    go(plan.end() * MICRO);
    calmDown();
    boolean rests = comesToRest();
    var oracle = new Oracle(tables, client.calls(), orders);
    var violations = new LinkedHashSet<>(tables.problems());
    var failure = simulator.failure();
    if (failure != null) {
      violations.add("Thrown: " + described(failure));
    }
    unforeseen.forEach(e -> violations.add("Unforeseen: " + described(e)));
    if (!rests) {
      violations.add("Does not come to rest: " + whatIsLeft());
    }
    violations.addAll(oracle.violations());
    violations.addAll(workers.violations(orders));
    violations.addAll(new LimitOracle(plan, tables.journal(), arrivals).violations(client.calls()));
    return new Outcome(
        List.copyOf(violations), simulator.hash(), simulator.steps(), simulator.trace());
  }

  private static String described(Throwable e) {
    var text = new StringBuilder(e.toString());
    for (int i = 0; i < Math.min(6, e.getStackTrace().length); i++) {
      text.append(" < ").append(e.getStackTrace()[i]);
    }
    return text.toString();
  }

  private void go(long until) {
    while (simulator.step(until)) {
      // until there is nothing more to do before that time
    }
  }

  private void calmDown() {
    simulator.note(() -> "all faults are over");
    storm.calmDown();
    network.calmDown();
    for (int i = 0; i < plan.nodes(); i++) {
      var member = alive(i);
      if (member == null) {
        start(i);
      } else {
        thaw(member);
      }
    }
  }

  private boolean comesToRest() {
    long end = simulator.now() + REST_NANOS;
    while (simulator.now() < end) {
      go(simulator.now() + 200 * MILLI);
      boolean open = client.askAgain();
      client.drive();
      if (!open && rests()) {
        return true;
      }
    }
    return false;
  }

  private boolean rests() {
    return simulator.now() > storm.lastEffect()
        && tables.timers().isEmpty()
        && tables.bookmarks().isEmpty()
        && members.stream()
            .filter(member -> !member.place().dead)
            .allMatch(member -> member.node().underWay() == 0 && member.calls().isEmpty())
        && tables.instances().values().stream().allMatch(row -> row.status().finished());
  }

  private String whatIsLeft() {
    var left = new StringBuilder();
    left.append("timers ").append(tables.timers().keySet());
    left.append(", bookmarks ").append(tables.bookmarks().keySet());
    tables
        .instances()
        .forEach((id, row) -> {
          if (!row.status().finished()) {
            left.append(", ").append(id).append(' ').append(row.status());
          }
        });
    for (var member : members) {
      if (!member.place().dead) {
        left.append(", ").append(member.place().self().id());
        left.append(' ').append(member.node().underWay()).append(" under way ");
        left.append(member.underWay().values().stream().map(Run::shown).toList());
        left.append(", calls ").append(member.calls());
      }
    }
    left.append(", open keys ").append(tables.openKeys().size());
    return left.toString();
  }

  // Nodes

  private Member alive(int number) {
    for (var member : members) {
      if (member.number() == number && !member.place().dead) {
        return member;
      }
    }
    return null;
  }

  /** A node that is there, this one if it is; null: there is none. */
  Member member(int preferred) {
    var there = members.stream().filter(member -> !member.place().dead).toList();
    for (var member : there) {
      if (member.number() == Math.floorMod(preferred, plan.nodes())) {
        return member;
      }
    }
    return there.isEmpty() ? null : there.get(Math.floorMod(preferred, there.size()));
  }

  private void start(int number) {
    var id = "n" + number + "." + starts++;
    var made = new Member[1];
    Network.Site site = (lane, order, replies) -> deliver(made[0], lane, order, replies);
    var place = network.join(number, id, plan.lanes(), site);
    var database = new SimulatedDatabase(simulator, tables, storm, id);
    var watching = new Watching(made);
    var surroundings =
        new SimulatedNode.Surroundings(
            simulator,
            database,
            place,
            plan.locks() ? locks.of(place) : new NoLocks(),
            place.transport(),
            new Workflows(),
            this::perform,
            watching,
            new Longs(random.nextLong()),
            watching);
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
            new java.util.IdentityHashMap<>());
    members.add(made[0]);
    simulator.note(() -> id + " starts");
    if (simulator.now() > 0) {
      network.look(place);
      network.topologyChanged(10 * MILLI, 400 * MILLI);
    }
  }

  private void othersChanged(Network.Place told) {
    members.stream()
        .filter(each -> each.place() == told)
        .forEach(each -> each.timers().othersChanged());
  }

  private void deliver(Member to, int lane, Order order, Network.Replies replies) {
    to.node().loop(lane).execute(() -> to.node().receive(lane, order).onSuccess(replies::reply));
  }

  /** Work outside: on no loop, at once or after a while, and sometimes it throws. */
  private Future<WorkResult> perform(Effect.Work order) {
    var url = String.valueOf(order.request().get("url"));
    int link = url.indexOf(ResumeLinks.RESUME_PATH);
    if (link >= 0) {
      client.sent(url.substring(link + ResumeLinks.RESUME_PATH.length()));
    }
    int kind = random.nextInt(20);
    if (kind == 0) {
      throw new IllegalStateException("The work was refused");
    }
    WorkResult done =
        new WorkResult.Done(
            Map.of("statusCode", 200L, "url", "http://localhost/", "headers", Map.of()), false);
    if (kind < 3) {
      return Future.succeededFuture(done);
    }
    Promise<WorkResult> promise = Promise.promise();
    long takes = random.nextLong(kind < 12 ? 2_000 * MILLI : 20 * MILLI);
    simulator.after(takes, () -> promise.complete(done));
    return promise.future();
  }

  /** Numbers as they are drawn from a seed. */
  private static final class Longs implements java.util.random.RandomGenerator {
    private final SplittableRandom random;

    Longs(long seed) {
      this.random = new SplittableRandom(seed);
    }

    @Override
    public long nextLong() {
      return random.nextLong();
    }
  }

  // Faults

  private void schedule(Fault fault) {
    simulator.after(fault.at() * MICRO, () -> begin(fault));
  }

  private void begin(Fault fault) {
    simulator.note(() -> "fault: " + fault);
    var member = alive(fault.node());
    long rest = fault.duration() * MICRO;
    switch (fault.trouble()) {
      case KILL -> {
        if (member != null) {
          kill(member);
          simulator.after(rest, () -> restart(fault.node()));
        }
      }
      case FREEZE -> {
        if (member != null) {
          freeze(member);
          simulator.after(rest, () -> thaw(member));
        }
      }
      case SPLIT, ONE_WAY, VIEWS -> {
        long least = fault.trouble() == Trouble.VIEWS ? 0 : NOTICED_LEAST;
        network.topologyChanged(least, NOTICED_MOST);
        simulator.after(rest, () -> network.topologyChanged(20 * MILLI, 500 * MILLI));
      }
      case AWAY, SLOW ->
          members.forEach(each ->
              each.underWay().keySet().forEach(order -> metDatabase(order, fault.trouble())));
      case LOSS, DELAY, LIMBO, LOST_READS -> {}
    }
  }

  private void metDatabase(Order order, Trouble trouble) {
    coverage.met(order, trouble == Trouble.AWAY ? Met.AWAY : Met.SLOW);
  }

  private void restart(int number) {
    if (alive(number) == null) {
      start(number);
    }
  }

  private void kill(Member member) {
    simulator.note(() -> member.place().self().id() + " dies");
    member.underWay().keySet().forEach(order -> coverage.met(order, Met.KILL));
    member.place().dead = true;
    member.loops().forEach(SimulatedLoop::stop);
    member.calls().forEach(call -> call.cutOff = true);
    network.topologyChanged(NOTICED_LEAST, NOTICED_MOST);
  }

  private void freeze(Member member) {
    simulator.note(() -> member.place().self().id() + " freezes");
    member.underWay().keySet().forEach(order -> coverage.met(order, Met.FREEZE));
    member.place().frozen = true;
    member.loops().forEach(SimulatedLoop::freeze);
    network.topologyChanged(NOTICED_LEAST, NOTICED_MOST);
  }

  private void thaw(Member member) {
    if (member.place().frozen && !member.place().dead) {
      simulator.note(() -> member.place().self().id() + " goes on");
      member.place().frozen = false;
      member.loops().forEach(SimulatedLoop::thaw);
      network.topologyChanged(MILLI, 300 * MILLI);
    }
  }

  private void met(List<UUID> commands, Met met) {
    for (var id : commands) {
      var order = orders.get(id);
      if (order != null) {
        coverage.met(order, met);
      }
    }
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

  /** Sees what arrives at one node. */
  private final class Watching implements SimulatedNode.Observer, Notices {
    private final Member[] member;

    Watching(Member[] member) {
      this.member = member;
    }

    @Override
    public void arrived(Order order) {
      orders.putIfAbsent(order.id(), order);
      arrivals.computeIfAbsent(order.id(), _ -> new HashSet<>()).add(member[0].place().self().id());
      member[0].underWay().put(order, order);
      if (network.isDisputed(order.command().instanceId())) {
        coverage.met(order, Met.VIEWS);
      }
      for (var fault : plan.faults()) {
        var trouble = fault.trouble();
        if ((trouble == Trouble.AWAY || trouble == Trouble.SLOW)
            && fault.isOn(simulator.now() / MICRO)) {
          metDatabase(order, trouble);
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
      member[0].underWay().remove(order);
    }

    @Override
    public void committed(List<UUID> commands, boolean won) {}

    @Override
    public void failed(Throwable e) {
      unforeseen.add(e);
      simulator.note(() -> "unforeseen: " + described(e));
    }

    @Override
    public void taskRequested(InstanceId id, Effect.TaskRequested task) {}

    @Override
    public void jobWaiting(String type) {}

    @Override
    public void timersMade(List<Timer> soon) {
      for (var timer : soon) {
        for (var each : members) {
          if (!each.place().dead) {
            simulator.after(random.nextLong(2 * MILLI), () -> each.timers().nudged(List.of(timer)));
          }
        }
      }
    }
  }

  /** The locks of the cluster: nodes that see the same members share them. */
  private static final class SharedLocks {
    private final Simulator simulator;
    private final Map<String, Held> held = new HashMap<>();
    private long tokens;

    private record Held(String node, long token) {}

    SharedLocks(Simulator simulator) {
      this.simulator = simulator;
    }

    Locks of(Cluster cluster) {
      return new Locks() {
        @Override
        public Future<Long> tryAcquire(InstanceId id) {
          Simulator.Answer<Long> answer = simulator.answer();
          simulator.after(200 * MICRO, () -> answer.succeed(acquire(cluster, id)));
          return answer.future();
        }

        @Override
        public void release(InstanceId id, long token) {
          held.values().removeIf(lock -> lock.token() == token);
        }
      };
    }

    private Long acquire(Cluster cluster, InstanceId id) {
      var seen = Set.copyOf(cluster.members().stream().map(Cluster.Node::id).toList());
      var key = seen.stream().sorted().toList() + "|" + id;
      var before = held.get(key);
      if (before != null
          && seen.contains(before.node())
          && !before.node().equals(cluster.nodeId())) {
        return Locks.HELD;
      }
      long token = ++tokens;
      held.put(key, new Held(cluster.nodeId(), token));
      return token;
    }
  }
}
