package skein.node.hazelcast;

import com.hazelcast.cluster.Address;
import com.hazelcast.config.DiscoveryStrategyConfig;
import com.hazelcast.config.properties.PropertyDefinition;
import com.hazelcast.logging.ILogger;
import com.hazelcast.spi.discovery.AbstractDiscoveryStrategy;
import com.hazelcast.spi.discovery.DiscoveryNode;
import com.hazelcast.spi.discovery.DiscoveryStrategy;
import com.hazelcast.spi.discovery.DiscoveryStrategyFactory;
import com.hazelcast.spi.discovery.SimpleDiscoveryNode;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Has Hazelcast look in an {@link NodeAddresses}: whenever it tries to join, and later, when it
 * looks for other parts of the cluster.
 */
final class AddressDiscovery implements DiscoveryStrategyFactory {
  private final NodeAddresses addresses;

  private AddressDiscovery(NodeAddresses addresses) {
    this.addresses = addresses;
  }

  static DiscoveryStrategyConfig of(NodeAddresses addresses) {
    return new DiscoveryStrategyConfig(new AddressDiscovery(addresses), Map.of());
  }

  @Override
  public Class<? extends DiscoveryStrategy> getDiscoveryStrategyType() {
    return Strategy.class;
  }

  @Override
  @SuppressWarnings("rawtypes") // as Hazelcast declares it
  public DiscoveryStrategy newDiscoveryStrategy(
      @Nullable DiscoveryNode self, ILogger logger, Map<String, Comparable> properties) {
    return new Strategy(logger, addresses);
  }

  @Override
  public Collection<PropertyDefinition> getConfigurationProperties() {
    return List.of();
  }

  private static final class Strategy extends AbstractDiscoveryStrategy {
    private final NodeAddresses addresses;

    Strategy(ILogger logger, NodeAddresses addresses) {
      super(logger, Map.of());
      this.addresses = addresses;
    }

    @Override
    public Iterable<DiscoveryNode> discoverNodes() {
      var nodes = new ArrayList<DiscoveryNode>();
      for (var other : addresses.others()) {
        try {
          nodes.add(new SimpleDiscoveryNode(new Address(other.host(), other.port())));
        } catch (UnknownHostException _) {
          // an address that this machine does not know: it is as if it were not there
        }
      }
      return nodes;
    }
  }
}
