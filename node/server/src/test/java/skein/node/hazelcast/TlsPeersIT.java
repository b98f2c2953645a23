package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import skein.node.Eventually;
import skein.node.Together;
import skein.peers.ClusterTls;
import skein.peers.GuardedMember;
import skein.peers.Refusal;
import skein.peers.TestCertificates;

/** Members within TLS, and who would like to join them. */
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
@Tag("alone")
class TlsPeersIT {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int MANY = 300;
  private static final int LARGE_BYTES = 12 << 20;

  /** The head of a ClientHello, and nothing more. */
  private static final byte[] HALF_HELLO = {22, 3, 1, 1, 0, 1, 0, 0, (byte) 252, 3, 3};

  @TempDir private static Path folder;

  private final Members members = new Members();
  private final Members withoutSecret = new Members();
  private TestCertificates authority;
  private Pair withSecret;
  private Pair bare;

  /** Two members of one cluster. */
  private record Pair(
      HazelcastMember first, HazelcastMember second, Vertx firstBus, Vertx secondBus) {
    static Pair of(Members members, Map<String, String> one, Map<String, String> other)
        throws TimeoutException {
      var first = members.start(one);
      var second = members.start(other);
      return new Pair(first, second, members.vertx(first), members.vertx(second));
    }

    void assertTheyWork(int bytes) throws Exception {
      assertThat(Eventually.isTrue(PATIENCE, () -> first.cluster().members().size() == 2)).isTrue();
      assertAnswer(firstBus, secondBus, second, bytes);
      assertAnswer(secondBus, firstBus, first, bytes);
    }

    private static void assertAnswer(Vertx from, Vertx to, HazelcastMember member, int bytes)
        throws Exception {
      var address = member.cluster().nodeId();
      var consumer =
          to.eventBus()
              .<Buffer>consumer(
                  address, message -> message.reply(message.body().copy().appendString("!")));
      var sent = new byte[bytes];
      new Random(bytes).nextBytes(sent);
      var answer =
          Eventually.get(
              PATIENCE, () -> ask(from, address, Buffer.buffer(sent)), b -> b.length() > 0);
      assertThat(answer.equals(Buffer.buffer(sent).appendString("!"))).isTrue();
      consumer.unregister().await(5, TimeUnit.SECONDS);
    }

    /** Empty: no process listens, or not yet. */
    private static Buffer ask(Vertx from, String address, Buffer body) {
      try {
        return from.eventBus()
            .<Buffer>request(address, body, new DeliveryOptions().setSendTimeout(10_000))
            .await(15, TimeUnit.SECONDS)
            .body();
      } catch (ReplyException | TimeoutException _) {
        return Buffer.buffer();
      }
    }

    List<Integer> ports() {
      var local = second.hazelcast().getCluster().getLocalMember();
      return List.of(
          local.getAddress().getPort(),
          Integer.parseInt(local.getAttribute("skein.node.bus.port")));
    }
  }

  private static Map<String, String> settings(
      ClusterTls.@Nullable Files tls, @Nullable String secret) throws IOException {
    var settings = new HashMap<String, String>();
    settings.put("cluster.proof-timeout", "1s");
    settings.put("cluster.packet-bytes-max", "64MiB");
    settings.put("cluster.message-bytes-max", "64MiB");
    if (tls != null) {
      settings.put("cluster.tls", "true");
      settings.put("cluster.tls-certificate-file", tls.certificate().toString());
      settings.put("cluster.tls-key-file", tls.key().toString());
      settings.put("cluster.tls-ca-file", tls.authorities().toString());
    }
    if (secret != null) {
      var file = Files.writeString(folder.resolve("of-" + secret), secret.repeat(64) + "\n");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      settings.put("cluster.secret-file", file.toString());
    }
    return settings;
  }

  @BeforeAll
  void start() throws Exception {
    authority = new TestCertificates(folder, "ca");
    withSecret =
        Pair.of(members, settings(authority.of("n1"), "a"), settings(authority.of("n2"), "a"));
    bare =
        Pair.of(
            withoutSecret, settings(authority.of("n3"), null), settings(authority.of("n4"), null));
  }

  @AfterAll
  void stop() {
    members.close();
    withoutSecret.close();
  }

  private List<Pair> pairs() {
    return List.of(withSecret, bare);
  }

  @Test
  void large_messages_and_entries_come_whole_in_both_directions() throws Exception {
    for (var pair : pairs()) {
      pair.assertTheyWork(1_000);
      pair.assertTheyWork(LARGE_BYTES);
      var one = pair.first().hazelcast().<String, byte[]>getMap("any");
      var other = pair.second().hazelcast().<String, byte[]>getMap("any");
      var value = new byte[LARGE_BYTES];
      for (int i = 0; i < 4; i++) {
        new Random(i).nextBytes(value);
        one.set("one" + i, value);
        assertThat(Arrays.equals(other.get("one" + i), value)).isTrue();
        other.set("other" + i, value);
        assertThat(Arrays.equals(one.get("other" + i), value)).isTrue();
      }
      one.clear();
      var small = new HashMap<String, byte[]>();
      for (int i = 0; i < 2_000; i++) {
        small.put("k" + i, Arrays.copyOf(value, i));
      }
      one.putAll(small);
      small.forEach((key, bytes) -> assertThat(other.get(key)).isEqualTo(bytes));
    }
  }

