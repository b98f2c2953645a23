package skein.node.hazelcast;

import java.util.List;
import skein.cluster.Cluster;
import skein.model.InstanceId;

/** Every node thinks it owns every instance: shows that safety does not depend on routing. */
record LocalRouting(Cluster cluster) implements Cluster {
  @Override
  public String nodeId() {
    return cluster.nodeId();
  }

  @Override
  public String nodeName() {
    return cluster.nodeName();
  }

  @Override
  public String ownerOf(InstanceId instanceId) {
    return cluster.nodeId();
  }

  @Override
  public List<Node> members() {
    return cluster.members();
  }

  @Override
  public void onChange(Runnable listener) {
    cluster.onChange(listener);
  }
}
