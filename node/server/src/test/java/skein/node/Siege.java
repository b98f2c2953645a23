package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import skein.node.HonestCaller.Seen;

/**
 * One node under attack, and a well-behaved client beside the attacker, which must not fail, nor
 * wait for long. Attacker, caller, node and database share the processors of one machine, so a p99
 * below {@code skein.siege.floor-ms} passes whatever the usual one was: with 50 this judges what a
 * caller notices, by default only that he is served.
 */
final class Siege {
  private static final long FLOOR_MS = Long.getLong("skein.siege.floor-ms", 1_000);

  /** Of a node: 256 MiB of heap, as much of network buffers at most, code and threads. */
  private static final long MEMORY_MIB_MAX = 750;

  /** Those of the honest caller, and what attackers who come again have at the moment. */
  private static final long FEW = 30;

  /** Of the measurement during the attack. */
  private static final Duration MEASURED =
      Duration.ofSeconds(Long.getLong("skein.siege.seconds", 3));

  /** Of the one before it, which can only raise what is allowed above {@link #FLOOR_MS}. */
  private static final Duration USUAL = Duration.ofSeconds(Long.getLong("skein.siege.seconds", 1));

  /**
   * How long an attack has lasted when it is measured: at first the JVM also compiles what it has
   * never run before.
   */
  private static final Duration BEFORE =
      Duration.ofSeconds(Long.getLong("skein.siege.before-seconds", 0));

  private final ServerProcess node;
  private final int port;
  private final HonestCaller caller;

  Siege(ServerProcess node, int port) {
    this.node = node;
    this.port = port;
    this.caller = new HonestCaller(node.api(), "honest-" + port);
    caller.call(Duration.ofSeconds(5)); // until the node is warm
  }

  /** What an attacker does; what it returns is ended when the caller has finished. */
  interface Attack {
    AutoCloseable begin() throws Exception;
  }

  /** {@code freed}: all that the attacker holds at the end is given up in this time. */
  void withstands(String name, Duration freed, Attack attack) throws Exception {
    withstands(name, port, freed, attack);
  }

  /** {@code port}: the one that is attacked. */
  void withstands(String name, int port, Duration freed, Attack attack) throws Exception {
    var usual = caller.call(USUAL);
    long before = ServerPorts.connectionsTo(port);
    double cpu = ServerPorts.cpuSeconds(node.pid());
    Seen seen;
    long peak;
    long held;
    long left;
    long since;
    try (var _ = attack.begin()) {
      caller.call(BEFORE);
      seen = caller.call(MEASURED);
      peak = ServerPorts.memory(node.pid());
      held = ServerPorts.connectionsTo(port) - before;
      since = System.nanoTime();
      Eventually.isTrue(freed, () -> ServerPorts.connectionsTo(port) <= before + FEW);
      left = ServerPorts.connectionsTo(port) - before;
    }
    Measured.say(
        "siege " + name,
        "usual %s; attacked %s; %d failures; %d MiB, %.1f s of CPU, %d connections, %d after %.0f"
            + " s",
        usual,
        seen,
        seen.failures().size(),
        peak,
        ServerPorts.cpuSeconds(node.pid()) - cpu,
        held,
        left,
        Measured.seconds(since));
    assertThat(node.isAlive()).as("the node lives").isTrue();
    assertThat(usual.failures()).isEmpty();
    assertThat(seen.failures()).as("failures of the honest caller").isEmpty();
    assertThat(seen.p99())
        .as("p99 in ms, usually %d", usual.p99())
        .isLessThanOrEqualTo(Math.max(FLOOR_MS, 2 * usual.p99()));
    assertThat(peak).as("MiB").isLessThan(MEMORY_MIB_MAX);
    assertThat(left).as("connections that the attacker still holds").isLessThanOrEqualTo(FEW);
  }
}