  private void assertDoesNotStart(
      Members cluster, Map<String, String> settings, Refusal.Code code) {
    assertThatThrownBy(() -> cluster.start(settings))
        .as(code + " with " + settings)
        .isInstanceOfSatisfying(
            GuardedMember.TlsDiffersException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining("cluster.tls");
  }

  @Test
  void a_member_without_tls_does_not_start() throws Exception {
    assertDoesNotStart(members, settings(null, "a"), Refusal.Code.CLUSTER_TLS_DIFFERS);
    assertDoesNotStart(withoutSecret, settings(null, null), Refusal.Code.CLUSTER_TLS_DIFFERS);
    withSecret.assertTheyWork(1_000);
    bare.assertTheyWork(1_000);
  }

  @Test
  void a_member_with_tls_does_not_start_among_those_without() throws Exception {
    for (@Nullable String secret : new @Nullable String[] {"a", null}) {
      try (var plain = new Members()) {
        plain.start(settings(null, secret));
        assertDoesNotStart(
            plain, settings(authority.of("n5"), secret), Refusal.Code.CLUSTER_TLS_DIFFERS);
        plain.start(settings(null, secret));
      }
    }
  }

  @Test
  void a_member_with_a_certificate_of_another_authority_does_not_start() throws Exception {
    var other = new TestCertificates(folder, "other-ca");
    var strange = other.of("strange");
    var trusting = TestCertificates.taking(strange, authority, other);

    for (var files : List.of(strange, trusting)) {
      assertDoesNotStart(members, settings(files, "a"), Refusal.Code.CLUSTER_CERTIFICATE_REFUSED);
      assertDoesNotStart(
          withoutSecret, settings(files, null), Refusal.Code.CLUSTER_CERTIFICATE_REFUSED);
    }
    withSecret.assertTheyWork(1_000);
    bare.assertTheyWork(1_000);
  }

  @Test
  void a_certificate_does_not_stand_for_the_secret() throws Exception {
    for (@Nullable String secret : new @Nullable String[] {"b", null}) {
      assertThatThrownBy(() -> members.start(settings(authority.of("n6"), secret)))
          .isInstanceOf(GuardedMember.SecretDiffersException.class)
          .hasMessageContaining("cluster.secret-file");
    }
    withSecret.assertTheyWork(1_000);
  }

  /**
   * A process that does not belong there.
   *
   * @param says bytes as ISO 8859-1 reads them
   * @param bytesMax as many may come before the connection is closed
   */
  private record Stranger(String name, String says, boolean halfClose, int bytesMax) {
    Stranger(String name, byte[] says, boolean halfClose, int bytesMax) {
      this(name, new String(says, StandardCharsets.ISO_8859_1), halfClose, bytesMax);
    }
  }

  private static List<Stranger> strangers() {
    var strangers = new ArrayList<Stranger>();
    for (var said :
        List.of("GET /hazelcast/rest", "HZC", "SKEINHI1", "\0\0\0\5hello", "", "\u0016")) {
      strangers.add(new Stranger(said, said, false, 7));
    }
    for (boolean half : List.of(true, false)) {
      strangers.add(new Stranger("half a greeting", HALF_HELLO, half, 100));
    }
    var garbage = new byte[50_000];
    new Random(1).nextBytes(garbage);
    System.arraycopy(HALF_HELLO, 0, garbage, 0, HALF_HELLO.length);
    strangers.add(new Stranger("garbage", garbage, false, 100));
    return strangers;
  }

  /** All at once: most are waited for until they should have said more. */
  @Test
  void strangers_are_hung_up_on() throws Exception {
    var strangers = strangers();
    for (var pair : pairs()) {
      for (int port : pair.ports()) {
        var answers =
            Together.call(strangers.size(), number -> answer(port, strangers.get(number)));
        for (int i = 0; i < strangers.size(); i++) {
          var stranger = strangers.get(i);
          assertThat(answers.get(i))
              .as(stranger.name() + " on " + port)
              .isBetween(0, stranger.bytesMax());
        }
      }
      pair.assertTheyWork(1_000);
    }
  }

  @Test
  void many_who_stop_in_the_handshake_keep_nobody_out_and_no_thread_busy() throws Exception {
    for (var pair : pairs()) {
      for (int port : pair.ports()) {
        var sockets = new ArrayList<Socket>();
        for (int i = 0; i < MANY; i++) {
          var socket = new Socket(InetAddress.getLoopbackAddress(), port);
          sockets.add(socket);
          try {
            socket.getOutputStream().write(HALF_HELLO);
          } catch (SocketException _) {
            // others needed its place
          }
        }
        long before = networkNanos();
        Eventually.pause(Duration.ofSeconds(1));
        assertThat(Duration.ofNanos(networkNanos() - before))
            .as("processor time of the threads of both ports in a second")
            .isLessThan(Duration.ofMillis(500));
        pair.assertTheyWork(1_000);
        for (var socket : sockets) {
          socket.close();
        }
      }
    }
  }

  /** Of the threads that read and write. */
  private static long networkNanos() {
    var threads = ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (var info : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (info != null
          && (info.getThreadName().contains(".IO.")
              || info.getThreadName().startsWith("vert.x-eventloop"))) {
        sum += Math.max(0, threads.getThreadCpuTime(info.getThreadId()));
      }
    }
    return sum;
  }

  /** How many bytes come before the connection is closed; -1: it is not. */
  private static int answer(int port, Stranger stranger) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      int count = 0;
      try {
        socket.getOutputStream().write(stranger.says().getBytes(StandardCharsets.ISO_8859_1));
        if (stranger.halfClose()) {
          socket.shutdownOutput();
        }
        while (socket.getInputStream().read() >= 0) {
          count++;
        }
      } catch (SocketTimeoutException _) {
        return -1;
      } catch (SocketException _) {
        // closed before all was read
      }
      return count;
    } catch (IOException e) {
      throw new UncheckedIOException(stranger.name(), e);
    }
  }
}
