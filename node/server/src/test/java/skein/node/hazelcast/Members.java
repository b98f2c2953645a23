package skein.node.hazelcast;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;
import skein.node.dev.Ports;
import skein.peers.BusTransport;

/** Members of one cluster inside the JVM of a test; closing it ends them all. */
final class Members implements AutoCloseable {
  private final String clusterName = "test-" + UUID.randomUUID();
  private final String firstPort;
  private final List<HazelcastMember> started = new ArrayList<>();
  private final List<Vertx> buses = new ArrayList<>();

  Members() {
    firstPort = freePort();
  }

  /** {@code settings}: where and with whom, if not at a free port with the first. */
  HazelcastMember start(Map<String, String> settings) {
    return start(settings, "");
  }

  HazelcastMember start(Map<String, String> settings, String databaseId) {
    var flags = new HashMap<>(settings);
    flags.putIfAbsent("node.name", "n" + (started.size() + 1));
    flags.put("cluster.name", clusterName);
    flags.put("cluster.bus-port", freePort());
    flags.put("cluster.host", "127.0.0.1");
    flags.put("cluster.join-wait", "0s");
    if (started.isEmpty()) {
      flags.put("cluster.port", firstPort);
    } else {
      flags.putIfAbsent("cluster.port", freePort());
      flags.putIfAbsent("cluster.members", "127.0.0.1:" + firstPort);
    }
    var member =
        HazelcastMember.start(
            NodeConfig.from(new Settings(null, Map.of(), flags)),
            new MemberFacts(databaseId, Set.of()),
            new PeerTraffic());
    started.add(member);
    member.takeOver();
    return member;
  }

  /** The event bus of a member; closed with the members. */
  Vertx vertx(HazelcastMember member) throws TimeoutException {
    return await(member.vertx(new VertxOptions(), BusTransport::new));
  }

  Vertx await(Future<Vertx> starting) throws TimeoutException {
    var vertx = starting.await(20, TimeUnit.SECONDS);
    buses.add(vertx);
    return vertx;
  }

  static String freePort() {
    return Integer.toString(Ports.free(1).getFirst());
  }

  @Override
  public void close() {
    Future.join(buses.stream().map(Vertx::close).toList())
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join();
    started.forEach(member -> member.hazelcast().getLifecycleService().terminate());
  }
}
