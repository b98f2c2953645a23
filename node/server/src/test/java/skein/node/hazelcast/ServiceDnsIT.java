package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.kubernetes.HazelcastKubernetesDiscoveryStrategyFactory;
import io.vertx.core.eventbus.EventBusOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;
import skein.node.dev.Ports;

/** A member whose configuration names a service, by which it looks up the others. */
class ServiceDnsIT {
  /** The jar of the server lacks the file by which Hazelcast would find the factory itself. */
  @Test
  void a_member_starts_with_the_factory_that_its_configuration_brings() {
    var port = String.valueOf(Ports.free(1).getFirst());
    var settings = Map.of("cluster.service-dns", "localhost", "cluster.port", port);
    var config = NodeConfig.from(new Settings(null, Map.of(), new HashMap<>(settings)));
    var bus = new EventBusOptions().setClusterPublicHost("127.0.0.1").setClusterPublicPort(15701);

    var member = MemberConfig.of(config, "n", "127.0.0.1", bus, new MemberFacts("d", Set.of()));

    var join = member.getNetworkConfig().getJoin();
    assertThat(join.getTcpIpConfig().isEnabled()).isFalse();
    assertThat(join.getDiscoveryConfig().getDiscoveryStrategyConfigs())
        .singleElement()
        .satisfies(lookup ->
            assertThat(lookup.getDiscoveryStrategyFactory())
                .isInstanceOf(HazelcastKubernetesDiscoveryStrategyFactory.class));
    var started = Hazelcast.newHazelcastInstance(member);
    try {
      assertThat(started.getCluster().getMembers()).hasSize(1);
    } finally {
      started.getLifecycleService().terminate();
    }
  }
}
