package skein.node.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import skein.peers.ClusterTls;
import skein.peers.PeerGuard;

/**
 * Who may connect to the ports between nodes.
 *
 * @param secretFile peers that know the secret in it are admitted; null: all that reach the ports
 * @param tls null: what they say can be read on the way
 * @param open whether they may be reached from other machines without a secret and without TLS
 */
public record PeersConfig(
    @Nullable Path secretFile,
    ClusterTls.@Nullable Files tls,
    boolean open,
    Duration proofTimeout,
    int unprovedMax) {
  private static final String NEEDED = "is needed with cluster.tls";

  static PeersConfig from(Settings s) {
    var file = s.text("cluster.secret-file", "");
    return new PeersConfig(
        file.isEmpty() ? null : Path.of(file),
        tls(s),
        s.flag("cluster.open", "false"),
        s.duration("cluster.proof-timeout", "5s", Duration.ofMillis(100)),
        s.integer("cluster.unproved-max", "200", 1, 100_000));
  }

  private static ClusterTls.@Nullable Files tls(Settings s) {
    boolean on = s.flag("cluster.tls", "false");
    var certificate = s.text("cluster.tls-certificate-file", "");
    var key = s.text("cluster.tls-key-file", "");
    var authorities = s.text("cluster.tls-ca-file", "");
    if (!on) {
      return null;
    }
    s.require(!certificate.isEmpty(), "cluster.tls-certificate-file: " + NEEDED);
    s.require(!key.isEmpty(), "cluster.tls-key-file: " + NEEDED);
    s.require(!authorities.isEmpty(), "cluster.tls-ca-file: " + NEEDED);
    return new ClusterTls.Files(Path.of(certificate), Path.of(key), Path.of(authorities));
  }

  /** The limits of unauthenticated peers. */
  public PeerGuard.Limits limits() {
    return new PeerGuard.Limits(proofTimeout, unprovedMax);
  }
}
