package skein.node.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.DiscoveryStrategyConfig;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.config.MultiMapConfig;
import com.hazelcast.config.PartitionGroupConfig.MemberGroupType;
import com.hazelcast.config.SerializationConfig;
import com.hazelcast.instance.BuildInfoProvider;
import com.hazelcast.kubernetes.HazelcastKubernetesDiscoveryStrategyFactory;
import com.hazelcast.spi.merge.DiscardMergePolicy;
import com.hazelcast.spi.partitiongroup.PartitionGroupMetaData;
import io.vertx.core.eventbus.EventBusOptions;
import java.time.Duration;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;
import skein.codecs.Format;
import skein.node.config.ClusterConfig;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.Role;

/** The settings of our Hazelcast member, all in code: no file of Hazelcast's is read. */
final class MemberConfig {
  /** Where vertx-hazelcast looks for the id of the node. */
  static final String NODE_ID = "__vertx.nodeId";

  static final String NODE_NAME = "skein.node.name";
  static final String NODE_ROLES = "skein.node.roles";
  static final String NODE_LANES = "skein.node.lanes";

  /** Where the node's event bus is reached. */
  static final String NODE_BUS_HOST = "skein.node.bus.host";

  static final String NODE_BUS_PORT = "skein.node.bus.port";

  /** The identity of the node's database; empty when it is unknown. */
  static final String NODE_DATABASE = "skein.node.database";

  /**
   * The types of the activities that the node has beside the built-in ones, with commas between.
   */
  static final String NODE_ACTIVITIES = "skein.node.activities";

  /** Whether the node has tenants: {@code true} or {@code false}. */
  static final String NODE_TENANCY = "skein.node.tenancy";

  /** The newest format that the node reads. */
  static final String NODE_FORMAT = "skein.node.reads";

  /**
   * Nodes join only those with the same number: raised when what is in maps changes so that older
   * nodes cannot read it. Messages and states have {@link Format}.
   */
  static final int WIRE_VERSION = 1;

  /**
   * After a split: what the smaller side has kept of a lock may have been given back on the other
   * one since, and would have no holder until it expires.
   */
  private static final MergePolicyConfig FORGET =
      new MergePolicyConfig().setPolicy(DiscardMergePolicy.class.getName());

  /** The time that a live member needs to answer, even when the machine is loaded. */
  private static final Duration SEARCH_MIN = Duration.ofSeconds(1);

  private MemberConfig() {}

  static Config of(
      NodeConfig config, String nodeId, String address, EventBusOptions bus, MemberFacts facts) {
    var cluster = config.cluster();
    var hazelcast = new Config();
    hazelcast.setClusterName(clusterName(cluster.name()));
    hazelcast.setInstanceName("skein-" + nodeId);
    hazelcast.setLiteMember(true); // until it can execute what it would own
    hazelcast.getJetConfig().setEnabled(false);
    hazelcast.getIntegrityCheckerConfig().setEnabled(false);
    addProperties(hazelcast, cluster.detection());
    addAttributes(hazelcast, config, nodeId, bus);
    hazelcast
        .getMemberAttributeConfig()
        .setAttribute(NODE_DATABASE, facts.databaseId())
        .setAttribute(NODE_ACTIVITIES, String.join(",", facts.activities()));
    addNetwork(hazelcast, cluster, address);
    addJoin(hazelcast, cluster, address, facts.addresses());
    addMaps(hazelcast);
    hazelcast.setSerializationConfig(serialization());
    return hazelcast;
  }

  /** Hazelcast's minors do not mix in one cluster, nor do our wire versions. */
  static String clusterName(String name) {
    var version = BuildInfoProvider.getBuildInfo().getVersion().split("\\.", 3);
    return name + "-hz" + version[0] + "." + version[1] + "-w" + WIRE_VERSION;
  }

  private static void addProperties(Config hazelcast, ClusterConfig.Detection detection) {
    hazelcast
        .setProperty("hazelcast.heartbeat.interval.seconds", seconds(detection.heartbeatInterval()))
        .setProperty("hazelcast.max.no.heartbeat.seconds", seconds(detection.heartbeatTimeout()))
        .setProperty("hazelcast.wait.seconds.before.join", seconds(detection.joinWait()))
        .setProperty(
            "hazelcast.merge.first.run.delay.seconds", seconds(detection.mergeFirstDelay()))
        .setProperty("hazelcast.merge.next.run.delay.seconds", seconds(detection.mergeNextDelay()))
        // while one part is on its way to a member that has left, no other one gets an owner
        .setProperty("hazelcast.partition.migration.timeout", seconds(detection.moveTimeout()))
        .setProperty("hazelcast.operation.backup.timeout.millis", "1000")
        .setProperty("hazelcast.operation.call.timeout.millis", "10000")
        .setProperty("hazelcast.graceful.shutdown.max.wait", "20")
        .setProperty("hazelcast.socket.bind.any", "false")
        .setProperty("hazelcast.shutdownhook.enabled", "false")
        .setProperty("hazelcast.phone.home.enabled", "false")
        .setProperty("hazelcast.logging.type", "slf4j");
  }

