package skein.definitions;

import io.vertx.core.Future;
import java.util.Set;

/** The secrets of workflows that this node has. Thread-safe. */
@FunctionalInterface
public interface SecretPresence {
  /** It is unknown. */
  SecretPresence UNKNOWN = _ -> Future.succeededFuture(Missing.NONE);

  /**
   * What a node lacks.
   *
   * @param names of which there is no secret that can be used
   * @param there names that may have been meant
   */
  record Missing(Set<String> names, Set<String> there) {
    public static final Missing NONE = new Missing(Set.of(), Set.of());

    public Missing {
      names = Set.copyOf(names);
      there = Set.copyOf(there);
    }
  }

  /** The names that the node lacks. */
  Future<Missing> missing(Set<String> names);
}
