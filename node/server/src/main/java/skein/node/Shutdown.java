package skein.node;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
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

  private static final int TERMINATED = 143;
  private static final int INTERRUPTED = 130;

  private static final int NOT_ENDING = -1;

  /** With which this process ends: for the first reason there was, 0 if it was asked to stop. */
  private static final AtomicInteger CODE = new AtomicInteger(NOT_ENDING);

  private final Deque<Runnable> started = new ConcurrentLinkedDeque<>();
  private final List<Runnable> hurried = new CopyOnWriteArrayList<>();
  private final List<Supplier<Optional<String>>> left = new CopyOnWriteArrayList<>();
  private volatile boolean awaited;

  Shutdown() {}

  /**
   * Halts the process when stopping takes longer than {@code max}; from here on a thread that dies
   * may stop it, too.
   */
  static Shutdown hook(Duration max) {
    var shutdown = new Shutdown();
    ThreadDeaths.install(Shutdown::exit);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> shutdown.stopWithin(max), "shutdown"));
    Signals.on("TERM", () -> shutdown.asked(TERMINATED));
    Signals.on("INT", () -> shutdown.asked(INTERRUPTED));
    return shutdown;
  }

  /** The first signal stops it, from the second on it stops faster. */
  private void asked(int code) {
    if (!endsNow(code)) {
      hurried.forEach(Runnable::run);
    }
  }

  /**
   * Begins to stop, as at SIGTERM, and returns; without effect on a process that is ending.
   *
   * @param code with which the process ends
   */
  static void exit(int code) {
    endsNow(code);
  }

  /** False when the process was ending already. */
  private static boolean endsNow(int code) {
    boolean asked = code == TERMINATED || code == INTERRUPTED;
    if (!CODE.compareAndSet(NOT_ENDING, asked ? 0 : code)) {
      return false;
    }
    Thread.ofPlatform().daemon().name("exit").start(() -> System.exit(code));
    return true;
  }

  /** {@code hurry}: run each time that the process is asked to stop again. */
  void addHurry(Runnable hurry) {
    hurried.add(hurry);
  }

  /** {@code left}: what is not done yet; asked while {@code stop} is running, or after it. */
  void add(Runnable stop, Supplier<Optional<String>> left) {
    started.push(stop);
    this.left.add(left);
  }

  void add(Runnable stop) {
    started.push(stop);
  }

  private void stopWithin(Duration max) {
    var worker = Thread.ofPlatform().daemon().name("stop").start(this::stopAll);
    try {
      if (!worker.join(max)) {
        halt(max);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Logging.stop();
    if (awaited) {
      Runtime.getRuntime().halt(code()); // the JVM would say 143 of one that was asked to stop
    }
  }

  /**
   * The cluster notices by its connections that this node has ended, if nothing else was possible.
   */
  private void halt(Duration max) {
    var undone = undone();
    if (undone.isEmpty()) {
      log.atWarn().addKeyValue("maxMs", max.toMillis()).log("node.goodbyeCutShort");
    } else {
      log.atError()
          .addKeyValue("maxMs", max.toMillis())
          .addKeyValue("left", undone)
          .log("node.halted");
    }
    Logging.stop();
    Runtime.getRuntime().halt(undone.isEmpty() || code() != 0 ? code() : 1);
  }

  private static int code() {
    int code = CODE.get();
    return code == NOT_ENDING ? 0 : code;
  }

  /** The work that is lost, or left to others, if the process ends now. */
  List<String> undone() {
    var undone =
        new ArrayList<>(left.stream().map(Supplier::get).flatMap(Optional::stream).toList());
    if (!started.isEmpty()) {
      undone.add("parts that were not stopped: " + started.size());
    }
    return undone;
  }

  void stopAll() {
    while (!started.isEmpty()) {
      try {
        started.pop().run();
      } catch (RuntimeException e) {
        log.atError().setCause(e).log("node.stopIncomplete");
      }
    }
  }

  /** Exits when standard input ends: the process that started this one has then ended. */
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
            // equivalent to its end
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
