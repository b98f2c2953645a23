package skein.node;

import java.net.URI;
import java.util.List;

/** Sends each request to one of the nodes that say they are ready; never twice. */
interface Balancer extends AutoCloseable {
  URI base();

  @Override
  void close();

  /** HAProxy where it is installed, unless {@code skein.rolling.balancer} is {@code own}. */
  static Balancer of(List<Integer> nodePorts) {
    boolean own = System.getProperty("skein.rolling.balancer", "").equals("own");
    return own || !HaProxy.isInstalled() ? new OwnBalancer(nodePorts) : new HaProxy(nodePorts);
  }
}
