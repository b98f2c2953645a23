package skein.loop;

import io.vertx.core.Future;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Threads on which code may block. */
@FunctionalInterface
public interface Blocking {
  /** Runs the code there; completes on any thread. */
  <T> Future<@Nullable T> run(Callable<T> code);

  /**
   * Whose code it is.
   *
   * @param group owners of one group share its part, such as the definitions of a tenant
   * @param name such as the id of a definition
   */
  record Owner(String group, String name) {}

  /** The same, fairly among groups and the owners in them, where threads are few. */
  default <T> Future<@Nullable T> run(Owner owner, Callable<T> code) {
    return run(code);
  }
}
