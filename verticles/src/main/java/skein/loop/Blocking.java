package skein.loop;

import io.vertx.core.Future;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Threads on which code may take its time. */
@FunctionalInterface
public interface Blocking {
  /** Runs the code there; completes on any thread. */
  <T> Future<@Nullable T> run(Callable<T> code);
}
