package skein.loop;

import io.vertx.core.Future;
import java.util.concurrent.Callable;

/** Threads on which code may take its time. */
@FunctionalInterface
public interface Blocking {
  /** Runs the code there; completes on any thread. */
  <T> Future<T> run(Callable<T> code);
}
