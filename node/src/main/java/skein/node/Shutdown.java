package skein.node;

import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
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
  private final AtomicInteger asked = new AtomicInteger();
  private final List<Runnable> hurried = new CopyOnWriteArrayList<>();
  private final List<Supplier<String>> left = new CopyOnWriteArrayList<>();
  private volatile boolean awaited;

  private Shutdown() {}

  /** Halts the process when stopping takes longer than {@code max}. */
  static Shutdown hook(Duration max) {
    var shutdown = new Shutdown();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> shutdown.stopWithin(max), "shutdown"));
    Signals.on("TERM", () -> shutdown.asked(143));
    Signals.on("INT", () -> shutdown.asked(130));
    return shutdown;
  }

  /** The first time it stops, from the second on it hurries. */
  private void asked(int code) {
    if (asked.getAndIncrement() == 0) {
      exit(code);
    } else {
      hurried.forEach(Runnable::run);
    }
  }

  /** Begins to stop, as at SIGTERM, and returns. {@code code}: of who was not to be stopped. */
  static void exit(int code) {
    Thread.ofPlatform().daemon().name("exit").start(() -> System.exit(code));
  }

  /** Also hurries it when it is asked again, and says what it waited for when it took too long. */
  void add(Node node) {
    started.push(node::stop);
    hurried.add(node::hurry);
    left.add(node::left);
  }

  void add(Runnable stop) {
    started.push(stop);
  }

  private void stopWithin(Duration max) {
    var worker = Thread.ofPlatform().daemon().name("stop").start(this::stopAll);
    try {
      if (!worker.join(max)) {
        log.atError()
            .addKeyValue("maxMs", max.toMillis())
            .addKeyValue("left", left.stream().map(Supplier::get).toList())
            .log("node.halted");
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
