package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.config.MultiMapConfig;
import com.hazelcast.core.HazelcastInstance;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.node.Eventually;
import skein.node.Recorder;
import skein.node.dev.Ports;
import skein.peers.BusAuthentication;
import skein.peers.BusTransport;
import skein.peers.ClusterSecret;
import skein.peers.ClusterTls;
import skein.peers.GuardedMember;
import skein.peers.PeerGuard;
import skein.peers.TestCertificates;

/** What a man in the middle of two processes of a cluster learns. */
@Tag("long")
class RecordedIT {
  private static final String MARKER = "a-known-input-4711";
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int ENTRIES = 100;

  @TempDir private Path folder;

  /** A process that others know by the ports of recorders alone. */
  private static final class Party implements AutoCloseable {
    private final List<Integer> ports = Ports.free(2);
    private final Recorder memberPort = new Recorder(ports.getFirst());
    private final Recorder busPort = new Recorder(ports.getLast());
    private @Nullable HazelcastInstance member;
    private @Nullable Vertx vertx;

    Party() throws IOException {}

    void start(String cluster, PeerGuard guard, List<Party> all) throws TimeoutException {
      var config = new Config().setClusterName(cluster);
      config
          .setProperty("hazelcast.socket.bind.any", "false")
          .setProperty("hazelcast.phone.home.enabled", "false")
          .setProperty("hazelcast.shutdownhook.enabled", "false")
          .setProperty("hazelcast.wait.seconds.before.join", "0")
          .setProperty("hazelcast.logging.type", "slf4j")
          .addMultiMapConfig(
              new MultiMapConfig("__vertx.subs")
                  .setValueCollectionType(MultiMapConfig.ValueCollectionType.SET));
      var network = config.getNetworkConfig();
      network.setPort(ports.getFirst()).setPortAutoIncrement(false);
      network.setPublicAddress("127.0.0.1:" + memberPort.port());
      network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
      network.getJoin().getAutoDetectionConfig().setEnabled(false);
      network.getJoin().getMulticastConfig().setEnabled(false);
      var join = network.getJoin().getTcpIpConfig().setEnabled(true);
      all.forEach(party -> join.addMember("127.0.0.1:" + party.memberPort.port()));
      member = GuardedMember.start(config, guard);
      var bus =
          new EventBusOptions()
              .setHost("127.0.0.1")
              .setPort(ports.getLast())
              .setClusterPublicHost("127.0.0.1")
              .setClusterPublicPort(busPort.port());
      vertx =
          Vertx.builder()
              .with(new VertxOptions().setEventBusOptions(BusAuthentication.marked(bus)))
              .withTransport(new BusTransport(new BusAuthentication(guard)))
              .withClusterManager(new HazelcastClusterManager(member))
              .buildClustered()
              .await(20, TimeUnit.SECONDS);
    }

    HazelcastInstance member() {
      return Objects.requireNonNull(member);
    }

    Vertx vertx() {
      return Objects.requireNonNull(vertx);
    }

    @Override
    public void close() throws IOException {
      if (vertx != null) {
        vertx
            .close()
            .toCompletionStage()
            .toCompletableFuture()
            .orTimeout(20, TimeUnit.SECONDS)
            .join();
      }
      if (member != null) {
        member.getLifecycleService().terminate();
      }
      memberPort.close();
      busPort.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void what_is_said_is_seen_in_between_without_tls_alone(boolean tls) throws Exception {
    var authority = new TestCertificates(folder, "ca");
    var cluster = "recorded-" + UUID.randomUUID();
    try (var one = new Party();
        var other = new Party()) {
      var all = List.of(one, other);
      for (var party : all) {
        party.start(cluster, guard(cluster, tls ? authority.of("n") : null), all);
      }
      assertThat(one.member().getCluster().getMembers()).hasSize(2);

      converse(one, other);
      converse(other, one);

      for (var ports :
          List.of(
              List.of(one.memberPort, other.memberPort),
              List.of(one.busPort),
              List.of(other.busPort))) {
        assertThat(ports.stream().mapToInt(Recorder::bytes).sum()).isGreaterThan(5_000);
        assertThat(ports.stream().anyMatch(recorder -> recorder.hasSeen(MARKER)))
            .as("what was said was seen")
            .isEqualTo(!tls);
      }
      assertThat(Stream.of(one.busPort, other.busPort).anyMatch(r -> r.hasSeen("SKEINHI1")))
          .as("the proof of the secret was seen")
          .isEqualTo(!tls);
    }
  }

  private PeerGuard guard(String cluster, ClusterTls.@Nullable Files tls) throws IOException {
    var file = Files.writeString(folder.resolve("secret"), "0123456789abcdef".repeat(4));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    var guard = PeerGuard.of(ClusterSecret.read(file), cluster, PeerGuard.Limits.DEFAULT, _ -> {});
    return tls == null ? guard : guard.withTls(ClusterTls.read(tls, _ -> {}));
  }

  private static void converse(Party from, Party to) throws Exception {
    var address = "at-" + to.busPort.port();
    var consumer =
        to.vertx().eventBus().<String>consumer(address, message -> message.reply(message.body()));
    consumer.completion().await(10, TimeUnit.SECONDS);
    var answers = new ArrayList<String>();
    for (int i = 0; i < ENTRIES; i++) {
      answers.add(
          Eventually.get(PATIENCE, () -> ask(from.vertx(), address), answer -> !answer.isEmpty()));
      from.member().getMap("any").set(address + i, MARKER);
    }
    assertThat(answers).containsOnly(MARKER);
    assertThat(to.member().getMap("any").values()).contains(MARKER);
  }

  private static String ask(Vertx from, String address) {
    try {
      return from.eventBus().<String>request(address, MARKER).await(5, TimeUnit.SECONDS).body();
    } catch (ReplyException | TimeoutException _) {
      return "";
    }
  }
}
