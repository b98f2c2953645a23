package skein.node;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.node.logging.Logging;

/** The one hook of this process: runs at SIGTERM, SIGINT and {@code System.exit}. */
final class Shutdown {
  private static final Logger log = LoggerFactory.getLogger(Shutdown.class);

  private Shutdown() {}

  /** Halts the process when {@code stop} takes longer than {@code max}. */
  static void hook(Duration max, Runnable stop) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stopWithin(max, stop), "shutdown"));
  }

  private static void stopWithin(Duration max, Runnable stop) {
    var worker = Thread.ofPlatform().daemon().name("stop").start(stop);
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
  static void await() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
