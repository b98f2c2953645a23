package skein.timers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
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

/** Two nodes and one shard, in virtual time. */
class LeadershipTest {
  private static final Duration LIFE = Duration.ofSeconds(4);
  private static final Duration DEADLINE = Duration.ofMillis(700);
  private static final Duration LATENCY = Duration.ofMillis(1);
  private static final int SEEDS = 100;
  private static final TimersOptions OPTIONS =
      new TimersOptions(
          LIFE,
          Duration.ofMillis(250),
          Duration.ofSeconds(2),
          200,
          100,
          Duration.ofMillis(100),
          Duration.ofSeconds(2),
          1,
          Duration.ofSeconds(60));

  private Simulator simulator;
  private final SimulatedTables tables = new SimulatedTables();
  private final SimulatedLeases.Rows leases = new SimulatedLeases.Rows();
  private final List<Member> members = new ArrayList<>();
  private final Set<String> stalled = new HashSet<>();
  private long healsAt;

  private final class Member implements Cluster, TimersBus, Leadership.Office {
    private final Node self;
    private final Leadership leadership;
    private final SimulatedLoop loop;
    private final LeaseStore store;
    private boolean leads;

    @SuppressWarnings("NullAway") // it sends nobody anything
    Member(String id) {
      self = new Node(id, id, 1);
      loop = simulator.newLoop(id);
      var database = new SimulatedDatabase(simulator, tables, (node, _) -> course(node), id);
      store = new SimulatedLeases(simulator, database, leases);
      var dependencies =
          new TimersDependencies(
              OPTIONS, this, null, database, store, database, new SchedulerMeter(loop::nanoTime));
      leadership = new Leadership(loop, dependencies, this, this);
    }

    Participant participant() {
      return new Participant(nodeId(), nodeName(), OPTIONS.shards(), LIFE, OPTIONS.horizon());
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

  @BeforeEach
  void simulate(RepetitionInfo seed) {
    simulator = new Simulator(seed.getCurrentRepetition());
  }

  /** Statements to a silent database wait in the network until it answers again. */
  private Course course(String node) {
    if (stalled.contains(node)) {
      long late = healsAt - simulator.now() + LATENCY.toNanos();
      return new Course(late, DEADLINE.toNanos(), new IllegalStateException("No answer"));
    }
    return new Course(LATENCY.toNanos(), 2 * LATENCY.toNanos(), null);
  }

  @RepeatedTest(SEEDS)
  void a_renewal_that_was_held_up_keeps_no_node_from_leading() {
    var first = join("n2");
    pass(Duration.ofSeconds(1));
    var second = join("n1"); // The first by name, and of two that came back at once the older one.
    pass(Duration.ofSeconds(5));
    assertThat(first.leads).isTrue();
    assertThat(second.leads).isFalse();

    // Long enough for the leader to step down, too short for its lease to expire.
    stall(Duration.ofMillis(3_900));

    assertThat(leaders()).isEmpty();
    pass(LIFE.dividedBy(3).plus(Duration.ofMillis(100)));
    assertThat(leaders()).hasSize(1);
  }

  @RepeatedTest(SEEDS)
  void after_a_longer_silence_somebody_leads_with_the_next_check_in() {
    join("n2");
    pass(Duration.ofSeconds(1));
    join("n1");
    pass(Duration.ofSeconds(5));

    stall(Duration.ofSeconds(8));

    pass(LIFE.dividedBy(3).plus(Duration.ofMillis(100)));
    assertThat(leaders()).hasSize(1);
  }

  @RepeatedTest(SEEDS)
  void a_lease_that_its_holder_does_not_know_of_is_given_to_the_node_whose_part_it_is() {
    var second = new Member("n1");
    second.loop.execute(() -> second.store.take(second.participant(), List.of(0)));
    var first = join("n2");
    pass(LIFE.dividedBy(4));
    assertThat(first.leads).isFalse();

    join(second);
    pass(Duration.ofMillis(100));

    assertThat(first.leads).isTrue();
  }

  private Member join(String id) {
    return join(new Member(id));
  }

  private Member join(Member member) {
    members.add(member);
    member.loop.execute(member.leadership::start);
    return member;
  }

  private void stall(Duration silence) {
    healsAt = simulator.now() + silence.toNanos();
    stalled.addAll(members.stream().map(Member::nodeId).collect(Collectors.toSet()));
    pass(silence);
    stalled.clear();
  }

  private List<String> leaders() {
    return members.stream().filter(member -> member.leads).map(Member::nodeId).toList();
  }

  private void pass(Duration time) {
    long until = simulator.now() + time.toNanos();
    while (simulator.step(until)) {
      assertThat(leaders()).hasSizeLessThan(2);
    }
    assertThat(simulator.failure()).isNull();
  }
}
