package skein.definitions;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import skein.model.SkeinException;

/**
 * Where definitions are compiled and checked: the largest take seconds, too long for an event loop.
 * Definitions that are to be run do not wait for checks. Thread-safe.
 */
public final class CompilerThreads {
  /** Each holds its document in memory. */
  private static final int CHECKS_MAX = 100;

  private final WorkerExecutor compiling;
  private final WorkerExecutor checking;
  private final int checksMax;
  private final AtomicInteger checks = new AtomicInteger();

  /** {@code threads}: of each kind; the verticles of a node share them. */
  public CompilerThreads(Vertx vertx, int threads) {
    this(vertx, threads, CHECKS_MAX);
  }

  /** {@code checksMax}: those that wait or are made. */
  CompilerThreads(Vertx vertx, int threads, int checksMax) {
    this.compiling = vertx.createSharedWorkerExecutor("skein-compiler", threads);
    this.checking = vertx.createSharedWorkerExecutor("skein-checks", threads);
    this.checksMax = checksMax;
  }

  /** Compiles a definition that is to be run, or whose triggers are to be stored. */
  @SuppressWarnings("NullAway") // The worker gives what the work gives.
  <T> Future<T> compile(Callable<T> work) {
    return compiling.executeBlocking(work, false);
  }

  /** For who saves, publishes or asks. Fails with {@code OVERLOADED} when too many do. */
  @SuppressWarnings("NullAway")
  <T> Future<T> check(Callable<T> work) {
    if (checks.incrementAndGet() > checksMax) {
      checks.decrementAndGet();
      return Future.failedFuture(SkeinException.tooMany("checks of definitions", checksMax));
    }
    return checking.executeBlocking(work, false).onComplete(_ -> checks.decrementAndGet());
  }
}
