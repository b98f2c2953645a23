package skein.identity;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks now and then whether the keys of access tokens have been replaced. */
final class RenewedKeys {
  /** How soon a replaced key is used. */
  private static final Duration EVERY = Duration.ofSeconds(5);

  private static final Logger log = LoggerFactory.getLogger(RenewedKeys.class);

  private final AccessTokens tokens;
  private final SigningKeys source;
  private @Nullable String unusable;

  private RenewedKeys(AccessTokens tokens, SigningKeys source) {
    this.tokens = tokens;
    this.source = source;
  }

  /** Until the end of Vert.x. */
  static void watch(Vertx vertx, AccessTokens tokens, SigningKeys source) {
    var watched = new RenewedKeys(tokens, source);
    vertx.setPeriodic(EVERY.toMillis(), _ -> vertx.executeBlocking(watched::look, true));
  }

  /** Unusable keys change nothing. */
  private synchronized boolean look() {
    try {
      boolean replaced = tokens.use(source.now());
      unusable = null;
      if (replaced) {
        log.atInfo().log("security.signingKeyReplaced");
      }
      return replaced;
    } catch (IllegalArgumentException e) {
      var why = String.valueOf(e.getMessage());
      if (!Objects.equals(unusable, why)) {
        unusable = why;
        log.atWarn().addKeyValue("reason", why).log("security.signingKeyUnusable");
      }
      return false;
    }
  }
}
