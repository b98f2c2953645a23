package skein.node;

import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Ends the process in order when a thread has died without which it would only work in part. What
 * other threads leave behind is a line of the log: those of pools are replaced, and procedures
 * concern one request. Thread-safe.
 */
final class ThreadDeaths implements Thread.UncaughtExceptionHandler {
  /** With which the process ends. */
  static final int EXIT_CODE = 4;

  /** Beginnings of the names of threads that are not replaced. */
  private static final List<String> VITAL =
      List.of(
          "log",
          "retention",
          "scanner",
          "skein-bus-members",
          "skein-scripts-watchdog",
          "vert.x-acceptor-thread-",
          "vert.x-eventloop-thread-",
          "hz.");

  private static final Logger log = LoggerFactory.getLogger(ThreadDeaths.class);

  private final IntConsumer exit;

  /** {@code exit}: begins to end the process with a code, and returns. */
  ThreadDeaths(IntConsumer exit) {
    this.exit = exit;
  }

  /** For the rest of the process. {@code exit}: as above. */
  static void install(IntConsumer exit) {
    Thread.setDefaultUncaughtExceptionHandler(new ThreadDeaths(exit));
  }

  @Override
  public void uncaughtException(Thread thread, Throwable e) {
    if (isVital(thread.getName())) {
      died(thread, e);
    } else {
      var level = isLate(thread, e) ? Level.DEBUG : Level.ERROR;
      log.atLevel(level).addKeyValue("thread", thread.getName()).setCause(e).log("thread.failed");
    }
  }

  /**
   * Whether a worker of Vert.x has an answer for an event loop that has ended, as all do at last.
   */
  private static boolean isLate(Thread thread, Throwable e) {
    return e instanceof RejectedExecutionException && thread.getName().startsWith("vert.x-worker-");
  }

  /** {@code cause}: null when it is not known. */
  void died(Thread thread, @Nullable Throwable cause) {
    // Also where it is seen when it was the log that died.
    System.err.println("skein: thread " + thread.getName() + " died, the process ends: " + cause);
    try {
      log.atError().addKeyValue("thread", thread.getName()).setCause(cause).log("thread.died");
    } finally {
      exit.accept(EXIT_CODE);
    }
  }

  private static boolean isVital(String name) {
    return VITAL.stream()
        .anyMatch(vital ->
            (vital.endsWith("-") || vital.endsWith("."))
                ? name.startsWith(vital)
                : name.equals(vital));
  }
}
