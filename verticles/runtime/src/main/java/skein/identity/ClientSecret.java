package skein.identity;

import io.vertx.core.Future;

/** The secret of the cluster as a client of an OpenID provider. Thread-safe. */
@FunctionalInterface
public interface ClientSecret {
  /**
   * As it is now; empty: the provider knows the cluster as a public client. Completes on the
   * context of the caller, if there is one, and does not fail.
   */
  Future<String> now();

  /** One that is not replaced while the node runs. */
  static ClientSecret fixed(String secret) {
    return () -> Future.succeededFuture(secret);
  }
}
