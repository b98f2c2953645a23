package skein.work;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Databases whose URL is a secret of the node. It is looked up at each use: when it has been
 * replaced, the next statement uses the new URL. Thread-safe.
 */
final class SecretSources {
  private static final int POOL_SIZE = 4;

  /** Those used least recently are closed. */
  private static final int SOURCES_MAX = 100;

  private final Vertx vertx;
  private final SecretSource secrets;
  private final Duration timeout;
  private final Map<String, Known> bySecret = new LinkedHashMap<>(16, 0.75f, true);

  private record Known(String url, SqlSource source) {
    @Override
    public String toString() {
      return source.name();
    }
  }

  /** {@code timeout}: of one statement. */
  SecretSources(Vertx vertx, SecretSource secrets, Duration timeout) {
    this.vertx = vertx;
    this.secrets = secrets;
    this.timeout = timeout;
  }

  /** Fails with {@link WorkRefusedException} where there is no such secret, or it is no URL. */
  Future<SqlSource> of(String secret) {
    return vertx
        .executeBlocking(() -> WorkRefusedException.secret(secrets, secret), false)
        .map(url -> source(secret, Objects.requireNonNull(url).strip()));
  }

  private synchronized SqlSource source(String secret, String url) {
    var known = bySecret.get(secret);
    if (known != null && known.url().equals(url)) {
      return known.source();
    }
    var made = new Known(url, made(secret, url));
    bySecret.put(secret, made);
    if (known != null) {
      closeLater(known);
    }
    if (bySecret.size() > SOURCES_MAX) {
      var eldest = bySecret.entrySet().iterator();
      closeLater(eldest.next().getValue());
      eldest.remove();
    }
    return made.source();
  }

  /** The message of what is wrong with a URL may contain it. */
  private SqlSource made(String secret, String url) {
    try {
      var source = new SqlWorkOptions.Source(url, "", Password.NONE, POOL_SIZE);
      return SqlSource.of("The secret " + secret, vertx, source, timeout);
    } catch (RuntimeException _) {
      throw new WorkRefusedException(
          "SecretUnusable",
          "The secret \""
              + secret
              + "\" is not the URL of a database: postgresql://user:password@host:port/name or"
              + " mysql://user:password@host:port/name");
    }
  }

  /** Statements that run on it have ended by then. */
  private void closeLater(Known known) {
    vertx.setTimer(
        Math.max(1, timeout.multipliedBy(2).toMillis()), _ -> known.source().pool().close());
  }
}
