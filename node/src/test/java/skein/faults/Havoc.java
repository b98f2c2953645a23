package skein.faults;

import java.time.Duration;
import java.util.SplittableRandom;
import skein.node.Eventually;
import skein.node.Leaders;
import skein.node.ServerProcess;

/** Breaks things, one after the other, until the time of the run is up, and writes down what. */
final class Havoc {
  private final FaultCluster cluster;
  private final History history;
  private final EffectServer effects;
  private final SplittableRandom random;
  private final long endNanos;

  Havoc(
      FaultCluster cluster,
      History history,
      EffectServer effects,
      SplittableRandom random,
      long endNanos) {
    this.cluster = cluster;
    this.history = history;
    this.effects = effects;
    this.random = random;
    this.endNanos = endNanos;
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

  /** Breaks something, leaves it so for a while, and mends it. */
  void during(String what, String where, Duration length, Runnable broken, Runnable mended) {
    long since = System.nanoTime();
    try {
      broken.run();
      Eventually.pause(length);
    } finally {
      mended.run();
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
   * in four seconds, and was killed without.
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
          Eventually.isTrue(Duration.ofSeconds(4), () -> !node.isAlive());
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
}
