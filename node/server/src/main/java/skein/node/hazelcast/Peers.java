package skein.node.hazelcast;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.node.config.ClusterConfig;
import skein.node.config.PeersConfig;
import skein.peers.ClusterSecret;
import skein.peers.ClusterTls;
import skein.peers.PeerGuard;
import skein.peers.Refusal;
import skein.peers.UnusableTlsException;

/** Admission to the ports of a node that are for other nodes. */
public final class Peers {
  private static final Logger log = LoggerFactory.getLogger(Peers.class);

  private Peers() {}

  /** Other machines could reach the ports between nodes, and nothing is asked of them. */
  public static final class UnprotectedException extends RuntimeException {
    UnprotectedException(String address) {
      super(
          "The ports between nodes would be open on "
              + address
              + " for every client that reaches it, to stop, read and change the cluster: give all"
              + " nodes a file with the same secret, which openssl rand -hex 32 makes"
              + " (cluster.secret-file), or certificates (cluster.tls), or let them take one from the"
              + " database (cluster.discovery: database). On one machine set cluster.host to"
              + " 127.0.0.1. If only nodes can reach it, cluster.open: true starts this one"
              + " without either");
    }
  }

  /**
   * As the configuration says.
   *
   * @param address where the ports will be
   * @param addresses of a node without a list of members; it gives a secret where nothing else
   *     protects
   */
  static PeerGuard guard(ClusterConfig cluster, String address, @Nullable NodeAddresses addresses) {
    var peers = cluster.peers();
    var secret = secret(peers, addresses);
    var guard = secret == null ? null : withSecret(cluster, secret);
    if (peers.tls() != null) {
      var tls = ClusterTls.read(peers.tls(), Peers::log);
      var inside = guard == null ? PeerGuard.withoutSecret(peers.limits(), Peers::log) : guard;
      return inside.withTls(tls);
    }
    if (guard != null) {
      return guard;
    }
    if (!InetAddress.ofLiteral(address).isLoopbackAddress()) {
      if (!peers.open()) {
        throw new UnprotectedException(address);
      }
      log.atWarn().addKeyValue("address", address).log("cluster.open");
    }
    return PeerGuard.withoutSecret(peers.limits(), Peers::log);
  }

  private static @Nullable ClusterSecret secret(
      PeersConfig peers, @Nullable NodeAddresses addresses) {
    if (peers.secretFile() != null) {
      return ClusterSecret.read(peers.secretFile());
    }
    return addresses == null || peers.tls() != null || peers.open() ? null : addresses.secret();
  }

  private static PeerGuard withSecret(ClusterConfig cluster, ClusterSecret secret) {
    return PeerGuard.of(
        secret, MemberConfig.clusterName(cluster.name()), cluster.peers().limits(), Peers::log);
  }

  private static void log(UnusableTlsException unusable) {
    log.atWarn().addKeyValue("why", unusable.getMessage()).log("cluster.certificateUnusable");
  }

  private static void log(Refusal refusal) {
    log.atWarn()
        .addKeyValue("code", refusal.code())
        .addKeyValue("from", refusal.peer())
        .addKeyValue("port", refusal.port().setting())
        .addKeyValue("why", refusal.sentence())
        .log("cluster.connectionRefused");
  }
}
