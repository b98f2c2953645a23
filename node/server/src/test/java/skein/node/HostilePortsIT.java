package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.dev.Ports;

/** What does not belong there, on the ports between nodes, while two nodes work. */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
@Tag("alone")
class HostilePortsIT {
  private static final Duration FREED = Duration.ofSeconds(25);
  private static final long SEED = 20261121;
  private static final Map<String, String> SETTINGS =
      Map.of("cluster.bus-ping-interval", "3s", "cluster.bus-idle-timeout", "7s");

  private final TestCluster cluster;
  private final List<Integer> ports = Ports.free(2);
  private Siege siege;

  HostilePortsIT(TestPostgres postgres) {
    cluster = new TestCluster(postgres, TestClusters.folder(), "ports", ports, SETTINGS);
  }

  @BeforeAll
  void start() {
    cluster.startAll();
    siege = new Siege(cluster.node(0), ports.getFirst());
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void garbage_between_members() throws Exception {
    // Hazelcast keeps connections that say nothing, so those of HTTP are counted
    garbage("Hazelcast", cluster.memberPorts().getFirst(), ports.getFirst());
  }

  @Test
  void garbage_on_the_bus() throws Exception {
    int port = cluster.busPorts().getFirst();
    garbage("event bus", port, port);
  }

  private void garbage(String name, int port, int freedPort) throws Exception {
    var sent = new CopyOnWriteArrayList<String>();
    siege.withstands(
        "garbage on the port of " + name,
        freedPort,
        FREED,
        () -> {
          var sockets = new RawSockets(port);
          for (var kind : Kind.values()) {
            sockets.each(5, socket -> repeat(sockets, kind, sent));
          }
          sockets.idle(500);
          return sockets;
        });
    assertThat(sent).hasSizeGreaterThan(Kind.values().length);
    assertClusterIsWhole();
  }

  private void assertClusterIsWhole() {
    for (var node : cluster.nodes()) {
      assertThat(node.isAlive()).isTrue();
      assertThat(node.http().get("/").json().getInteger("members")).isEqualTo(2);
    }
    assertThat(cluster.logged("OutOfMemory")).isEmpty();
    var id = cluster.api(1).start("honest-" + ports.getFirst());
    assertThat(cluster.api(0).resume(id).status()).isEqualTo(200);
  }

  private enum Kind {
    RANDOM,
    TLS_HELLO,
    HTTP_REQUEST,
    LARGE_LENGTH,
    NEGATIVE_LENGTH,
    NONSENSE_OF_MEMBER,
    LARGE_PACKET,
    MANY_PACKETS,
    HALF
  }

  private static void repeat(RawSockets sockets, Kind kind, List<String> sent)
      throws IOException, InterruptedException {
    var random = new Random(SEED + kind.name().length());
    for (int i = 0; i < 100; i++) {
      try (var socket = sockets.connect()) {
        socket.setSoTimeout(200);
        socket.getOutputStream().write(bytes(kind, random));
        sent.add(kind.name());
        if (kind == Kind.HALF) {
          socket.shutdownOutput();
        }
        Thread.sleep(100);
      } catch (IOException _) {
        sockets.ended.incrementAndGet();
      }
    }
  }

  private static byte[] bytes(Kind kind, Random random) {
    var noise = new byte[16_384];
    random.nextBytes(noise);
    return switch (kind) {
      case RANDOM -> noise;
      case TLS_HELLO -> joined(new byte[] {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3}, noise);
      case HTTP_REQUEST -> "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
      case LARGE_LENGTH -> joined(new byte[] {0x40, 0, 0, 0}, noise);
      case NEGATIVE_LENGTH -> joined(new byte[] {-1, -1, -1, -1}, noise);
      case NONSENSE_OF_MEMBER -> joined("HZC".getBytes(StandardCharsets.US_ASCII), noise);
      case LARGE_PACKET -> packet(1 << 30);
      case MANY_PACKETS -> packet(3 << 20);
      case HALF -> "HZ".getBytes(StandardCharsets.US_ASCII);
    };
  }

  /** The head of a packet between members that continues for so many bytes. */
  private static byte[] packet(int length) {
    return Buffer.buffer("HZC")
        .appendByte((byte) 4)
        .appendShort((short) 0)
        .appendInt(-1)
        .appendInt(length)
        .appendInt(0)
        .getBytes();
  }

  private static byte[] joined(byte[] first, byte[] second) {
    return Buffer.buffer(first).appendBytes(second).getBytes();
  }

  @Test
  void messages_without_end_from_a_member() throws Exception {
    var flood = new AtomicReference<BusFlood>();
    siege.withstands(
        "flood of messages from a service of the cluster",
        FREED,
        () -> {
          flood.set(BusFlood.start(cluster));
          return flood.get();
        });
    assertThat(flood.get().sent()).as("times that it has sent").isGreaterThan(200);
    assertClusterIsWhole();
  }
}
