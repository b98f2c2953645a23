package skein.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import skein.faults.Operation.Kind;
import skein.node.Eventually;
import skein.node.Measured;

/**
 * One run: callers work while something is broken, all is healed, the cluster has to serve again on
 * every node, and when it is quiet the checker decides.
 *
 * <p>{@code skein.faults.seconds} is how long things are broken, {@code skein.faults.seed} what all
 * chance of the run comes from; both are said at its start. What two runs of one seed have in
 * common is what is broken and asked for, not the order in which threads get to it.
 */
final class Scenario {
  private static final Duration SECONDS =
      Duration.ofSeconds(Long.getLong("skein.faults.seconds", 6));
  private static final long SEED = Long.getLong("skein.faults.seed", System.nanoTime() % 100_000);
  private static final Duration WARM_UP = Duration.ofSeconds(1);
  private static final Duration STOCKED_MAX = Duration.ofSeconds(20);
  private static final Duration CHILD_MAX = Duration.ofSeconds(2);
  private static final Duration AFTERWARDS = Duration.ofSeconds(2);
  private static final Duration RECOVERED_MAX = Duration.ofSeconds(30);
  private static final Duration QUIET_MAX = Duration.ofSeconds(60);

  /** A claim of a node that is gone, or that has lost its answer, is another's after so long. */
  private static final Duration KEY_IN_USE_MAX = Duration.ofSeconds(15);

  private static final Duration SETTLED_MAX = KEY_IN_USE_MAX.plusSeconds(10);
  private static final int PROBES = 3;
  private static final String REPEATED = " commit.repeated ";
  private static final Checker.Limits LIMITS =
      new Checker.Limits(Duration.ofSeconds(20), KEY_IN_USE_MAX, 40);

  private final FaultCluster cluster;
  private final String name;
  private final Duration length;
  private final SplittableRandom random;
  private final History history = new History();
  private final Focus focus = new Focus();
  private final List<Double> recoveries = new ArrayList<>();
  private final long repeatedBefore;
  private final int hitsBefore;
  private final AtomicReference<@Nullable RuntimeException> broken = new AtomicReference<>();
  private final Queue<Thread> extra = new ConcurrentLinkedQueue<>();
  private int extras;
  private volatile boolean enough;

  /** What is broken, and how; returns when its time is up. */
  @FunctionalInterface
  interface Faults {
    void run(Havoc havoc);
  }

  Scenario(FaultCluster cluster, String name) {
    this(cluster, name, SECONDS);
  }

  Scenario(FaultCluster cluster, String name, Duration length) {
    this.cluster = cluster;
    this.name = name;
    this.length = length;
    this.random = new SplittableRandom(SEED + name.hashCode());
    this.repeatedBefore = cluster.logged(REPEATED);
    this.hitsBefore = cluster.hits();
    Measured.say("faults " + name, "seed %d, %d s", SEED, length.toSeconds());
  }

  /** Fails unless the run is valid and has proved something. */
  Verdict run(Faults faults) {
    try (var effects = new EffectServer(history)) {
      var definitions = new Definitions(name + "-" + SEED + "-", effects.url());
      var witness = Witness.of(cluster.nodes(), definitions.prefix());
      definitions.all().forEach(cluster.api(0)::publish);
      var workload = new Workload(cluster, definitions, history, focus);
      var healed = breakAndHeal(workload, effects, witness, faults);
      boolean quiet = Eventually.isTrue(QUIET_MAX, () -> witness.unfinished() == 0);
      var rows = witness.rows();
      var evidence =
          new Evidence(
              history.seen(),
              rows,
              witness.children(),
              new States(cluster, definitions).read(rows.instances()),
              definitions.steps(),
              healed,
              witness.clock());
      return judge(evidence, quiet);
    }
  }

  private Verdict judge(Evidence evidence, boolean quiet) {
    var verdict = Checker.check(evidence, LIMITS);
    var coverage = Coverage.of(evidence);
    Measured.say(
        "faults " + name,
        "seed %d: %s; quiet %s, serving again after %s s, commits repeated %d, hit on their way %d",
        SEED,
        verdict,
        quiet,
        recoveries,
        cluster.logged(REPEATED) - repeatedBefore,
        cluster.hits() - hitsBefore);
    Measured.say("faults " + name, "commands that met faults\n%s", coverage.table());
    if (!verdict.isValid() || !quiet) {
      var file = FaultClusters.folder().resolve(name + "-" + SEED + ".jsonl");
      history.write(file);
      Measured.say("faults " + name, "history: %s", file);
    }
    assertThat(verdict.anomalies()).as("%s, seed %d: %s", name, SEED, verdict).isEmpty();
    assertThat(quiet).as("all is done in the end").isTrue();
    assertThat(verdict.vacuous())
        .as("%s, seed %d proves nothing: %s", name, SEED, verdict)
        .isFalse();
    assertThat(coverage.empty()).as("%s, seed %d: never under way", name, SEED).isEmpty();
    return verdict;
  }

