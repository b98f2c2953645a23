package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;

/** ProcessSignals to processes that a test has started, by number. */
final class ProcessSignals {
  private ProcessSignals() {}

  /** {@code signal} as kill(1) names it: {@code STOP}, {@code CONT}, {@code QUIT}. */
  static void send(long pid, String signal) {
    try {
      var kill = new ProcessBuilder("kill", "-" + signal, String.valueOf(pid)).start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("Process " + pid + " did not get SIG" + signal);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while sending SIG" + signal, e);
    }
  }
}
