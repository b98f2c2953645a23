package skein.simulation;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import skein.loop.Simulator;
import skein.model.ActivityStatus;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;
import skein.simulation.Plan.Fault;
import skein.simulation.Plan.Trouble;
import skein.storage.SimulatedDatabase;
import skein.storage.SimulatedTables;

/** Carries out a plan and says what was wrong. */
final class Run {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;

  /** After the last fault everything has come to rest within so long. */
  private static final long REST_NANOS = 60_000 * MILLI;

  private final Plan plan;
  private final Simulator simulator;
  private final SimulatedTables tables = new SimulatedTables();
  private final Coverage coverage = new Coverage();
  private final Network network;
  private final Storm storm;
  private final Arrivals arrivals;
  private final Imports imports;
  private final Client client;
  private final JobWorkers workers;
  private final Members members;
  private int numbers = 1_000;

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
    var random = new SplittableRandom(plan.seed() + 1);
    this.network = new Network(simulator, plan.seed() + 2, plan.faults(), coverage);
    this.arrivals = new Arrivals(plan.faults(), simulator, network, coverage);
    this.storm = new Storm(simulator, plan.seed() + 3, plan.faults(), arrivals::met);
    this.imports = new Imports(plan, simulator, arrivals.nodes());
    this.client = new Client(this, tables, plan.definitions(), imports);
    this.members =
        new Members(
            plan,
            simulator,
            id -> new SimulatedDatabase(simulator, tables, storm, id),
            network,
            arrivals,
            new OutsideWork(simulator, random, client),
            random);
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

  /** A node that is there, this one if it is; null: there is none. */
  Member member(int preferred) {
    return members.member(preferred);
  }

  Outcome run() {
    for (int i = 0; i < plan.nodes(); i++) {
      members.start(i);
    }
    members.all().forEach(member -> network.look(member.place()));
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
    var oracle = new Oracle(tables, client.calls(), arrivals.orders(), imports);
    var violations = new LinkedHashSet<>(tables.problems());
    var failure = simulator.failure();
    if (failure != null) {
      violations.add("Thrown: " + Arrivals.described(failure));
    }
    arrivals.unforeseen().forEach(e -> violations.add("Unforeseen: " + Arrivals.described(e)));
    if (!rests) {
      violations.add("Does not come to rest: " + whatIsLeft());
    }
    violations.addAll(oracle.violations());
    violations.addAll(workers.violations(arrivals.orders()));
    violations.addAll(new ChildOracle(tables, arrivals.orders()).violations());
    violations.addAll(
        new LimitOracle(plan, tables.journal(), arrivals.nodes(), imports)
            .violations(client.calls()));
    return new Outcome(
        List.copyOf(violations), simulator.hash(), simulator.steps(), simulator.trace());
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
      var member = members.alive(i);
      if (member == null) {
        members.start(i);
      } else {
        members.thaw(member);
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
        && members.living().stream()
            .allMatch(member ->
                member.node().underWay() == 0
                    && member.calls().isEmpty()
                    && member.place().orders.awaited() == 0)
        && allHaveEnded();
  }

  /**
   * All but those that a skip has revived after their fault while something else in them is
   * faulted: they may wait for what nothing in the simulation brings.
   */
  private boolean allHaveEnded() {
    var faulted = new HashSet<InstanceId>();
    var revived = new HashSet<InstanceId>();
    for (var row : tables.journal()) {
      if (row.status() == WorkflowStatus.Faulted) {
        faulted.add(row.instanceId());
      }
      if (faulted.contains(row.instanceId()) && holdsFault(row)) {
        revived.add(row.instanceId());
      } else {
        revived.remove(row.instanceId());
      }
    }
    return tables.bookmarks().values().stream()
            .allMatch(row -> revived.contains(row.id().instanceId()))
        && tables.instances().entrySet().stream()
            .allMatch(e -> e.getValue().status().finished() || revived.contains(e.getKey()));
  }

  private static boolean holdsFault(SimulatedTables.JournalRow row) {
    return row.executions().stream()
        .anyMatch(execution -> execution.status() == ActivityStatus.Faulted);
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
    for (var member : members.living()) {
      left.append(", ").append(member.place().self().id());
      left.append(' ').append(member.node().underWay()).append(" under way ");
      left.append(member.underWay().values().stream().map(Arrivals::shown).toList());
      left.append(", calls ").append(member.calls());
      left.append(", awaited ").append(member.place().orders.awaited());
    }
    left.append(", open keys ").append(tables.openKeys().size());
    return left.toString();
  }

  private void schedule(Fault fault) {
    simulator.after(fault.at() * MICRO, () -> begin(fault));
  }

  private void begin(Fault fault) {
    simulator.note(() -> "fault: " + fault);
    var member = members.alive(fault.node());
    long rest = fault.duration() * MICRO;
    switch (fault.trouble()) {
      case KILL -> {
        if (member != null) {
          members.kill(member);
          simulator.after(rest, () -> members.restart(fault.node()));
        }
      }
      case FREEZE -> {
        if (member != null) {
          members.freeze(member);
          simulator.after(rest, () -> members.thaw(member));
        }
      }
      case SPLIT, ONE_WAY, VIEWS -> {
        long least = fault.trouble() == Trouble.VIEWS ? 0 : Members.NOTICED_LEAST;
        network.topologyChanged(least, Members.NOTICED_MOST);
        simulator.after(rest, () -> network.topologyChanged(20 * MILLI, 500 * MILLI));
      }
      case AWAY, SLOW ->
          members
              .all()
              .forEach(each -> arrivals.metDatabase(each.underWay().keySet(), fault.trouble()));
      case LOSS, DELAY, LIMBO, LOST_READS -> {}
    }
  }
}
