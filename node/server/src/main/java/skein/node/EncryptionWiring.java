package skein.node;

import static java.util.Objects.requireNonNull;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.ThrottledLog;
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
  static final class Keeping extends VerticleBase {
    private static final Logger log = LoggerFactory.getLogger(Keeping.class);

    private final EncryptionConfig config;
    private final DataKeys keys;
    private final String nodeId;
    private final ThrottledLog failures = new ThrottledLog(Duration.ofMinutes(1), System::nanoTime);
    private boolean stopped;

    Keeping(EncryptionConfig config, DataKeys keys, String nodeId) {
      this.config = config;
      this.keys = keys;
      this.nodeId = nodeId;
    }

    @Override
    public Future<?> start() {
      return config.hasMasterKey() ? look().onSuccess(_ -> again()) : Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
      stopped = true;
      return Future.succeededFuture();
    }

    private void again() {
      vertx
          .timer(config.refreshInterval().toMillis(), TimeUnit.MILLISECONDS)
          .compose(_ -> look())
          .onComplete(result -> {
            if (stopped) {
              return;
            }
            if (result.failed()) {
              notRead(result.cause());
            }
            again();
          });
    }

    private Future<Void> look() {
      return vertx
          .<List<MasterKey>>executeBlocking(config::masterKeys)
          .compose(masterKeys -> keys.refresh(nodeId, requireNonNull(masterKeys)));
    }

    private void notRead(Throwable e) {
      failures.happened(times ->
          log.atWarn()
              .addKeyValue("cause", e.getMessage())
              .addKeyValue("times", times)
              .log("encryption.keysNotRead"));
    }
  }
}