  private static String seconds(Duration duration) {
    return Long.toString(duration.plusMillis(999).toSeconds());
  }

  private static void addAttributes(
      Config hazelcast, NodeConfig config, String nodeId, EventBusOptions bus) {
    var attributes = hazelcast.getMemberAttributeConfig();
    attributes.setAttribute(NODE_ID, nodeId);
    attributes.setAttribute(NODE_NAME, config.node().name());
    attributes.setAttribute(NODE_BUS_HOST, bus.getClusterPublicHost());
    attributes.setAttribute(NODE_BUS_PORT, Integer.toString(bus.getClusterPublicPort()));
    attributes.setAttribute(NODE_FORMAT, Integer.toString(Format.newest()));
    attributes.setAttribute(NODE_TENANCY, Boolean.toString(config.tenancy().enabled()));
    attributes.setAttribute(NODE_LANES, Integer.toString(config.execution().lanes()));
    attributes.setAttribute(
        NODE_ROLES, String.join(",", config.node().roles().stream().map(Role::name).toList()));
    if (!config.cluster().zone().isEmpty()) {
      attributes.setAttribute(PartitionGroupMetaData.PARTITION_GROUP_ZONE, config.cluster().zone());
      hazelcast.getPartitionGroupConfig().setEnabled(true).setGroupType(MemberGroupType.ZONE_AWARE);
    }
  }

  private static void addNetwork(Config hazelcast, ClusterConfig cluster, String address) {
    var network = hazelcast.getNetworkConfig();
    network.setPort(cluster.port()).setPortAutoIncrement(false);
    network.setPublicAddress(address + ":" + cluster.port());
    network.getInterfaces().setEnabled(true).addInterface(address);
  }

  private static void addJoin(
      Config hazelcast, ClusterConfig cluster, String address, @Nullable NodeAddresses addresses) {
    var join = hazelcast.getNetworkConfig().getJoin();
    // Every joiner asks for so long who the master is before it claims to be that itself: all
    // nodes that start together spend it whole.
    var search = cluster.detection().joinWait().plus(SEARCH_MIN);
    join.getTcpIpConfig().setConnectionTimeoutSeconds(Integer.parseInt(seconds(search)));
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    if (addresses != null) {
      hazelcast.setProperty("hazelcast.discovery.enabled", "true");
      join.getDiscoveryConfig().addDiscoveryStrategyConfig(AddressDiscovery.of(addresses));
      return;
    }
    if (!cluster.serviceDns().isEmpty()) {
      // With the factory itself: the file that names it as a service is not in the jar.
      var lookup =
          new DiscoveryStrategyConfig(
              new HazelcastKubernetesDiscoveryStrategyFactory(), new HashMap<>());
      lookup.addProperty("service-dns", cluster.serviceDns());
      lookup.addProperty("service-port", Integer.toString(cluster.port()));
      hazelcast.setProperty("hazelcast.discovery.enabled", "true");
      join.getDiscoveryConfig().addDiscoveryStrategyConfig(lookup);
      return;
    }
    var list = join.getTcpIpConfig().setEnabled(true);
    list.addMember(address + ":" + cluster.port());
    cluster.members().forEach(member -> list.addMember(member.toString()));
  }

  private static void addMaps(Config hazelcast) {
    hazelcast.addMultiMapConfig(
        new MultiMapConfig("__vertx.subs")
            .setBackupCount(1)
            .setValueCollectionType(MultiMapConfig.ValueCollectionType.SET));
    hazelcast.addMapConfig(new MapConfig("__vertx.nodeInfo").setBackupCount(1));
    hazelcast.addMapConfig(new MapConfig("__vertx.haInfo").setBackupCount(1));
    // a lock lost with its member costs a conflict, a synchronous backup costs every burst
    var locks =
        new MapConfig(HazelcastLocks.MAP)
            .setBackupCount(0)
            .setAsyncBackupCount(1)
            .setMergePolicyConfig(FORGET)
            .setInMemoryFormat(InMemoryFormat.BINARY)
            .setStatisticsEnabled(false);
    locks.getEvictionConfig().setEvictionPolicy(EvictionPolicy.NONE);
    hazelcast.addMapConfig(locks);
  }

  static SerializationConfig serialization() {
    return new SerializationConfig()
        .setJavaSerializationFilterConfig(JavaClasses.filter())
        .addDataSerializableFactory(LockTypes.FACTORY_ID, new LockTypes());
  }
}
