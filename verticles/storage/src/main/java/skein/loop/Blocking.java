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
   * The same, fairly among owners where there are too few threads for all.
   *
   * @param owner whose code it is, such as the id of a definition
   */
  default <T> Future<@Nullable T> run(String owner, Callable<T> code) {
    return run(code);
  }
}
