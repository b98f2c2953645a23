package skein.node;

import static java.util.Objects.requireNonNull;

import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.PollingVerticle;
import skein.encryption.MasterKey;
import skein.node.config.EncryptionConfig;
import skein.storage.DataKeys;
import skein.storage.Database;

/** The keys of a node, as its configuration says. */
final class EncryptionWiring {
  private EncryptionWiring() {}

  static DataKeys dataKeys(EncryptionConfig config, Database database) {
    return new DataKeys(
        database,
        new DataKeys.Options(config.enabled(), config.dataKeyMaxAge(), config.settleTime()));
  }

  /**
   * Fails with {@code ENCRYPTION_KEY_MISSING} where values are encrypted that it could not read.
   */
  static Future<Void> check(EncryptionConfig config, Database database) {
    return dataKeys(config, database).check(config.masterKeys());
  }

  /** Looks at the keys again and again; deployed when the first look has succeeded. */
  static final class Keeping extends PollingVerticle {
    private static final Logger log = LoggerFactory.getLogger(Keeping.class);

    private final EncryptionConfig config;
    private final DataKeys keys;
    private final String nodeId;

    Keeping(EncryptionConfig config, DataKeys keys, String nodeId) {
      super(config.refreshInterval());
      this.config = config;
      this.keys = keys;
      this.nodeId = nodeId;
    }

    @Override
    public Future<?> start() {
      return config.hasMasterKey() ? super.start() : Future.succeededFuture();
    }

    @Override
    protected Future<Void> poll() {
      return vertx
          .<List<MasterKey>>executeBlocking(config::masterKeys)
          .compose(masterKeys -> keys.refresh(nodeId, requireNonNull(masterKeys)));
    }

    @Override
    protected void logFailure(Throwable cause, long times) {
      log.atWarn()
          .addKeyValue("cause", cause.getMessage())
          .addKeyValue("times", times)
          .log("encryption.keysNotRead");
    }
  }
}
