package skein.node.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.transport.Transport;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Cluster;
import skein.cluster.Locks;
import skein.cluster.NoLocks;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.node.config.HostPort;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.LockProvider;

/** This node's membership of the cluster, from joining to leaving. */
public final class HazelcastMember {
  private static final Logger log = LoggerFactory.getLogger(HazelcastMember.class);
  private static final int BUS_CONNECT_TIMEOUT_MS = 2_500;
  private static final int BUS_PING_MS = 5_000;

  private final NodeConfig config;
  private final HazelcastInstance hazelcast;
  private final String address;
  private final HazelcastCluster cluster;

  private HazelcastMember(NodeConfig config, HazelcastInstance hazelcast, String address) {
    this.config = config;
    this.hazelcast = hazelcast;
    this.address = address;
    this.cluster = new HazelcastCluster(hazelcast);
  }

  private static final long EXECUTOR_LOOK_MILLIS = 100;

  /**
   * Joins the others, or begins a cluster; blocks for {@code cluster.join-wait} and more, and a
   * node without the role {@code execution} for {@code cluster.executor-wait} at most.
   *
   * @throws SkeinException {@code NOT_READY} when such a node is alone
   */
  public static HazelcastMember start(NodeConfig config) {
    var others =
        config.cluster().serviceDns().isEmpty()
            ? config.cluster().members().stream().map(HostPort::host).toList()
            : List.of(config.cluster().serviceDns());
    var address = LocalAddress.of(config.cluster().host(), others);
    var nodeId = UUID.randomUUID().toString();
    var settings = MemberConfig.of(config, nodeId, address);
    var hazelcast =
        HazelcastInstanceFactory.newHazelcastInstance(
            settings,
            settings.getInstanceName(),
            new GuardedContext(config.cluster().bus().packetBytesMax()));
    awaitExecutor(hazelcast, config.cluster().detection().executorWait());
    hazelcast.getPartitionService().getPartition("").getOwner(); // hands out the partitions
    return new HazelcastMember(config, hazelcast, address);
  }

  /** What the cluster knows is kept by nodes that execute; without one nothing can be asked. */
  private static void awaitExecutor(HazelcastInstance hazelcast, Duration max) {
    long end = System.nanoTime() + max.toNanos();
    for (boolean told = false; hasNoExecutor(hazelcast); told = true) {
      if (!told) {
        log.atInfo().addKeyValue("waitMs", max.toMillis()).log("cluster.awaits_executor");
      }
      if (System.nanoTime() > end) {
        hazelcast.shutdown();
        throw new SkeinException(
            ErrorCode.NOT_READY,
            "No node with the role execution has joined within cluster.executor-wait ("
                + max.toSeconds()
                + " s): start one, or give this node that role");
      }
      LockSupport.parkNanos(Duration.ofMillis(EXECUTOR_LOOK_MILLIS).toNanos());
    }
  }

  private static boolean hasNoExecutor(HazelcastInstance hazelcast) {
    return hazelcast.getCluster().getMembers().stream().allMatch(Member::isLiteMember);
  }

  /** Must be closed before {@link #stop}. */
  public Future<Vertx> vertx(VertxOptions options, Transport transport) {
    int port = config.cluster().busPort();
    options.setEventBusOptions(
        new EventBusOptions()
            .setHost(address)
            .setPort(port)
            .setClusterPublicHost(address)
            .setClusterPublicPort(port)
            .setIdleTimeout((int) config.cluster().bus().idleTimeout().toSeconds())
            .setIdleTimeoutUnit(TimeUnit.SECONDS)
            .setConnectTimeout(BUS_CONNECT_TIMEOUT_MS)
            .setClusterPingInterval(BUS_PING_MS)
            .setClusterPingReplyInterval(BUS_PING_MS));
    return Vertx.builder()
        .with(options)
        .withTransport(transport)
        .withClusterManager(new HazelcastClusterManager(hazelcast))
        .buildClustered();
  }

  public Cluster cluster() {
    return cluster;
  }

  public Locks locks(Vertx vertx) {
    var execution = config.execution();
    return config.cluster().locks() == LockProvider.NONE
        ? new NoLocks()
        : new ShardLocks(hazelcast, vertx, execution.lockExpiry(), execution.lockHandover());
  }

  public HazelcastInstance hazelcast() {
    return hazelcast;
  }

  /** Hands over what this member holds, then leaves. */
  public void stop() {
    hazelcast.shutdown();
  }
}
