package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import skein.node.Eventually;
import skein.node.Together;
import skein.peers.GuardedMember;

/** Two members with a secret, and who would like to join them. */
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
class PeersIT {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int GREETING_BYTES = 56;

  @TempDir private static Path folder;

  private final Members members = new Members();
  private HazelcastMember first;
  private HazelcastMember second;
  private Vertx firstBus;
  private Vertx secondBus;

  private static Map<String, String> secret(String secret) throws IOException {
    var file = Files.writeString(folder.resolve("of-" + secret), secret.repeat(64) + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return Map.of("cluster.secret-file", file.toString(), "cluster.proof-timeout", "1s");
  }

  @BeforeAll
  void start() throws Exception {
    first = members.start(secret("a"));
    second = members.start(secret("a"));
    firstBus = members.vertx(first);
    secondBus = members.vertx(second);
  }

  @AfterAll
  void stop() {
    members.close();
  }

  private void assertTheyWork() throws Exception {
    assertThat(Eventually.isTrue(PATIENCE, () -> first.cluster().members().size() == 2)).isTrue();
    assertAnswer(firstBus, secondBus, second);
    assertAnswer(secondBus, firstBus, first);
  }

  private static void assertAnswer(Vertx from, Vertx to, HazelcastMember member) throws Exception {
    var address = member.cluster().nodeId();
    var consumer =
        to.eventBus().<String>consumer(address, message -> message.reply(message.body() + "!"));
    var large = "x".repeat(300_000);
    var answer =
        Eventually.get(PATIENCE, () -> ask(from, address, large), Predicate.not(String::isEmpty));
    assertThat(answer).isEqualTo(large + "!");
    consumer.unregister().await(5, TimeUnit.SECONDS);
  }

  /** Empty: no process listens, or not yet. */
  private static String ask(Vertx from, String address, String text) {
    try {
      var asked = from.eventBus().<String>request(address, text);
      return asked.await(5, TimeUnit.SECONDS).body();
    } catch (ReplyException | TimeoutException _) {
      return "";
    }
  }

  @Test
  void members_with_the_secret_work_together() throws Exception {
    assertTheyWork();
    var map = first.hazelcast().<String, String>getMap("any");
    for (int i = 0; i < 100; i++) {
      map.set("k" + i, "v".repeat(10_000));
      assertThat(second.hazelcast().getMap("any").get("k" + i)).isNotNull();
    }
  }

  @Test
  void a_member_without_the_secret_does_not_start() throws Exception {
    for (var settings : List.of(Map.<String, String>of(), secret("b"))) {
      assertThatThrownBy(() -> members.start(settings))
          .isInstanceOf(GuardedMember.SecretDiffersException.class)
          .hasMessageContaining("cluster.secret-file");
    }
    assertTheyWork();
  }

  @Test
  void strangers_learn_nothing_but_that_they_are_asked_for_a_proof() throws Exception {
    for (int port : ports()) {
      assertNoAnswers(
          port, List.of("CP2", "GET /hazelcast/rest", "TXT", "\u007f\u007f", "", "SKEINHI"));
    }
    assertThat(answer(ports().getFirst(), "HZC")).as("a member").isIn(0, GREETING_BYTES);
    assertThat(answer(ports().getLast(), "\0\0\0\5")).as("a message").isIn(0, GREETING_BYTES);
    assertTheyWork();
  }

  @Test
  void many_who_prove_nothing_do_not_keep_members_out() throws Exception {
    for (int port : ports()) {
      var sockets = new ArrayList<Socket>();
      for (int i = 0; i < 300; i++) {
        sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
      }
      assertTheyWork();
      for (var socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void a_client_is_not_let_in() {
    assertNoClient(first, "with a secret");
  }

  private static void assertNoClient(HazelcastMember member, String name) {
    var config = new ClientConfig().setClusterName(member.hazelcast().getConfig().getClusterName());
    config.getNetworkConfig().addAddress("127.0.0.1:" + port(member)).setConnectionTimeout(500);
    config
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setClusterConnectTimeoutMillis(1_000);
    assertThatThrownBy(() -> HazelcastClient.newHazelcastClient(config))
        .as(name)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("connect");
  }

  @Test
  void without_a_secret_there_are_members_alone_too() throws Exception {
    try (var open = new Members()) {
      var member = open.start(Map.of("cluster.proof-timeout", "1s"));

      assertNoClient(member, "without a secret");
      assertNoAnswers(port(member), List.of("CP2", "GET /hazelcast/rest", "TXT", ""));
      open.start(Map.of());
      assertThat(member.hazelcast().getCluster().getMembers()).hasSize(2);
    }
  }

  private static int port(HazelcastMember member) {
    return member.hazelcast().getCluster().getLocalMember().getAddress().getPort();
  }

  private List<Integer> ports() {
    var bus = second.hazelcast().getCluster().getLocalMember().getAttribute("skein.node.bus.port");
    return List.of(port(second), Integer.parseInt(bus));
  }

  /** All at once: most are waited for until they should have said more. */
  private static void assertNoAnswers(int port, List<String> said) {
    var answers = Together.call(said.size(), number -> answer(port, said.get(number)));

    for (int i = 0; i < said.size(); i++) {
      assertThat(answers.get(i)).as(said.get(i) + " on " + port).isZero();
    }
  }

  /** How many bytes come before the connection is closed. */
  private static int answer(int port, String said) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(said.getBytes(StandardCharsets.ISO_8859_1));
      int count = 0;
      try {
        while (socket.getInputStream().read() >= 0) {
          count++;
        }
      } catch (SocketTimeoutException _) {
        return -1; // not closed
      } catch (SocketException _) {
        // closed before all was read
      }
      return count;
    } catch (IOException e) {
      throw new UncheckedIOException(said, e);
    }
  }
}
