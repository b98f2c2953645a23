package skein.node.hazelcast;

import io.vertx.core.eventbus.EventBusOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import skein.node.config.ClusterConfig;

/** Where the event bus of this node listens, and how long it waits for others. */
final class BusSettings {
  private BusSettings() {}

  static EventBusOptions of(ClusterConfig cluster, String address) {
    return new EventBusOptions()
        .setHost(address)
        .setPort(cluster.busPort())
        .setClusterPublicHost(address)
        .setClusterPublicPort(cluster.busPort())
        .setIdleTimeout((int) cluster.bus().idleTimeout().toSeconds())
        .setIdleTimeoutUnit(TimeUnit.SECONDS)
        .setConnectTimeout(millis(cluster.bus().connectTimeout()))
        .setClusterPingInterval(millis(cluster.bus().pingInterval()))
        .setClusterPingReplyInterval(millis(cluster.bus().pingInterval()));
  }

  private static int millis(Duration duration) {
    return (int) duration.toMillis();
  }
}
