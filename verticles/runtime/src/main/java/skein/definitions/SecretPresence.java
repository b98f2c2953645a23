package skein.definitions;

import io.vertx.core.Future;
import java.util.Set;

/** Which secrets of workflows this node has. Thread-safe. */
@FunctionalInterface
public interface SecretPresence {
  /** Nobody knows it. */
  SecretPresence UNKNOWN = _ -> Future.succeededFuture(Set.of());

  /** Those of the names of which there is no secret that can be used. */
  Future<Set<String>> missing(Set<String> names);
}
