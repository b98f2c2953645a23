package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.FuzzPeer.Port;
import skein.node.dev.Ports;

/**
 * Bytes of any kind on both ports between nodes, of those who do not know the secret and of those
 * who do, while two nodes work.
 *
 * <p>{@code fuzz.seconds} is for how long, all in all, {@code fuzz.seed} the first seed: one for
 * each connection.
 */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
@Tag("alone")
class PortsFuzzIT {
  private static final Duration EACH =
      Duration.ofMillis(Long.getLong("fuzz.seconds", 30) * 1_000 / 4);

  private static final long SEED = Long.getLong("fuzz.seed", new Random().nextInt(1_000_000_000));

  private static final int CONNECTIONS = 6;
  private static final int SENT_MAX = 200;
  private static final long MEMORY_MIB_MAX = 750;
  private static final String SECRET = "0123456789abcdef".repeat(4);

  private final TestCluster cluster;
  private final FuzzPeer peer = new FuzzPeer(SECRET, "portsfuzz-hz5.7-w1");
  private final LongAdder connections = new LongAdder();
  private final LongAdder proved = new LongAdder();
  private final LongAdder pieces = new LongAdder();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private HonestCaller caller;

  PortsFuzzIT(TestPostgres postgres) throws IOException {
    var file = Files.writeString(TestClusters.folder().resolve("fuzz-secret"), SECRET + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    cluster =
        new TestCluster(
            postgres,
            TestClusters.folder(),
            "portsfuzz",
            Ports.free(2),
            Map.of("cluster.secret-file", file.toString(), "cluster.proof-timeout", "2s"));
  }

  @BeforeAll
  void start() {
    cluster.startAll();
    caller = new HonestCaller(cluster.api(0), "honest");
    caller.call(Duration.ofSeconds(3));
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private interface Attack {
    void on(Socket socket, Random random) throws IOException;
  }

  @Test
  void strangers_at_the_port_of_members() throws Exception {
    survives(
        "strangers, members",
        Port.MEMBER,
        (socket, random) -> strange(socket, Port.MEMBER, random));
  }

  @Test
  void strangers_at_the_bus() throws Exception {
    survives("strangers, bus", Port.BUS, (socket, random) -> strange(socket, Port.BUS, random));
  }

  @Test
  void a_member_that_has_gone_mad() throws Exception {
    long before = proved.sum();
    survives(
        "members",
        Port.MEMBER,
        (socket, random) -> {
          prove(socket, Port.MEMBER, random);
          send(socket, "HZC".getBytes(StandardCharsets.US_ASCII));
          for (int i = random.nextInt(SENT_MAX); i >= 0; i--) {
            var packet = FuzzPeer.packet(random);
            send(socket, random.nextInt(10) > 0 ? packet : shortened(packet, random));
          }
        });
    assertThat(proved.sum() - before).as("connections that were let in").isGreaterThan(10);
  }

  @Test
  void a_service_on_the_bus_that_has_gone_mad() throws Exception {
    long before = proved.sum();
    survives(
        "bus",
        Port.BUS,
        (socket, random) -> {
          prove(socket, Port.BUS, random);
          for (int i = random.nextInt(SENT_MAX); i >= 0; i--) {
            send(socket, FuzzPeer.changed(FuzzPeer.message(random), random));
          }
        });
    assertThat(proved.sum() - before).as("connections that were let in").isGreaterThan(10);
  }

  /** What follows is read as the rest of it. */
  private static byte[] shortened(byte[] packet, Random random) {
    return Arrays.copyOf(packet, random.nextInt(11)); // in its head
  }

  private void prove(Socket socket, Port port, Random random) throws IOException {
    peer.prove(socket, port, random);
    proved.increment();
  }

  /** Everything but a proof: greetings and proofs that were changed, cut off or are of others. */
  private void strange(Socket socket, Port port, Random random) throws IOException {
    var greeting = peer.greeting(random);
    switch (random.nextInt(6)) {
      case 0 -> send(socket, FuzzPeer.packet(random));
      case 1 -> send(socket, FuzzPeer.message(random));
      case 2 -> send(socket, FuzzPeer.changed(greeting, random));
      case 3 -> {
        var noise = new byte[random.nextInt(20_000)];
        random.nextBytes(noise);
        send(socket, noise);
      }
      default -> {
        send(socket, greeting);
        var theirs = socket.getInputStream().readNBytes(greeting.length);
        if (theirs.length == greeting.length) {
          var other = port == Port.BUS ? Port.MEMBER : Port.BUS; // of which it is no proof here
          var proof = peer.proof(other, greeting, theirs);
          send(socket, random.nextBoolean() ? proof : FuzzPeer.changed(proof, random));
        }
      }
    }
    int told = socket.getInputStream().readNBytes(200).length;
    if (told > 89) {
      faults.add(told + " bytes for a stranger");
    }
  }

  private void send(Socket socket, byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    pieces.increment();
  }

  private void survives(String name, Port port, Attack attack) throws Exception {
    int number = (port == Port.MEMBER ? cluster.memberPorts() : cluster.busPorts()).getFirst();
    var threads = new ArrayList<Thread>();
    var next = new AtomicLong(SEED);
    long end = System.nanoTime() + EACH.toNanos();
    HonestCaller.Seen seen;
    try (var sockets = new RawSockets(number)) {
      for (int i = 0; i < CONNECTIONS; i++) {
        threads.add(
            Thread.startVirtualThread(() -> {
              while (System.nanoTime() < end) {
                once(sockets, attack, next.getAndIncrement());
              }
            }));
      }
      seen = caller.call(EACH);
      for (var thread : threads) {
        thread.join();
      }
    }
    Measured.say(
        "fuzz of ports",
        "%s, from seed %d: %d connections, %d of them proved, %d pieces so far; honest %s; %s MiB",
        name,
        SEED,
        connections.sum(),
        proved.sum(),
        pieces.sum(),
        seen,
        cluster.nodes().stream().map(node -> ServerPorts.memory(node.pid())).toList());
    assertThat(seen.failures()).as("failures of the honest caller, seed %d", SEED).isEmpty();
    assertThat(faults).as("faults, seed %d", SEED).isEmpty();
    assertThat(connections.sum()).isGreaterThan(20);
    assertClusterIsWhole();
  }

  private void once(RawSockets sockets, Attack attack, long seed) {
    try (var socket = sockets.connect()) {
      connections.increment();
      socket.setSoTimeout(3_000);
      attack.on(socket, new Random(seed * 0x9E3779B97F4A7C15L));
    } catch (IOException _) {
      sockets.ended.incrementAndGet(); // refused, as it should be
    }
    Eventually.pause(Duration.ofMillis(20));
  }

  private void assertClusterIsWhole() {
    for (var node : cluster.nodes()) {
      assertThat(node.isAlive()).as("a node lives, seed %d", SEED).isTrue();
      assertThat(ServerPorts.memory(node.pid())).as("MiB").isLessThan(MEMORY_MIB_MAX);
      var members =
          Eventually.get(
              Duration.ofSeconds(20),
              () -> members(node),
              found -> found == cluster.nodes().size());
      assertThat(members).as("members, seed %d", SEED).isEqualTo(cluster.nodes().size());
      assertThat(node.isReady()).isTrue();
    }
    assertThat(cluster.logged("OutOfMemory")).isEmpty();
    var id = cluster.api(1).start("honest");
    assertThat(cluster.api(0).resume(id).status()).isEqualTo(200);
  }

  private static int members(ServerProcess node) {
    try {
      return node.http().get("/").json().getInteger("members");
    } catch (UncheckedIOException _) {
      return 0;
    }
  }
}
