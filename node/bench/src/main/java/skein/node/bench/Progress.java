package skein.node.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** Tells a person what is going on: a line that moves on at a terminal, else a line a step. */
public final class Progress {
  private static final String ERASE = "\r\033[K";

  private static final long EVERY_NANOS = 1_000_000_000;

  private final PrintWriter err;
  private final boolean quiet;
  private final boolean terminal;
  private long lastAt = System.nanoTime() - EVERY_NANOS;

  /** {@code err}: the error output of this process. */
  public Progress(PrintWriter err, boolean quiet) {
    this.err = err;
    this.quiet = quiet;
    this.terminal = isTerminal();
  }

  /** The JVM knows it of its other outputs only. */
  private static boolean isTerminal() {
    try {
      var file = Path.of("/proc/self/fd/2").toRealPath().toString();
      return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty");
    } catch (IOException _) {
      return false; // lines are never wrong
    }
  }

  /** A step of many that are alike: of those, one a second is shown. */
  void sayNowAndThen(String step) {
    long now = System.nanoTime();
    if (now - lastAt >= EVERY_NANOS) {
      lastAt = now;
      say(step);
    }
  }

  void say(String step) {
    if (quiet) {
      return;
    }
    if (terminal) {
      err.print(ERASE + step);
    } else {
      err.println("bench: " + step);
    }
    err.flush();
  }

  /** The line at the terminal was erased. */
  void done() {
    if (!quiet && terminal) {
      err.print(ERASE);
      err.flush();
    }
  }
}
