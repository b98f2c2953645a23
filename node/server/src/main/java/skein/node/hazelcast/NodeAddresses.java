package skein.node.hazelcast;

import java.util.List;
import skein.node.config.HostPort;
import skein.peers.ClusterSecret;

/** Discovery of nodes without a list of members, and the source of their common secret. */
public interface NodeAddresses extends AutoCloseable {
  /** Hosts that all nodes reach: a node is where it would talk to them from. */
  List<String> hosts();

  /** The same for all nodes that share these addresses and {@code cluster.name}. */
  ClusterSecret secret();

  /**
   * Says where this node is, from now on until this is closed.
   *
   * @param cluster in full: nodes with other names cannot join
   */
  void enter(String cluster, HostPort address, String nodeId);

  /** Where the other nodes are that have entered, as far as is known; blocks. */
  List<HostPort> others();

  /** This node has left. */
  @Override
  void close();
}
