package skein.node;

import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.node.logging.Logging;

/**
 * The one hook of this process: runs at SIGTERM, SIGINT and {@code System.exit}, and stops what was
 * started, the last first.
 */
final class Shutdown {
  private static final Logger log = LoggerFactory.getLogger(Shutdown.class);

  private final Deque<Runnable> started = new ConcurrentLinkedDeque<>();
  private volatile boolean awaited;

  private Shutdown() {}

  /** Halts the process when stopping takes longer than {@code max}. */
  static Shutdown hook(Duration max) {
    var shutdown = new Shutdown();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> shutdown.stopWithin(max), "shutdown"));
    return shutdown;
  }

  void add(Runnable stop) {
    started.push(stop);
  }

  private void stopWithin(Duration max) {
    var worker = Thread.ofPlatform().daemon().name("stop").start(this::stopAll);
    try {
      if (!worker.join(max)) {
        log.atError().addKeyValue("maxMs", max.toMillis()).log("node.halted");
        Logging.stop();
        Runtime.getRuntime().halt(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Logging.stop();
    if (awaited) {
      Runtime.getRuntime().halt(0); // it was asked to stop and did; the JVM would say 143
    }
  }

  private void stopAll() {
    while (!started.isEmpty()) {
      try {
        started.pop().run();
      } catch (RuntimeException e) {
        log.atError().setCause(e).log("node.stopIncomplete");
      }
    }
  }

  /** Exits when standard input ends: whoever started this process is then gone. */
  static void whenInputEnds() {
    Thread.ofPlatform()
        .daemon()
        .name("parent")
        .start(() -> {
          try {
            while (System.in.read() >= 0) {
              // nothing is ever said
            }
          } catch (IOException _) {
            // as good as its end
          }
          System.exit(0);
        });
  }

  /** Waits for the hook; the process ends when that is done. */
  void await() {
    awaited = true;
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
