package skein.node.config;

import java.time.Duration;
import java.util.List;
import skein.encryption.MasterKey;

/**
 * Encryption of what workflows store.
 *
 * @param enabled whether it is encrypted from now on
 * @param masterKey in Base64, a line for each; empty: there is none
 * @param refreshInterval between two looks at the keys
 * @param settleTime nodes that were seen within it must have a data key before it is used
 * @param dataKeyMaxAge after which a new one is made
 * @param rewriteBatchMax rows that a rewrite has on their way at a time
 */
public record EncryptionConfig(
    boolean enabled,
    Secret masterKey,
    Duration refreshInterval,
    Duration settleTime,
    Duration dataKeyMaxAge,
    int rewriteBatchMax) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  static EncryptionConfig from(Settings s) {
    var config =
        new EncryptionConfig(
            s.flag("encryption.enabled", "false"),
            s.secretOrFile("encryption.master-key"),
            s.duration("encryption.refresh-interval", "5s", MS),
            s.duration("encryption.settle-time", "1m", MS),
            s.duration("encryption.data-key-max-age", "90d", SECOND),
            s.integer("encryption.rewrite-batch-max", "200", 1, 10_000));
    config.check(s);
    return config;
  }

  private void check(Settings s) {
    s.require(
        !enabled || hasMasterKey(),
        "encryption.enabled: needs a master key, in the file that encryption.master-key-file names");
    try {
      MasterKey.parse(masterKey.value());
    } catch (IllegalArgumentException e) {
      s.require(false, "encryption.master-key: " + e.getMessage());
    }
  }

  public boolean hasMasterKey() {
    return !masterKey.value().isEmpty();
  }

  /**
   * As they are now. May block.
   *
   * @throws IllegalArgumentException the file has none that can be used
   */
  public List<MasterKey> masterKeys() {
    return hasMasterKey() ? MasterKey.parse(masterKey.now()) : List.of();
  }
}
