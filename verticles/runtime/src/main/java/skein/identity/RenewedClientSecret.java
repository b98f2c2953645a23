package skein.identity;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A secret that may be replaced while the node runs: it is read for each sign-in. While there is
 * none that can be used, the one before it is. Thread-safe.
 */
public final class RenewedClientSecret implements ClientSecret {
  private static final Logger log = LoggerFactory.getLogger(RenewedClientSecret.class);

  private final Vertx vertx;
  private final String setting;
  private final Supplier<String> source;
  private String usable;
  private @Nullable String unusable;

  /**
   * @param setting that names its file, for the log
   * @param first as it was when the configuration was read
   * @param source as it is now; may block, and throws {@link IllegalArgumentException} where there
   *     is none that can be used
   */
  public RenewedClientSecret(Vertx vertx, String setting, String first, Supplier<String> source) {
    this.vertx = vertx;
    this.setting = setting;
    this.source = source;
    this.usable = first;
  }

  @Override
  public Future<String> now() {
    return vertx.executeBlocking(this::read, false).map(found -> Objects.requireNonNull(found));
  }

  private synchronized String read() {
    try {
      var found = source.get();
      unusable = null;
      if (!found.equals(usable)) {
        usable = found;
        log.atInfo().addKeyValue("setting", setting).log("security.clientSecretReplaced");
      }
    } catch (IllegalArgumentException e) {
      var why = String.valueOf(e.getMessage());
      if (!why.equals(unusable)) {
        unusable = why;
        log.atWarn()
            .addKeyValue("setting", setting)
            .addKeyValue("reason", why)
            .log("security.clientSecretUnusable");
      }
    }
    return usable;
  }
}
