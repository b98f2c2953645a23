package skein.identity;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * The metadata of an OpenID provider: read when they are first needed and when they are old, by one
 * request at a time. While it does not answer, those that were read last are used. Thread-safe.
 */
final class KnownProvider {
  private static final Logger log = LoggerFactory.getLogger(KnownProvider.class);
  static final Duration AGE_MAX = Duration.ofHours(1);
  private static final Duration TOLD_EVERY = Duration.ofSeconds(10);

  private final ProviderCalls calls;
  private final String issuer;
  private final String name;
  private final LongSupplier nanoTime;
  private @Nullable ProviderMetadata known;
  private @Nullable Future<ProviderMetadata> reading;
  private long readAt;
  private long toldAt;
  private boolean told;

  KnownProvider(ProviderCalls calls, String issuer, String name, LongSupplier nanoTime) {
    this.calls = calls;
    this.issuer = issuer;
    this.name = name;
    this.nanoTime = nanoTime;
  }

  Future<ProviderMetadata> metadata() {
    Future<ProviderMetadata> read;
    synchronized (this) {
      var found = known;
      if (found != null && nanoTime.getAsLong() - readAt < AGE_MAX.toNanos()) {
        return Future.succeededFuture(found);
      }
      read = reading;
      if (read == null) {
        read = calls.metadata().map(json -> ProviderMetadata.of(json, issuer));
        reading = read;
      }
    }
    return read.onComplete(this::read).recover(this::former);
  }

  private synchronized void read(AsyncResult<ProviderMetadata> result) {
    reading = null;
    if (result.succeeded()) {
      known = result.result();
      readAt = nanoTime.getAsLong();
    }
  }

  private Future<ProviderMetadata> former(Throwable e) {
    ProviderMetadata found;
    synchronized (this) {
      found = known;
    }
    return found == null ? Future.failedFuture(unusable(e)) : Future.succeededFuture(found);
  }

  /** Why users cannot sign in there now. */
  SkeinException unusable(Throwable cause) {
    if (isToBeTold()) {
      log.atWarn()
          .addKeyValue("issuer", issuer)
          .addKeyValue("cause", cause.getMessage())
          .log("signIn.providerUnusable");
    }
    return new SkeinException(
        ErrorCode.PROVIDER_UNAVAILABLE,
        name
            + " does not answer this node as an OpenID provider does: its log says why"
            + " (signIn.providerUnusable)",
        List.of(),
        cause);
  }

  private synchronized boolean isToBeTold() {
    long now = nanoTime.getAsLong();
    if (told && now - toldAt < TOLD_EVERY.toNanos()) {
      return false;
    }
    told = true;
    toldAt = now;
    return true;
  }
}
