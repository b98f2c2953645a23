package skein.node.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import skein.peers.PeerGuard;

/**
 * Who may connect to the ports between nodes.
 *
 * @param secretFile whoever knows what is in it; null: everybody who reaches them
 * @param open whether they may be reached from other machines without a secret
 */
public record PeersConfig(
    @Nullable Path secretFile, boolean open, Duration proofTimeout, int unprovedMax) {
  static PeersConfig from(Settings s) {
    var file = s.text("cluster.secret-file", "");
    return new PeersConfig(
        file.isEmpty() ? null : Path.of(file),
        s.flag("cluster.open", "false"),
        s.duration("cluster.proof-timeout", "5s", Duration.ofMillis(100)),
        s.integer("cluster.unproved-max", "200", 1, 100_000));
  }

  /** What those may take up who have not proved anything. */
  public PeerGuard.Limits limits() {
    return new PeerGuard.Limits(proofTimeout, unprovedMax);
  }
}
