package skein.timers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import skein.cluster.Cluster;
import skein.loop.EventLoop.Cancellable;
import skein.loop.SimulatedLoop;
import skein.loop.Simulator;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.storage.LeaseStore;
import skein.storage.LeaseStore.Participant;
import skein.storage.SimulatedDatabase;
import skein.storage.SimulatedDatabase.Course;
import skein.storage.SimulatedLeases;
import skein.storage.SimulatedTables;
import skein.storage.TimerShard;

/** Nodes that want to lead one shard, in virtual time: the real {@link Leadership}. */
final class SimulatedLeadership {
  static final Duration LIFE = Duration.ofSeconds(4);
  private static final Duration DEADLINE = Duration.ofMillis(700);
  private static final Duration LATENCY = Duration.ofMillis(1);
  private static final TimersOptions OPTIONS =
      new TimersOptions(
          LIFE,
          new TimersOptions.Reading(Duration.ofMillis(250), Duration.ofSeconds(2), 200),
          new TimersOptions.Firing(
              100,
              Duration.ofMillis(100),
              Duration.ofSeconds(2),
              new TimersOptions.Payloads(1 << 20, 50, Duration.ofMillis(20), 3)),
          1,
          Duration.ofSeconds(60));

  private final Simulator simulator;
  private final Set<SimulatedLeases.Mistake> mistakes;
  private final SimulatedTables tables = new SimulatedTables();
  private final SimulatedLeases.Rows leases = new SimulatedLeases.Rows();
  private final List<Member> members = new ArrayList<>();
  private final Set<String> stalled = new HashSet<>();
  private final Random random;
  private long healsAt;
  private boolean disturbed;

  final class Member implements Cluster, TimersBus, Leadership.Office {
    private final Node self;
    private final Leadership leadership;
    private final SimulatedLoop loop;
    private final LeaseStore store;
    private boolean leads;

    @SuppressWarnings("NullAway") // Leadership sends nothing: it needs no router.
    Member(String id) {
      self = new Node(id, id, 1);
      loop = simulator.newLoop(id);
      var database = new SimulatedDatabase(simulator, tables, (node, _) -> course(node), id);
      store = new SimulatedLeases(simulator, database, leases, mistakes);
      var dependencies =
          new TimersDependencies(
              OPTIONS, this, null, database, store, database, new SchedulerMeter(loop::nanoTime));
      leadership = new Leadership(loop, dependencies, this, this);
    }

    boolean leads() {
      return leads;
    }

    /** As a node does whose answer was lost. */
    void takeUnasked() {
      loop.execute(() -> store.take(participant(), List.of(0)));
    }

    private Participant participant() {
      return new Participant(
          nodeId(), nodeName(), OPTIONS.shards(), LIFE, OPTIONS.reading().horizon());
    }

    @Override
    public Node self() {
      return self;
    }

    @Override
    public Node ownerOf(InstanceId instanceId) {
      return self;
    }

    @Override
    public List<Node> members() {
      return members.stream().map(Member::self).toList();
    }

    @Override
    public void onChange(Runnable listener) {}

    @Override
    public void announce() {
      members.stream()
          .filter(other -> other != this)
          .forEach(other -> other.loop.execute(other.leadership::othersChanged));
    }

    @Override
    public Cancellable nudges(int shard, Consumer<List<Timer>> listener) {
      return Cancellable.NONE;
    }

    @Override
    public void begin(TimerShard shard, long epoch) {
      leads = true;
    }

    @Override
    public void end(TimerShard shard) {
      leads = false;
    }
  }

  SimulatedLeadership(long seed, Set<SimulatedLeases.Mistake> mistakes) {
    this.simulator = new Simulator(seed);
    this.random = new Random(seed);
    this.mistakes = mistakes;
  }

  /** Statements to a silent database wait in the network until it answers again. */
  private Course course(String node) {
    if (stalled.contains(node)) {
      long late = healsAt - simulator.now() + LATENCY.toNanos();
      return new Course(late, DEADLINE.toNanos(), new IllegalStateException("No answer"));
    }
    if (disturbed && random.nextBoolean()) {
      long late = random.nextLong(2 * LIFE.toNanos());
      return new Course(late, DEADLINE.toNanos(), new IllegalStateException("No answer"));
    }
    return new Course(LATENCY.toNanos(), 2 * LATENCY.toNanos(), null);
  }

  /** Not joined yet. */
  Member member(String id) {
    return new Member(id);
  }

  Member join(String id) {
    return join(member(id));
  }

  Member join(Member member) {
    members.add(member);
    member.loop.execute(member.leadership::start);
    return member;
  }

  /** The database is silent. */
  void stall(Duration silence) {
    healsAt = simulator.now() + silence.toNanos();
    stalled.addAll(members.stream().map(Member::nodeId).collect(Collectors.toSet()));
    pass(silence);
    stalled.clear();
  }

  /** Every other statement is carried out late, or long after its node has given it up. */
  void disturb(Duration time) {
    disturbed = true;
    pass(time);
    disturbed = false;
  }

  List<String> leaders() {
    return members.stream().filter(member -> member.leads).map(Member::nodeId).toList();
  }

  /** Fails when two lead at once. */
  void pass(Duration time) {
    long until = simulator.now() + time.toNanos();
    while (simulator.step(until)) {
      assertThat(leaders()).hasSizeLessThan(2);
    }
    assertThat(simulator.failure()).isNull();
  }
}
