package skein.node;

import com.hazelcast.config.Config;
import com.hazelcast.config.MultiMapConfig;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.time.Duration;
import java.util.List;
import skein.client.bus.ClusterJoin;
import skein.node.dev.Ports;

/**
 * Another service of the cluster: a Vert.x that joins as its documentation says, holds no data and
 * knows nothing of the nodes but the cluster's name and their addresses.
 */
final class LiteMember implements AutoCloseable {
  /** The cluster's name ends with the Hazelcast minor and the wire version. */
  private static final String NAME_SUFFIX = "-hz5.7-w1";

  private static final Duration JOIN_MAX = Duration.ofMinutes(1);

  private final Vertx vertx;

  LiteMember(TestCluster cluster) {
    this(cluster.name(), cluster.memberPorts());
  }

  /** Of the cluster with members on these ports of this machine. */
  LiteMember(String clusterName, List<Integer> memberPorts) {
    var ports = Ports.free(2);
    var config = config(clusterName, memberPorts, ports.getFirst());
    var manager = new HazelcastClusterManager(config);
    var bus = new EventBusOptions().setHost("127.0.0.1").setPort(ports.getLast());
    var builder =
        Vertx.builder()
            .with(new VertxOptions().setEventBusOptions(bus))
            .withClusterManager(manager);
    vertx = ClusterJoin.join(builder, JOIN_MAX).await();
  }

  static Config config(String clusterName, List<Integer> memberPorts, int port) {
    var config = new Config().setClusterName(clusterName + NAME_SUFFIX).setLiteMember(true);
    config
        .setProperty("hazelcast.socket.bind.any", "false")
        .setProperty("hazelcast.phone.home.enabled", "false")
        .setProperty("hazelcast.shutdownhook.enabled", "false")
        .setProperty("hazelcast.logging.type", "slf4j");
    config.addMultiMapConfig(
        new MultiMapConfig("__vertx.subs")
            .setBackupCount(1)
            .setValueCollectionType(MultiMapConfig.ValueCollectionType.SET));
    var network = config.getNetworkConfig();
    network.setPort(port).setPortAutoIncrement(false);
    network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    network.getJoin().getAutoDetectionConfig().setEnabled(false);
    network.getJoin().getMulticastConfig().setEnabled(false);
    var members = network.getJoin().getTcpIpConfig().setEnabled(true);
    memberPorts.forEach(member -> members.addMember("127.0.0.1:" + member));
    return config;
  }

  Vertx vertx() {
    return vertx;
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
