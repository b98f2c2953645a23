package skein.faults;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import skein.faults.Operation.Kind;
import skein.node.Eventually;
import skein.node.Leaders;
import skein.node.ServerProcess;

/** Breaks things, one after the other, until the time of the run is up, and writes down what. */
final class Havoc {
  private static final Duration CALL_MAX = Duration.ofSeconds(20);

  /** Which node makes a call is not known when it is asked for: there are several in this time. */
  private static final Duration CALL_REST = Duration.ofMillis(100);

  private static final Duration LONGER_MAX = Duration.ofSeconds(4);

  /** Then what the fault has not met is called, once more each time. */
  private static final List<Duration> CALLS_AFTER =
      List.of(Duration.ofMillis(100), Duration.ofMillis(900));

  private final FaultCluster cluster;
  private final History history;
  private final EffectServer effects;
  private final Focus focus;
  private final SplittableRandom random;
  private final long endNanos;
  private Runnable prelude = () -> {};
  private Consumer<Kind> calls = _ -> {};
  private Runnable callsOutside = () -> {};

  Havoc(
      FaultCluster cluster,
      History history,
      EffectServer effects,
      Focus focus,
      SplittableRandom random,
      long endNanos) {
    this.cluster = cluster;
    this.history = history;
    this.effects = effects;
    this.focus = focus;
    this.random = random;
    this.endNanos = endNanos;
  }

  /** What is done right before each fault. */
  void before(Runnable started) {
    prelude = started;
  }

  /** How a call of some kind is made beside those of the clients, which may all be waiting. */
  void calling(Consumer<Kind> call) {
    calls = call;
  }

  /** How an instance is started that calls the world outside. */
  void callingOutside(Runnable start) {
    callsOutside = start;
  }

  private void callMissing() {
    for (var after : CALLS_AFTER) {
      Eventually.pause(after);
      focus.missing().forEach(calls);
    }
  }

  FaultCluster cluster() {
    return cluster;
  }

  SplittableRandom random() {
    return random;
  }

  int anyNode() {
    return random.nextInt(FaultCluster.NODES);
  }

  ServerProcess leader() {
    return new Leaders(cluster.nodes()).only();
  }

  /** Something between the two, in milliseconds. */
  Duration between(int minMillis, int maxMillis) {
    return Duration.ofMillis(random.nextInt(minMillis, maxMillis));
  }

  /** Again and again, with a rest of at most {@code restMillisMax} after each, once at least. */
  void repeat(int restMillisMax, Runnable fault) {
    do {
      fault.run();
      Eventually.pause(between(restMillisMax / 3, restMillisMax));
    } while (System.nanoTime() < endNanos);
  }

  /**
   * Breaks something, leaves it so for a while, and repairs it; a little later when it has not met
   * every kind of call.
   *
   * @param what the kind of fault: a column of {@link Coverage}
   */
  void during(String what, String where, Duration length, Runnable broken, Runnable mended) {
    prelude.run();
    long since = System.nanoTime();
    focus.begin(what);
    Thread.startVirtualThread(this::callMissing);
    try {
      broken.run();
      Eventually.pause(length);
      Eventually.isTrue(LONGER_MAX, focus::isComplete);
    } finally {
      mended.run();
      focus.end();
      history.add(new Nemesis(what, where, since, System.nanoTime()));
    }
  }

  /** Kills, waits a little, starts again, and waits until it takes work. */
  void killAndRestart(ServerProcess node) {
    during(
        "kill",
        node.name(),
        between(100, 1_500),
        node::kill,
        () -> {
          node.start();
          node.awaitReady();
        });
  }

  /**
   * Kills a node when it calls the world outside: while the call is under way, or when it has just
   * been answered and what came of it is not committed. Starts it again; false when it made no call
   * in {@link #CALL_MAX}, and was killed without.
   */
  boolean killOverCall(int number, boolean answered) {
    var node = cluster.node(number);
    during(
        answered ? "kill after a call" : "kill in a call",
        node.name(),
        Duration.ofMillis(500),
        () -> {
          effects.set(
              new EffectServer.Trap(
                  call ->
                      cluster.isFrom(
                          number,
                          call.getRemoteAddress().getPort(),
                          call.getLocalAddress().getPort()),
                  answered,
                  node::sendKill));
          long end = System.nanoTime() + CALL_MAX.toNanos();
          do {
            callsOutside.run();
          } while (!Eventually.isTrue(CALL_REST, () -> !node.isAlive()) && System.nanoTime() < end);
        },
        () -> startAgain(node));
    boolean fell = !effects.isSet();
    effects.set(null);
    return fell;
  }

  /** Kills it unless it is dead, starts it, and waits until it takes work. */
  void startAgain(ServerProcess node) {
    if (node.isAlive()) {
      node.kill();
    }
    node.start();
    node.awaitReady();
  }

  void pause(ServerProcess node, Duration length) {
    during("pause", node.name(), length, node::freeze, node::thaw);
  }

  /** A node that gets little time: it runs for a moment, and is frozen for longer. */
  void starve(ServerProcess node, Duration length) {
    during(
        "starvation",
        node.name(),
        Duration.ZERO,
        () -> {
          long end = System.nanoTime() + length.toNanos();
          do {
            node.freeze();
            Eventually.pause(between(100, 600));
            node.thaw();
            Eventually.pause(between(10, 80));
          } while (System.nanoTime() < end);
        },
        node::thaw);
  }

  /** The connections of some nodes to the database break, again and again. */
  void cutConnections(Duration length) {
    during(
        "connections cut",
        "database",
        Duration.ZERO,
        () -> {
          long end = System.nanoTime() + length.toNanos();
          do {
            cluster.database(anyNode()).link().cut();
            Eventually.pause(between(50, 400));
          } while (System.nanoTime() < end);
        },
        () -> {});
  }

  /** What one node sends to another one is held; what comes back arrives. */
  void oneWay(Duration length) {
    int from = anyNode();
    int to = (from + 1 + random.nextInt(FaultCluster.NODES - 1)) % FaultCluster.NODES;
    during(
        "one-way link",
        cluster.node(from).name() + " to " + cluster.node(to).name(),
        length,
        () -> cluster.network().oneWay(from, to),
        cluster.network()::heal);
  }
}
