package skein.node;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.http.Connections;
import skein.http.GatedTransport;
import skein.http.Https;
import skein.http.ProtocolLimits;
import skein.node.config.NodeConfig;
import skein.node.hazelcast.BusGuard;
import skein.node.hazelcast.PeerTraffic;
import skein.peers.BusAuthentication;
import skein.peers.ServerTls;
import skein.peers.UnusableTlsException;

/** The guards of all external connections, and the certificates that they use. */
final class ConnectionGuards {
  private static final Logger log = LoggerFactory.getLogger(ConnectionGuards.class);
  private static final double DAY_SECONDS = Duration.ofDays(1).toSeconds();

  private final NodeConfig config;
  private final Connections connections;
  private final ProtocolLimits protocol;
  private final @Nullable ServerTls tls;
  private final PeerTraffic traffic = new PeerTraffic();
  private volatile @Nullable BusAuthentication authentication;

  /** Throws {@link UnusableTlsException} when the certificate of HTTPS cannot be used. */
  ConnectionGuards(NodeConfig config, Connections connections, ProtocolLimits protocol) {
    this.config = config;
    this.connections = connections;
    this.protocol = protocol;
    var https = config.http().tls();
    this.tls = https == null ? null : ServerTls.read(https.files(), ConnectionGuards::log);
  }

  private static void log(UnusableTlsException unusable) {
    log.atWarn().addKeyValue("why", unusable.getMessage()).log("http.certificateUnusable");
  }

  Connections connections() {
    return connections;
  }

  /** The transport of the node's Vert.x. */
  GatedTransport transport(BusAuthentication busAuthentication) {
    authentication = busAuthentication;
    var incomplete = new AtomicLong();
    long bytesMax = config.cluster().bus().messageBytesMax();
    return new GatedTransport(
        connections,
        protocol,
        busAuthentication,
        () -> new BusGuard(busAuthentication, incomplete, bytesMax, traffic.bus()),
        https());
  }

  /** What has come from other processes of the cluster. */
  PeerTraffic traffic() {
    return traffic;
  }

  private @Nullable Https https() {
    var https = config.http().tls();
    return https == null || tls == null
        ? null
        : new Https(tls, config.http().portOptions().managementPort(), https.management());
  }

  /** How long the certificates are valid that this node shows, by what they are for. */
  Map<String, Double> certificateDays() {
    var days = new LinkedHashMap<String, Double>();
    if (tls != null) {
      days.put("http", daysUntil(tls.end()));
    }
    var bus = authentication;
    var end = bus == null ? null : bus.certificateEnd();
    if (end != null) {
      days.put("cluster", daysUntil(end));
    }
    return days;
  }

  private static double daysUntil(Instant end) {
    return Duration.between(Instant.now(), end).toSeconds() / DAY_SECONDS;
  }
}