  /** When the last fault was over, by the clock of the database. */
  private Instant breakAndHeal(
      Workload workload, EffectServer effects, Witness witness, Faults faults) {
    var clients = workload.clients(random.split());
    var callers = clients.stream().map(client -> started(() -> client.run(() -> enough))).toList();
    var settler = new Caller(workload, Workload.CLIENTS + 2);
    var chance = random.split();
    var settling = started(() -> workload.settlement().run(settler, chance, () -> enough));
    Instant healed;
    try {
      Eventually.isTrue(STOCKED_MAX, workload::isStocked);
      Eventually.pause(WARM_UP);
      long end = System.nanoTime() + length.toNanos();
      var havoc = new Havoc(cluster, history, effects, focus, random.split(), end);
      var starter = new Client(workload, Workload.CLIENTS + 3, random.split());
      havoc.before(() -> {
        fillReserve(workload, starter);
        startTimerAndChild(workload, starter, witness);
      });
      var definitions = workload.definitions();
      havoc.calling(kind -> extra.add(started(() -> nextExtra(workload).actOnReserve(kind))));
      havoc.callingOutside(
          () -> extra.add(started(() -> nextExtra(workload).startAnywhere(definitions.effect()))));
      faults.run(havoc);
      cluster.heal();
      healed =
          cluster
              .sql()
              .rows("select clock_timestamp()")
              .getFirst()
              .getOffsetDateTime(0)
              .toInstant();
      recover(workload);
      Eventually.pause(AFTERWARDS);
    } finally {
      enough = true;
    }
    callers.forEach(Scenario::join);
    extra.forEach(Scenario::join);
    join(settling);
    assertThat(broken.get()).as("a caller that broke off").isNull();
    workload.settlement().end(settler, chance, SETTLED_MAX);
    probe(workload);
    return healed;
  }

  /** So that a fault meets every kind of call, also when nothing can be started while it is on. */
  private static void fillReserve(Workload workload, Client starter) {
    long end = System.nanoTime() + STOCKED_MAX.toNanos();
    while (!workload.hasReserve() && System.nanoTime() < end) {
      starter.startOpen();
    }
  }

  /**
   * So that a fault meets a timer and a child, also when nothing can be started while it is on. The
   * child is there only some time after its parent's start was answered.
   */
  private static void startTimerAndChild(Workload workload, Client starter, Witness witness) {
    long end = System.nanoTime() + STOCKED_MAX.toNanos();
    do {
      starter.start(workload.definitions().parent(), Kind.START, 0);
    } while (!Eventually.isTrue(CHILD_MAX, () -> witness.openChildren() > 0)
        && System.nanoTime() < end);
    starter.start(workload.definitions().delay(), Kind.START, 0);
  }

  /** A client of its own for one call. */
  private Client nextExtra(Workload workload) {
    synchronized (extra) {
      extras++;
      return new Client(workload, Workload.CLIENTS + 3 + extras, random.split());
    }
  }

  private Thread started(Runnable caller) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            caller.run();
          } catch (RuntimeException e) {
            broken.compareAndSet(null, e);
          }
        });
  }

  private static void join(Thread caller) {
    try {
      assertThat(caller.join(Duration.ofSeconds(90))).as("a caller has ended").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while callers end", e);
    }
  }

  /** Every node, ready as it says, serves within a bound. */
  private void recover(Workload workload) {
    long since = System.nanoTime();
    var asker = new Client(workload, Workload.CLIENTS, random.split());
    for (int node = 0; node < FaultCluster.NODES; node++) {
      int at = node;
      boolean serves =
          Eventually.isTrue(
              RECOVERED_MAX, () -> asker.start(workload.definitions().effect(), Kind.START, at));
      recoveries.add(Math.round(Measured.seconds(since) * 10) / 10.0);
      assertThat(serves).as("node %d serves within %s", node + 1, RECOVERED_MAX).isTrue();
    }
  }

  private void probe(Workload workload) {
    var asker = new Client(workload, Workload.CLIENTS + 1, random.split());
    for (int i = 0; i < PROBES * FaultCluster.NODES; i++) {
      asker.start(workload.definitions().effect(), Kind.PROBE, i % FaultCluster.NODES);
      asker.start(workload.definitions().parent(), Kind.PROBE, i % FaultCluster.NODES);
    }
  }
}
